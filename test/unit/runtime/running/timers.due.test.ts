// A timer whose time has passed fires, also where the run would otherwise rest for a person.
import { expect, it } from "vitest";
import {
  agent,
  memoryJournal,
  resume,
  run,
  scriptedModel,
  virtualClock,
} from "../../../../src/index.js";
import { familyOf, worker } from "../../../support/family.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";

for (const timers of ["sleep", "rest"] as const) {
  it(`a run that is resumed after its deadline ends at it, though it waits for a person (${timers})`, async () => {
    const tools = [worker([], "pay", { needsApproval: true })];
    const one = agent({ name: "a", tools, deadlineMs: 1_000 });
    const model = scriptedModel([{ calls: [{ name: "pay" }] }]);
    const journal = memoryJournal();
    const host = { model, timers };
    const rest = await run(one, "go", { ...host, journal, clock: virtualClock(500) });
    expect(rest).toMatchObject({ status: "waiting", wakeAt: 1_500 });
    const before = await resume(one, journal, { ...host, clock: virtualClock(1_499) });
    expect(before.status).toBe("waiting");
    const late = await resume(one, journal, { ...host, clock: virtualClock(1_500) });
    expect(late).toMatchObject({ status: "failed", reason: "deadline" });
  });
}

it("a timer that is due when it is set fires, though the run rests for a person and sleeps for none", async () => {
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
  const end = await run(machine, null, { clock: virtualClock(500), timers: "rest" });
  expect(end.status).toBe("done");
});

it("a parent whose child waits for a person rests, and does not sleep until its own deadline", async () => {
  const pay = worker([], "pay", { needsApproval: true });
  const { parent, model } = familyOf({
    name: "boss",
    is: { deadlineMs: 60_000 },
    says: [{ calls: [{ name: "payer", input: { prompt: "go" } }] }],
    children: [{ name: "payer", tools: [pay], says: [{ calls: [{ name: "pay" }] }] }],
  });
  const end = await run(parent, "go", { model, clock: virtualClock(0), journal: memoryJournal() });
  expect(end).toMatchObject({ status: "waiting", wakeAt: 60_000, approvals: [{}] });
  expect("output" in end).toBe(false);
});
