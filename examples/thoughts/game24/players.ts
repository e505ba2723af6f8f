/**
 * The Game of 24 by seven methods, as reasoners: one answer, votes of many, a tree breadth first (a
 * plan), depth first and Monte-Carlo tree search (policies of one's own). A configuration for the
 * command line: `METHOD=dfs npx --no reckoner run examples/thoughts/game24/players.ts --input '{"numbers":
 * [4, 5, 6, 10]}'`.
 */
import { defineConfig } from "reckoner";
import {
  keepBest,
  type OperationSpec,
  plan,
  plans,
  select,
  type Thoughts,
  type ThoughtsPolicy,
  thoughts,
} from "reckoner/thoughts";
import { numberOf } from "./arithmetic.js";
import { depthFirst } from "./depth-first.js";
import { simulatedPlayer } from "./simulated-player.js";
import { check, finish, type Game, isSolved, isWhole, judge, leftOf, propose } from "./task.js";
import { treeSearch } from "./tree-search.js";

/** Breadth first: three steps, each from the best of the last. */
function breadthFirst(beam: number, branches: number): ThoughtsPolicy<Game> {
  const level = (step: number): OperationSpec<Game>[] => [
    propose(branches),
    { ...judge(), id: `judged-${step}` },
    keepBest({ id: `kept-${step}`, n: beam }),
  ];
  return plan<Game>(
    [
      ...level(1),
      ...level(2),
      propose(branches),
      select({ where: (all) => sorted(all.filter(isWhole), isSolved).slice(0, 1) }),
      check(),
    ],
    { name: "breadth first" },
  );
}

function sorted<T>(all: readonly T[], first: (each: T) => boolean): T[] {
  return [...all].sort((a, b) => Number(first(b)) - Number(first(a)));
}

/** Many answers to the end, and the first that is right. */
const bestOf = (responses: number): ThoughtsPolicy<Game> =>
  plan<Game>(
    [finish(responses), select({ where: (all) => sorted(all, isSolved).slice(0, 1) }), check()],
    { name: "best of many" },
  );

const policies = {
  io: () => plan<Game>([finish(), check()], { name: "io" }),
  vote: () => plans.selfConsistency<Game>({ solve: finish(), truth: isSolved }, { samples: 20 }),
  best: () => bestOf(20),
  bfs: () => breadthFirst(5, 5),
  dfs: () =>
    depthFirst<Game>({
      expand: propose(),
      judge: judge(),
      check: check(),
      isSolved,
      isLeaf: isWhole,
      prune: 5,
    }),
  mcts: () =>
    treeSearch<Game>({
      expand: propose(),
      playout: finish(),
      check: check(),
      isSolved,
      isLeaf: isWhole,
      reward: ({ state }) => 1 / (1 + Math.abs(24 - numberOf(leftOf(state)[0] ?? "0"))),
      width: 3,
      exploration: Math.SQRT1_2,
    }),
};

/** How the game is played. */
export type Play = keyof typeof policies;
/** All of them. */
export const plays = Object.keys(policies) as Play[];

/** A player; with a budget of calls it gives up where it is met. */
export function player(play: Play, modelCalls?: number): Thoughts<Game> {
  return thoughts<Game>({
    name: `game24-${play}`,
    policy: policies[play](),
    whole: isWhole,
    ...(modelCalls === undefined ? {} : { modelCalls }),
  });
}

const asked = process.env.METHOD ?? "dfs";

export default defineConfig({
  reasoner: player(plays.find((play) => play === asked) ?? "dfs", 60),
  input: { numbers: [4, 5, 6, 10] },
  model: simulatedPlayer(),
  options: { seed: "an example" },
});
