// Many runs whose answers are there at once leave the event loop to others in between.
import { expect, it } from "vitest";
import { agent } from "../../../../src/index.js";
import { memoryJournal, run, scriptedModel, virtualClock } from "../../../../src/runtime/index.js";

const MANY = 200;
const child = agent({ name: "child", system: "child" });

/** How often the event loop turns while something is done. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const look = () => {
    turns += 1;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  return turns;
}

it("hundreds of runs at once let the event loop turn, a few dozen steps apart", async () => {
  const turns = await turnsOf(() =>
    Promise.all(
      Array.from({ length: MANY }, () =>
        run(child, "go", { model: scriptedModel(() => "done"), journal: memoryJournal() }),
      ),
    ),
  );
  expect(turns).toBeGreaterThan(MANY / 64);
});

it("runs on a clock of their own go on at once: whoever moves it on does not see them wait", async () => {
  const clock = virtualClock();
  const turns = await turnsOf(() =>
    Promise.all(
      Array.from({ length: MANY }, () =>
        run(child, "go", { model: scriptedModel(() => "done"), journal: memoryJournal(), clock }),
      ),
    ),
  );
  expect(turns).toBe(0);
});
