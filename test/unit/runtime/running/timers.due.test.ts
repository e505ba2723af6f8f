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
import { worker } from "../../../support/family.js";

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
