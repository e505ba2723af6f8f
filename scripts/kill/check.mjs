// What must hold of a run that was killed again and again, seen from outside: by its journal, and by
// the files in which its tools and its model counted themselves.
import { existsSync, readFileSync } from "node:fs";
import { replay } from "../../dist/index.js";
import { tables } from "../../dist/kernel.js";
import { IDEMPOTENT, journalFile, killable, modelFile, toolFile } from "./agent.mjs";

const read = (path) => (existsSync(path) ? readFileSync(path, "utf8") : "");
const linesOf = (path) => read(path).split("\n").slice(0, -1);

/** The content of the journal: settlements and numbers of start marks, by run id and id. */
export function journalled(folder) {
  const found = { settled: new Map(), marks: new Map(), ends: new Map(), begun: false };
  const [header, ...lines] = linesOf(journalFile(folder)).map((text) => JSON.parse(text));
  // A torn header: the run never began.
  if (header === undefined) return found;
  found.begun = true;
  const idOf = (run) => (run === undefined ? header.runId : `${header.runId}:${run}`);
  found.ends.set(header.runId, undefined);
  for (const line of lines) {
    if (line.begin !== undefined) found.ends.set(idOf(line.run), undefined);
    take(line, idOf(line.run), found);
  }
  return found;
}

function take(line, runId, { settled, marks, ends }) {
  const mark = (id) =>
    marks.set(tables.pairKey(runId, id), (marks.get(tables.pairKey(runId, id)) ?? 0) + 1);
  if (line.mark?.attempt !== undefined) mark(line.mark.id);
  if (line.event === undefined) return;
  for (const place of line.starts ?? []) mark(line.do[place].id);
  const { id } = line.event;
  if (typeof id === "string" && line.ignored === undefined)
    settled.set(tables.pairKey(runId, id), line.event);
  if (line.end !== undefined) ends.set(runId, line.end.status);
}

/** Lines counted so far. */
export function counted(folder) {
  return { tools: linesOf(toolFile(folder)), models: linesOf(modelFile(folder)) };
}

/** What a process did although it was settled, or must not be repeated, when it began. */
export function checkProcess(before, countedBefore, countedAfter) {
  const wrong = [];
  for (const line of countedAfter.tools.slice(countedBefore.tools.length)) {
    const [id, name] = line.split(" ");
    if (before.settled.has(id)) wrong.push(`${name} ${id} ran although it was settled`);
    else if (before.marks.has(id) && !IDEMPOTENT.has(name)) {
      wrong.push(`${name} ${id} ran although it had a start mark`);
    }
  }
  for (const id of countedAfter.models.slice(countedBefore.models.length)) {
    if (before.settled.has(id)) wrong.push(`${id} was asked although it was answered`);
  }
  return wrong;
}

/** What is wrong with a run that has reached its end. */
export async function checkRun(folder, shape) {
  const wrong = [];
  const { settled, marks, ends } = journalled(folder);
  const executed = new Map();
  for (const line of counted(folder).tools) {
    const [id, name] = line.split(" ");
    executed.set(id, { name, times: (executed.get(id)?.times ?? 0) + 1 });
  }
  for (const [id, { name, times }] of executed) {
    if (!IDEMPOTENT.has(name) && times > 1) wrong.push(`${name} ${id} ran ${times} times`);
    if (IDEMPOTENT.has(name) && times > (marks.get(id) ?? 0)) {
      wrong.push(`${name} ${id} ran ${times} times with ${marks.get(id) ?? 0} start marks`);
    }
    if (!settled.has(id)) wrong.push(`${name} ${id} ran and was never settled`);
  }
  for (const [id, event] of settled) {
    const ran = executed.get(id);
    if (event.type === "tool.succeeded" && ran === undefined) {
      wrong.push(`${id} succeeded and never ran`);
    }
  }
  for (const [runId, end] of ends) if (end !== "done") wrong.push(`the run ${runId} ended ${end}`);
  for (const [id, { type, runId }] of settled) {
    if (type.startsWith("run.") && !ends.has(runId)) wrong.push(`the child of ${id} has no lines`);
  }
  const { agent } = killable(folder, shape);
  const report = await replay(agent, journalFile(folder));
  if (report.status !== "identical") wrong.push(`it replays ${JSON.stringify(report)}`);
  return {
    wrong,
    unknown: [...settled.values()].filter(({ reason }) => reason === "unknown").length,
  };
}
