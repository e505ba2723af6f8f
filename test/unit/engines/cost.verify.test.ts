// A turn of a long run on Restate reads few texts, not one for each turn since its snapshot: each is an entry of its journal.
import { expect, it } from "vitest";
import { searches, searching } from "../../engines/searching.js";
import { onFake, textOf } from "../../support/on-fake-restate.js";

it("a turn of a run of two hundred events reads few texts, the rows of its snapshot included", async () => {
  const world = onFake({ reasoners: [searching], model: searches(100) });
  await world.verbs.start({ input: "Look." });
  await world.over();
  const turns = world.server.invocations.filter(({ method }) => method === "take");
  const reads = turns
    .map(({ journal }) => journal.filter(({ type }) => type.startsWith("get ")).length)
    .filter((read) => read > 0);
  const most = (from: number, to: number) => Math.max(...reads.slice(from, to));
  expect(reads.length).toBeGreaterThan(190);
  expect(most(0, 40)).toBeLessThan(20);
  expect(most(100, 200)).toBeLessThan(35);
});

it("an attempt that is larger than a message fails once, and is not sent", async () => {
  const world = onFake();
  const long = "x".repeat(4_500_000);
  await world.verbs.start({ input: { prompt: "Hello." } });
  const untilReady = () =>
    world.until(async () => (await world.server.run("r1").row()).status === "ready");
  for (let n = 0; n < 7; n++) {
    await untilReady();
    expect(await world.verbs.message(long)).toMatchObject({ outcome: "taken" });
  }
  await untilReady();
  expect(await textOf(world.verbs)).toContain("event.tooLarge");
  expect(world.server.mismatches).toEqual([]);
});
