// The Game of 24: its arithmetic, its searches (depth first, Monte-Carlo tree search and others) on a
// simulated player, and the figures that the bench gives.
import { spawnSync } from "node:child_process";
import { memoryJournal, replay, run } from "reckoner";
import { type Thought, type ThoughtGraph, thoughtGraph } from "reckoner/thoughts";
import { describe, expect, it } from "vitest";
import {
  compute,
  movesFrom,
  numberOf,
  puzzle,
  reaches24,
} from "../../examples/thoughts/game24/arithmetic.js";
import { type Play, player, plays } from "../../examples/thoughts/game24/players.js";
import { simulatedPlayer } from "../../examples/thoughts/game24/simulated-player.js";
import { type Game, isSolved, leftOf, takeAll } from "../../examples/thoughts/game24/task.js";

const perfect = { insight: 1, slips: 0, judgement: 1 };

describe("the arithmetic", () => {
  it("is exact", () => {
    expect(compute("8", "/", "6")).toBe("4/3");
    expect(compute("4/3", "-", "4/3")).toBe("0");
    expect(compute("1", "/", "0")).toBeUndefined();
    expect(compute("2", "-", "8/3")).toBe("-2/3");
    expect(compute("-2/3", "/", "-1/3")).toBe("2");
    expect(compute("1", "^", "2")).toBeUndefined();
    expect(numberOf("8/3")).toBeCloseTo(2.667, 3);
  });
  it("knows what can be reached", () => {
    expect(reaches24(["3", "3", "8", "8"])).toBe(true);
    expect(reaches24(["1", "1", "1", "1"])).toBe(false);
    expect(movesFrom(["2", "3"]).map(({ text }) => text)).toEqual([
      "2 + 3 = 5",
      "2 - 3 = -1",
      "2 * 3 = 6",
      "2 / 3 = 2/3",
      "3 - 2 = 1",
      "3 / 2 = 3/2",
    ]);
    for (let i = 0; i < 20; i++) expect(reaches24(puzzle(`${i}`).map(String))).toBe(true);
  });
  it("takes no step that is computed wrongly, or with a number that is not there", () => {
    const game = { numbers: [4, 8, 6, 6] };
    expect(takeAll(game, ["4 + 8 = 12", "6 / 6 = 1"])).toMatchObject({ left: ["12", "1"] });
    expect(takeAll(game, ["4 + 8 = 13"])).toBeUndefined();
    expect(takeAll(game, ["4 + 4 = 8"])).toBeUndefined();
    expect(takeAll(game, ["twelve"])).toBeUndefined();
  });
});

const played = async (play: Play, seed: string, skill: object = {}, calls = 60) => {
  const journal = memoryJournal();
  const reasoner = player(play, calls);
  const model = simulatedPlayer(skill);
  const end = await run(reasoner, { numbers: puzzle(seed) }, { model, journal, seed });
  return { end, journal, reasoner };
};

describe.each(plays)("%s", (play) => {
  it("solves every puzzle with a player that never errs", async () => {
    for (const seed of ["1", "2", "3", "4", "5"]) {
      const { end } = await played(play, seed, perfect);
      expect(end).toMatchObject({ status: "done", output: { reason: "success", solved: true } });
      if (end.status === "done") expect(isSolved(end.output as { state: Game })).toBe(true);
    }
  });

  it("gives up at its budget, and replays identical", async () => {
    const { end, journal, reasoner } = await played(play, "7", { insight: 0, judgement: 0 }, 12);
    expect(end.context.modelCalls).toBeLessThanOrEqual(12);
    expect((await replay(reasoner, journal)).status).toBe("identical");
    // What is said to be solved is.
    if (end.status === "done" && end.output.solved === true) {
      expect(leftOf(end.output.state)).toEqual(["24"]);
    }
  });
});

describe("depth first", () => {
  it("goes deeper where it is promising, prunes, and goes back up where nothing is left", async () => {
    let backtracked = 0;
    for (let seed = 1; seed <= 12; seed++) {
      const { end } = await played("dfs", `${seed}`);
      const { graph } = end.context;
      const expanded = thoughtGraph
        .listThoughts(graph)
        .filter(({ id }) => thoughtGraph.children(graph, id).length > 0);
      // What was pruned was not expanded.
      for (const { id, score } of expanded) {
        if (id !== "root") expect(score).toBeGreaterThanOrEqual(5);
      }
      const order = [...expanded].sort((a, b) => numberIn(graph, a) - numberIn(graph, b));
      const isBelow = (thought: Thought<Game>, i: number) =>
        i === 0 || thoughtGraph.parents(graph, thought.id)[0]?.id === order[i - 1]?.id;
      if (!order.every(isBelow)) backtracked += 1;
    }
    expect(backtracked).toBeGreaterThan(0);
  });
});

/** The number of the operation that expanded a thought. */
function numberIn(graph: ThoughtGraph<Game>, { id }: Thought<Game>): number {
  const [child] = thoughtGraph.children(graph, id);
  return Number(child?.operation?.split(".")[1]);
}

describe("Monte-Carlo tree search", () => {
  it("plays several thoughts to the end side by side, and looks more where more came of it", async () => {
    const { end } = await played("mcts", "3", { insight: 0.3, slips: 0 });
    const playouts = new Map<string, number>();
    const { graph } = end.context;
    for (const thought of thoughtGraph.listThoughts(graph)) {
      if (thought.operation?.startsWith("playout") !== true) continue;
      const [top] = thoughtGraph.tracePath(graph, thought.id).slice(1);
      playouts.set(top?.id ?? "", (playouts.get(top?.id ?? "") ?? 0) + 1);
    }
    expect(playouts.size).toBeGreaterThanOrEqual(3);
  });
});

it("the bench gives solved puzzles and calls for every search, the same at every run", () => {
  const bench = () => {
    const words = ["bench/game24.mjs", "--json", "--puzzles", "10"];
    const { stdout, status } = spawnSync(process.execPath, words, { encoding: "utf8" });
    expect(status).toBe(0);
    return JSON.parse(stdout).results as { method: string; solved: number; calls: number }[];
  };
  const results = bench();
  expect(results.map(({ method }) => method)).toEqual(plays);
  for (const { solved, calls } of results) {
    expect(solved).toBeLessThanOrEqual(10);
    expect(calls).toBeLessThanOrEqual(60);
  }
  expect(bench()).toEqual(results);
});
