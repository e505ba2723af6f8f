/**
 * A list sorted by a graph of thoughts, on the simulated model: the tree is printed, and the picture
 * is written as SVG and as Mermaid. Run it with `npx jiti examples/thoughts/demo.ts`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { memoryJournal, replay, run } from "reckoner";
import { thoughtsPicture, toMermaid, toSvg } from "reckoner/pictures";
import { thoughtGraph } from "reckoner/thoughts";
import { simulatedModel } from "./simulated-model.js";
import { sorter, sortingCase } from "./sorting.js";

/** What the demo shows. */
export interface ThoughtsDemo {
  readonly status: string;
  readonly tree: string;
  readonly score: number | null;
  readonly solved: boolean | null;
  readonly thoughts: number;
  readonly modelCalls: number;
  /** Whether the journal gave the same run again. */
  readonly replay: string;
  /** The files that were written. */
  readonly files: readonly string[];
}

/** @param folder where the pictures are written; it is made where it is not there */
export async function thoughtsDemo(
  folder: string,
  seed = "demo",
  size = 32,
): Promise<ThoughtsDemo> {
  const reasoner = sorter("got", size);
  const journal = memoryJournal();
  const end = await run(reasoner, sortingCase(seed, size), {
    model: simulatedModel(),
    journal,
    seed,
  });
  if (end.status !== "done") throw new Error(`The run ended as ${end.status}: ${end.reason}.`);
  const { graph } = end.context;
  const { thought: best, score, solved, thoughts, modelCalls } = end.output;
  const title = `Sorting ${size} numbers by a graph of thoughts`;
  mkdirSync(folder, { recursive: true });
  const files = [join(folder, "thoughts.svg"), join(folder, "thoughts.mmd")];
  const picture = thoughtsPicture(graph, { best, better: "lower", title });
  writeFileSync(files[0] as string, toSvg(picture));
  writeFileSync(files[1] as string, toMermaid(picture));
  return {
    status: end.status,
    tree: thoughtGraph.printTree(graph, { best, fold: true }),
    score,
    solved,
    thoughts,
    modelCalls,
    replay: (await replay(reasoner, journal)).status,
    files,
  };
}

if (process.argv[1] === import.meta.filename) {
  const shown = await thoughtsDemo(process.argv[2] ?? ".demo/thoughts");
  console.log(shown.tree);
  console.log(
    `${shown.thoughts} thoughts in ${shown.modelCalls} model calls, ${shown.score} errors, ${shown.solved ? "solved" : "not solved"}; replay ${shown.replay}.\n${shown.files.join("\n")}`,
  );
}
