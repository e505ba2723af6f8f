// The reasoner of one's own: the example as it prints, and its two ways to end.
import { memoryJournal, replay, run, scriptedModel } from "reckoner";
import { expect, test, vi } from "vitest";

test("the example asks once more, answers and replays", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const { asker } = await import("../../examples/two-states.js");
  const said = log.mock.calls.map(([text]) => text);
  log.mockRestore();
  expect(said).toEqual(["done after 3 events: About eleven kilometres.", "identical"]);

  const journal = memoryJournal();
  const model = scriptedModel(() => ({ error: { message: "overloaded" } }));
  const end = await run(asker, "How deep?", { model, journal });
  expect(end).toMatchObject({ status: "failed", reason: "gaveUp", events: 3 });
  expect((await replay(asker, journal)).status).toBe("identical");
});
