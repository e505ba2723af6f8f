// A tree of three levels that is cancelled while the lowest waits: what its children had spent is the root's, and
// nothing that reads the journal takes that, or what a redaction hook refused of a child, for a difference.
import { expect, it } from "vitest";
import { memoryJournal, replay, resume, run } from "../../../../src/runtime/index.js";
import { fixture, Timeline } from "../../../../src/time-travel/live/index.js";
import { calls, familyOf, worker } from "../../../support/family.js";

const { parent, model } = familyOf({
  name: "boss",
  says: [calls("clerk"), "done"],
  children: [
    {
      name: "clerk",
      says: [calls("hand"), "done"],
      children: [
        {
          name: "hand",
          tools: [worker([], "pay", { needsApproval: true })],
          says: [{ calls: [{ name: "pay" }] }, "paid"],
        },
      ],
    },
  ],
});

async function cancelled() {
  const journal = memoryJournal("tree");
  expect((await run(parent, "go", { model, journal, runId: "r" })).status).toBe("waiting");
  const end = await resume(parent, journal, { model, events: [{ type: "cancel" }] });
  expect([end.status, end.usage.requests]).toEqual(["cancelled", 3]);
  return journal;
}

it("replays, steps and becomes a fixture as it was", async () => {
  const journal = await cancelled();
  expect((await replay(parent, journal)).status).toBe("identical");
  const timeline = await Timeline.open(parent, journal);
  for (let entry = await timeline.next(); entry !== undefined; entry = await timeline.next()) {
    expect(entry.same).toBe(true);
  }
  const made = memoryJournal("made");
  await fixture(parent, journal, made);
  expect((await replay(parent, made)).status).toBe("identical");
});

it("ends where the redaction hook throws on the cancel of a child, which nobody can take back", async () => {
  const journal = memoryJournal("tree");
  await run(parent, "go", { model, journal, runId: "r" });
  let seen = 0;
  const redact = (value: { readonly type: string }) => {
    if (value.type === "cancel" && ++seen > 1) throw new Error("no hook today");
    return value;
  };
  const events = [{ type: "cancel", reason: "enough" }];
  const end = await resume(parent, journal, { model, events, redact: redact as never });
  expect([end.status, end.usage.requests, seen]).toEqual(["cancelled", 3, 3]);
  expect((await replay(parent, journal)).status).toBe("identical");
});

it("goes on without the hook that refused what a child came to, and replays so", async () => {
  const journal = memoryJournal("tree");
  const { approvals } = (await run(parent, "go", { model, journal, runId: "r" })) as {
    readonly approvals: readonly { readonly id: string }[];
  };
  const redact = (value: { readonly type: string }) => {
    if (value.type === "run.succeeded") throw new Error("no hook today");
    return value;
  };
  const yes = { [approvals[0]?.id as string]: { approve: true } };
  const end = await resume(parent, journal, { model, approvals: yes, redact: redact as never });
  expect(end.status).toBe("done");
  expect((await resume(parent, journal)).status).toBe("done");
  expect((await replay(parent, journal)).status).toBe("identical");
});
