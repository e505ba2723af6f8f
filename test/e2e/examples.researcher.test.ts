// The example that delegates: it waits for an approval of its child, goes on with it, and replays.
import { memoryJournal, replay, resume, run } from "reckoner";
import { describe, expect, test } from "vitest";
import { library, question, researcher, scriptedFamily } from "../../examples/researcher.js";

const PUBLISH = "tool/1/0/0:approval/0/0";

async function waitingRun() {
  const journal = memoryJournal();
  const services = library();
  const world = { model: scriptedFamily(), services };
  const waiting = await run(researcher, question, { ...world, journal });
  if (waiting.status !== "waiting") throw new Error(waiting.status);
  return { journal, services, world, waiting };
}

describe("the researcher", () => {
  test("asks two at once, waits for its writer, and goes on with the decision", async () => {
    const { journal, services, world, waiting } = await waitingRun();
    expect(waiting.approvals).toMatchObject([{ id: PUBLISH, subject: { tool: "publish" } }]);
    expect(services.published.size).toBe(0);
    const approvals = { [PUBLISH]: { approve: true } };
    const end = await resume(researcher, journal, { ...world, approvals });
    if (end.status !== "done") throw new Error(end.reason);
    expect(end.output).toMatch(/^The Mariana Trench .* Mount Everest .* It is published\.$/);
    expect([...services.published]).toEqual([
      ["Depth and height", expect.stringMatching(/^The Mariana Trench .*\nMount Everest .*/)],
    ]);
    // Three of its own, two of each child.
    expect(end.context.usage.requests).toBe(9);
    expect((await replay(researcher, journal)).status).toBe("identical");
  });

  test("says so where the writer may not publish", async () => {
    const { journal, services, world } = await waitingRun();
    const approvals = { [PUBLISH]: { approve: false, reason: "too short" } };
    const end = await resume(researcher, journal, { ...world, approvals });
    if (end.status !== "done") throw new Error(end.reason);
    expect(end.output).toContain("It was not published.");
    expect(services.published.size).toBe(0);
  });
});
