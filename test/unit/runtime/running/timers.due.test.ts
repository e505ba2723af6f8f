// A timer whose time has passed fires, also where the run would otherwise wait for a person.
import { expect, it } from "vitest";
import { memoryJournal, resume, run, virtualClock } from "../../../../src/index.js";
import { familyOf, worker } from "../../../support/family.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";

for (const timers of ["sleep", "return"] as const) {
  it(`a run that is resumed after its timer's moment goes on at it, though it waits for a person (${timers})`, async () => {
    const machine = smallReasoner({
      initial: "a",
      states: {
        a: {
          entry: issue(
            { type: "approval", id: "one", title: "one", subject: null },
            { type: "timer", id: "t", until: 1_500 },
          ),
          on: { "timer.fired": { target: "b", actions: issue({ type: "cancel", target: "one" }) } },
        },
        b: { type: "final" },
      },
    });
    const journal = memoryJournal();
    const waiting = await run(machine, null, { timers, journal, clock: virtualClock(500) });
    expect(waiting).toMatchObject({ status: "waiting", wakeAt: 1_500 });
    const before = await resume(machine, journal, { timers, clock: virtualClock(1_499) });
    expect(before.status).toBe("waiting");
    const late = await resume(machine, journal, { timers, clock: virtualClock(1_500) });
    expect(late).toMatchObject({ status: "done", reason: "b" });
  });
}

it("a timer that is due when it is set fires, though the run waits for a person and sleeps for none", async () => {
  const machine = smallReasoner({
    initial: "a",
    states: {
      a: {
        entry: issue(
          { type: "approval", id: "one", title: "one", subject: null },
          { type: "timer", id: "t", until: 500 },
        ),
        on: { "timer.fired": "b" },
      },
      b: { type: "final" },
    },
  });
  const end = await run(machine, null, { clock: virtualClock(500), timers: "return" });
  expect(end.status).toBe("done");
});

it("a parent whose child waits for a person waits, and does not sleep until its own deadline", async () => {
  const pay = worker([], "pay", { needsApproval: true });
  const { parent, model } = familyOf({
    name: "boss",
    is: { deadlineMs: 60_000 },
    says: [{ calls: [{ name: "payer", input: { prompt: "go" } }] }],
    children: [{ name: "payer", tools: [pay], says: [{ calls: [{ name: "pay" }] }] }],
  });
  const end = await run(parent, "go", { model, clock: virtualClock(0), journal: memoryJournal() });
  expect(end).toMatchObject({ status: "waiting", approvals: [{}] });
  // The deadline stands still: nobody has to come back for it.
  expect("wakeAt" in end || "output" in end).toBe(false);
});
