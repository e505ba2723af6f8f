// A deadline of a run stands still while a child of it only waits for people, or for a model that is down: the child's
// settlement says how long, as it follows from the lines.
import { describe, expect, it } from "vitest";
import {
  type ModelPort,
  replay,
  resume,
  run,
  type Tool,
  virtualClock,
} from "../../../../src/index.js";
import { summaryOf } from "../../../../src/runtime/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { driven } from "../../../support/every-way.js";
import { approvalIn, calls, familyOf, type Member, worker } from "../../../support/family.js";
import { treeLines } from "../../../support/tree-lines.js";

const HOUR = 3_600_000;
const yes = { approve: true } as const;

/** A line of agents of which the last asks before it pays; the first has a second for its turn. */
function lineWith(depth: number, more: Partial<Member> = {}): Member {
  const pay = worker([], "pay", { needsApproval: true });
  let last: Member = {
    name: "payer",
    tools: [pay],
    says: [{ calls: [{ name: "pay" }] }, "paid"],
    ...more,
  };
  for (let level = depth - 1; level >= 0; level--) {
    const is = level === 0 ? { deadlineMs: 1_000 } : {};
    last = {
      name: `level${level}`,
      children: [last],
      says: [calls(last.name), `${level} done`],
      is,
    };
  }
  return last;
}

const waitedIn = (text: string) =>
  treeLines(text).flatMap(({ event }) =>
    event !== undefined && "waitedMs" in event ? [[event.type, event.waitedMs]] : [],
  );

describe.each([1, 2, 3])("a deadline over a line of %i", (depth) => {
  const path = Array<string>(depth).fill("tool/0/0/0");
  const id = approvalIn(path, "approval/0/0");

  async function decided() {
    const { parent, model } = familyOf(lineWith(depth));
    const clock = virtualClock(1_000);
    const journal = textJournal("");
    const waiting = await run(parent, "go", { model, clock, journal, runId: "r" });
    expect(waiting.status).toBe("waiting");
    // Nothing is due: nobody has to come back for a deadline that stands still.
    expect(waiting).not.toHaveProperty("wakeAt");
    expect(await summaryOf(journal)).toMatchObject({ status: "waiting", timers: 0 });
    await clock.advance(HOUR);
    // Whoever looks in between finds no deadline that has passed.
    expect((await resume(parent, journal, { model, clock })).status).toBe("waiting");
    const end = await resume(parent, journal, { model, clock, approvals: { [id]: yes } });
    return { parent, model, clock, journal, end };
  }

  it("stands still while a person is asked in a child", async () => {
    const { parent, journal, end } = await decided();
    expect(end).toMatchObject({ status: "done", output: "0 done" });
    expect(waitedIn(journal.text)).toEqual(Array(depth).fill(["run.succeeded", HOUR]));
    expect((await replay(parent, journal)).status).toBe("identical");
  });

  it("is put off as long where a settlement is derived after a crash", async () => {
    const { parent, model, clock, journal } = await decided();
    const lines = journal.text.split("\n").slice(0, -1);
    const first = lines.findIndex((line) => line.includes('"run.succeeded"'));
    expect(first).toBeGreaterThan(0);
    for (let cut = first; cut < lines.length; cut++) {
      const torn = textJournal(`${lines.slice(0, cut).join("\n")}\n`);
      const again = await resume(parent, torn, { model, clock });
      expect(again).toMatchObject({ status: "done", output: "0 done" });
      expect(waitedIn(torn.text)).toEqual(Array(depth).fill(["run.succeeded", HOUR]));
    }
  });
});

it("a deadline passes while a child is at work, and a person is not asked yet", async () => {
  const clock = virtualClock(1_000);
  const execute = () => clock.sleep(5_000).then(() => "at last");
  const slow = { ...worker([]), execute } as Tool;
  const { parent, model } = familyOf(
    lineWith(1, { tools: [slow], says: [{ calls: [{ name: "work" }] }, "worked"] }),
  );
  const ended = driven(clock, run(parent, "go", { model, clock }));
  expect(await ended).toMatchObject({ status: "failed", reason: "deadline" });
});

it("a deadline stands still while the model of a child is down", async () => {
  const { parent, model } = familyOf(lineWith(1, { tools: [], says: ["worked"] }));
  const clock = virtualClock(1_000);
  let isDown = true;
  const failing: ModelPort = {
    ...model,
    generate: (request, ...others) => {
      if (isDown && request.system === "payer") {
        throw Object.assign(new Error("overloaded"), { status: 529 });
      }
      return model.generate(request, ...others);
    },
  };
  const journal = textJournal("");
  const ended = run(parent, "go", { model: failing, clock, journal, runId: "r" });
  await clock.advance(60_000);
  expect((await ended).status).toBe("waiting");
  isDown = false;
  await clock.advance(HOUR);
  expect(await resume(parent, journal, { model: failing, clock })).toMatchObject({
    status: "done",
    output: "0 done",
  });
  expect(waitedIn(journal.text).map(([type]) => type)).toEqual(["llm.succeeded", "run.succeeded"]);
  expect((await replay(parent, journal)).status).toBe("identical");
});
