// The agent that reads files: run, killed while two of its tools run, resumed with a decision, and
// replayed. Each of the three is a process of its own.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readStory } from "./journal.mjs";
import { answerOf, killWhen, reckoner } from "./process.mjs";

const CONFIG = "scripts/demo/config.ts";
/** These are running when the process is killed: one that may be repeated, one that may not. */
const CAUGHT = ["read", "note"];

/** @param folder where the journal and all that is written go */
export async function filesRun(folder) {
  mkdirSync(folder, { recursive: true });
  const journal = join(folder, "journal.jsonl");
  const env = { RECKONER_DEMO_FOLDER: folder };
  const log = join(folder, "executions.log");
  const executions = () => (existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : []);
  const began = (tool) => executions().some((line) => line.startsWith(`${tool} `));

  const first = reckoner(["run", CONFIG, "--journal", journal, "--json"], {
    ...env,
    RECKONER_DEMO_HOLD: "1",
  });
  const killed = await killWhen(first, () => CAUGHT.every(began));
  const before = readStory(journal);
  const decided = before.calls
    .filter(({ state }) => state === "asked")
    .map(({ id }) => id.replace("tool/", "approval/"));

  const decisions = decided.flatMap((id) => ["--approve", id]);
  const resumed = await answerOf(["resume", journal, ...decisions, "--json"], env);
  const after = readStory(journal);

  const replayed = await answerOf(["replay", journal, "--json"], env, [0, 1]);
  return {
    reasoner: "agent",
    status: resumed.json.status,
    events: after.events,
    journal,
    resumedFrom: before.last,
    replay: replayed.json.journals[0],
    // What follows is for telling; the document leaves it out.
    // The agent has deps of its own, which stand in its input.
    question: after.input.prompt,
    answer: resumed.json.output,
    processes: { killed, resumed, replayed },
    before,
    after,
    decided,
    executions: executions(),
  };
}
