// An agent plans with a decision graph in DuckDB. It is killed between two writes, goes on without
// writing any twice, and thinks better of a decision; a second run begins where the first left off.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import pc from "picocolors";
import { answerOf, killWhen, ROOT, reckoner } from "./process.mjs";

const CONFIG = "scripts/demo/plan.ts";
/** The write behind which the process is killed. */
const CAUGHT = 3;

/** @param folder where the journals, the graph and its picture go */
export async function decisionsRun(folder) {
  mkdirSync(folder, { recursive: true });
  const journal = join(folder, "journal.jsonl");
  const second = join(folder, "second.jsonl");
  const path = join(folder, "plan.duckdb");
  const log = join(folder, "writes.log");
  const writes = () => (existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : []);
  const env = { RECKONER_DEMO_FOLDER: folder, RECKONER_DEMO_RUN: "one" };

  const first = reckoner(["run", CONFIG, "--journal", journal, "--json"], {
    ...env,
    RECKONER_DEMO_HOLD: "1",
  });
  const killed = await killWhen(first, () => writes().length >= CAUGHT);
  const resumedFrom = lastEvent(journal);
  const before = await graphIn(path);
  const resumed = await answerOf(["resume", journal, "--json"], env);
  const between = await graphIn(path);
  const again = { ...env, RECKONER_DEMO_RUN: "two" };
  const ran = await answerOf(["run", CONFIG, "--journal", second, "--json"], again);
  const replays = (await answerOf(["replay", journal, second, "--json"], {}, [0, 1])).json.journals;
  const picture = join(folder, "decisions.svg");
  const drawing = reckoner(["graph", path, "--view", "decisions", "--out", picture]);
  const drawn = await drawing.ended;
  if (drawn.code !== 0) throw new Error(drawn.stderr);
  const { seq, nodes } = await graphIn(path);
  return {
    reasoner: "planner",
    status: ran.json.status === "done" ? resumed.json.status : ran.json.status,
    events: resumed.json.events,
    journal,
    resumedFrom,
    replay: replays.find(({ status }) => status !== "identical") ?? replays[0],
    // What follows is for telling; the document leaves it out.
    processes: { killed, resumed, ran },
    answers: [resumed.json.output, ran.json.output],
    graphs: [before.nodes, between.nodes, nodes],
    changes: seq,
    writes: writes(),
    files: [path, journal, second, picture],
  };
}

function lastEvent(journal) {
  const lines = readFileSync(journal, "utf8").split("\n").slice(0, -1);
  return Math.max(...lines.map((line) => JSON.parse(line).seq ?? 0));
}

async function graphIn(path) {
  const { duckdbDecisions } = await import("../../dist/decisions/stores/duckdb/index.js");
  const { Decisions } = await import("../../dist/decisions.js");
  const store = duckdbDecisions({ path, propertyGraph: false });
  const graph = new Decisions(store);
  const { nodes } = await graph.nodes();
  const { seq } = await graph.stats();
  await store.close();
  return { seq, nodes };
}

/** Prints the run. */
export function tellDecisions(run, print = console.log) {
  const { processes, graphs, writes, changes, answers, replay } = run;
  const short = (path) => relative(ROOT, path) || path;
  const list = (nodes) => {
    for (const node of nodes) print(`  ${lineOf(node)}`);
  };
  const title = (text, about) => print(`\n${pc.bold(text)} ${pc.dim(about)}\n`);
  title("An agent plans with a decision graph", "(DuckDB; a scripted model)");
  print(`  ${pc.italic("Plan and implement user authentication.")}`);
  title("The first process", `(${processes.killed.pid}: killed between two writes)`);
  list(graphs[0]);
  print(`  ${pc.red("SIGKILL")} behind write ${CAUGHT}, of which the journal had not heard yet`);
  title("The second process", `(${processes.resumed.pid}: reckoner resume)`);
  list(graphs[1]);
  print(`  ${pc.italic(answers[0])}`);
  title("A second run", `(${processes.ran.pid}: it sees where the first left off)`);
  list(graphs[2]);
  print(`  ${pc.italic(answers[1])}`);
  print(
    `\n  ${writes.length} writes were carried out and ${changes} hold: the one that was interrupted was repeated under its key`,
  );
  print(`  replay: ${replay.status}, without a store`);
  for (const path of run.files) print(`  ${pc.dim(short(path))}`);
  print("");
}

/** A line for a node with its colours: goals stand out, what no longer holds steps back. */
function lineOf({ type, status, label }) {
  const line = `${type.padEnd(9)} ${status.padEnd(10)} ${label}`;
  if (status === "superseded" || status === "rejected") return pc.dim(line);
  return type === "goal" ? pc.bold(line) : line;
}
