// A list sorted by a graph of thoughts, on the simulated model: run, replayed, and drawn. The run and
// the replay are processes of their own; the picture is folded from the journal.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { createJiti } from "jiti";
import pc from "picocolors";
import { answerOf, ROOT } from "./process.mjs";

const CONFIG = "examples/thoughts/sorting.ts";
const LIST = [
  7, 2, 9, 4, 0, 3, 8, 2, 6, 1, 5, 5, 9, 0, 4, 7, 3, 1, 8, 6, 2, 2, 7, 9, 1, 0, 5, 3, 6, 8, 4, 4,
];

/** @param folder where the journal and the pictures go */
export async function thoughtsRun(folder) {
  mkdirSync(folder, { recursive: true });
  const journal = join(folder, "journal.jsonl");
  const input = JSON.stringify({ list: LIST });
  const ran = await answerOf(["run", CONFIG, "--input", input, "--journal", journal, "--json"]);
  const replayed = await answerOf(["replay", journal, "--json"], {}, [0, 1]);

  const [reckoner, kernel, thoughts] = await Promise.all(
    ["index", "kernel", "thoughts"].map((name) => import(`../../dist/${name}.js`)),
  );
  const virtualModules = { reckoner, "reckoner/kernel": kernel, "reckoner/thoughts": thoughts };
  const jiti = createJiti(import.meta.url, { virtualModules, fsCache: false });
  const { default: config } = await jiti.import(join(ROOT, CONFIG));
  const { state } = await reckoner.fold(config.reasoner, journal);
  const { graph } = state.context;
  const best = ran.json.output.thought;
  const title = `Sorting ${LIST.length} numbers by a graph of thoughts`;
  const pictures = [join(folder, "thoughts.svg"), join(folder, "thoughts.mmd")];
  const { thoughtsPicture, toMermaid, toSvg } = await import("../../dist/pictures/index.js");
  const picture = thoughtsPicture(graph, { best, better: "lower", title });
  writeFileSync(pictures[0], toSvg(picture));
  writeFileSync(pictures[1], toMermaid(picture));
  return {
    reasoner: "thoughts",
    status: ran.json.status,
    events: ran.json.events,
    journal,
    resumedFrom: null,
    replay: replayed.json.journals[0],
    // What follows is for telling; the document leaves it out.
    output: ran.json.output,
    tree: thoughts.thoughtGraph.printTree(graph, { best, fold: true }),
    pictures,
  };
}

/** Prints the run. */
export function tellThoughts(run, print = console.log) {
  const { output, replay } = run;
  const short = (path) => relative(ROOT, path) || path;
  print(
    `\n${pc.bold("A graph of thoughts sorts a list")} ${pc.dim("(a simulated model, which errs)")}\n`,
  );
  print(`  ${LIST.join(" ")}\n`);
  for (const line of run.tree.split("\n")) print(`  ${line}`);
  print(
    `\n  ${output.thoughts} thoughts in ${output.modelCalls} model calls; the best has ${output.score} errors, and is ${output.solved ? pc.green("right") : pc.yellow("not right")}`,
  );
  print(`  replay: ${replay.status}, ${replay.events} events`);
  for (const path of [run.journal, ...run.pictures]) print(`  ${pc.dim(short(path))}`);
  print("");
}
