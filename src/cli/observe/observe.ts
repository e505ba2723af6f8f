/** `reckoner observe`: queries the trace of runs: events, explanations, sessions, statistics. */

import { groupBy, visibleJson } from "../../core/kernel/values/index.js";
import type { TracedJournals } from "../../trace/live/index.js";
import {
  buildFromSession,
  type Explanation,
  explain,
  formatChain,
  formatDefect,
  formatEvents,
  formatStats,
  formatTree,
  queryEvents,
  runOfId,
  statsOf,
  type Trace,
  type TraceEventType,
  type TraceFilter,
} from "../../trace/pure/index.js";
import { isOfMany, isOver, listedRuns } from "../files/listed-runs.js";
import { usageError } from "../terminal/failure.js";
import { type Io, print, printJson, say } from "../terminal/io.js";
import { oneOf } from "../terminal/one-of.js";
import { plural } from "../terminal/plural.js";
import { inLine } from "../terminal/visible.js";
import { followEvents } from "./follow.js";
import { journalsBySession, sessionsOfRows } from "./journals-by-session.js";
import {
  idMeant,
  observe,
  observedEvents,
  observedTraces,
  reportUnread,
  tracesOf,
} from "./load-traces.js";
import { printPath } from "./print-path.js";
import { printSources, sourcesOf } from "./print-sources.js";

const FORMATS = ["terminal", "json"] as const;

/** Flags by which events are chosen. */
export interface FilterFlags {
  readonly agent?: string;
  readonly session?: string;
  readonly run?: string;
  readonly type?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit?: number;
}

/** Flags of `observe`; each command has some of them. */
export interface ObserveFlags extends FilterFlags {
  readonly format?: string;
  readonly follow?: boolean;
  readonly sources?: boolean;
  readonly path?: boolean;
}

/** Returns the filter that the flags choose; the query refuses a word that is not a type. */
function filterOf({ agent, session, run, type, from, to, limit }: FilterFlags): TraceFilter {
  const types = type?.split(",").map((each) => each.trim() as TraceEventType);
  return { agentId: agent, session, runId: run, types, from, to, limit };
}

/** Returns the runs and sessions that flags name. */
function wantedBy({ run, session }: FilterFlags): readonly string[] {
  return [run, session].filter((each) => each !== undefined);
}

const codeOf = ({ unread }: Pick<TracedJournals, "unread">) => (unread.length > 0 ? 2 : 0);

/** Prints what is JSON as one document, all else line by line. */
function put(io: Io, format: string, text: string): void {
  if (format === "json") printJson(io, JSON.parse(text));
  else print(io, text);
}

/** `observe events`. @returns the exit code */
export async function eventsCommand(io: Io, path: string, flags: ObserveFlags): Promise<number> {
  const format = oneOf("--format", flags.format, [...FORMATS, "markdown"]);
  const filter = filterOf(flags);
  const wanted = wantedBy(flags);
  if (flags.follow === true) {
    return await followEvents(io, observedTraces(io, path, wanted), filter, format);
  }
  const observed = await observedEvents(io, path, wanted, (all) => queryEvents(all, filter));
  put(io, format, formatEvents(observed.events, format));
  return codeOf(observed);
}

/** `observe explain`. @returns the exit code */
export async function explainCommand(
  io: Io,
  path: string,
  id: string,
  flags: ObserveFlags,
): Promise<number> {
  const format = oneOf("--format", flags.format, FORMATS);
  const run = runOfId(id);
  const observed = await observe(io, observedTraces(io, path, run === "" ? [] : [run]));
  const { trace } = observed;
  const explanation = explain(trace, idMeant(io, path, trace, id));
  const { event } = explanation;
  const sources = flags.sources === true ? await sourcesOf(io, path, trace, event) : undefined;
  if (format === "json") {
    printJson(io, sources === undefined ? explanation : { ...explanation, sources });
  } else {
    printExplanation(io, explanation);
    if (sources !== undefined) printSources(io, event, sources);
  }
  return codeOf(observed);
}

function printExplanation(io: Io, { chain, ledHere, followed, missing }: Explanation): void {
  print(io, formatChain({ chain }, "terminal"));
  const inChain = new Set(chain.map(({ eventId }) => eventId));
  const beside = ledHere.filter(({ id }) => !inChain.has(id));
  for (const [title, events] of [
    ["It also waited for:", beside],
    ["What followed:", followed],
  ] as const) {
    if (events.length > 0) print(io, `\n${title}\n\n${formatEvents(events, "terminal")}`);
  }
  for (const id of missing) print(io, `! it came from ${inLine(id)}, which is not in the trace`);
}

/** `observe session`. @returns the exit code */
export async function sessionCommand(
  io: Io,
  path: string,
  key: string | undefined,
  flags: ObserveFlags,
): Promise<number> {
  const format = oneOf("--format", flags.format, FORMATS);
  const sessions = await journalsBySession(io, path, key === undefined ? [] : [key]);
  if (key === undefined && sessions.length > 1) throw severalSessions(sessions.length);
  const observed = await observe(io, tracesOf(io, sessions.flat().sort()));
  const { trace } = observed;
  const session = sessionMeant(trace, key);
  const tree = buildFromSession(trace, session);
  if (tree === undefined) throw unknownSession(trace, session);
  if (flags.path === true) printPath(io, trace, session, format);
  // It may be deeper than a stack: it is printed as it is written.
  else if (format === "json")
    io.stdout.write(`${visibleJson(formatTree(session, tree, format))}\n`);
  else print(io, formatTree(session, tree, format));
  return codeOf(observed);
}

/** The session of a name, of a run, or the only one. */
function sessionMeant(trace: Trace, key: string | undefined): string {
  if (key !== undefined) return trace.runs.find(({ runId }) => runId === key)?.session ?? key;
  const sessions = sessionsOf(trace);
  if (sessions.length === 1) return sessions[0] as string;
  throw severalSessions(sessions.length);
}

function severalSessions(count: number): Error {
  return usageError(`Name a session: there are ${count}; observe status lists them.`);
}

const sessionsOf = ({ runs }: Pick<Trace, "runs">) => [
  ...new Set(runs.map(({ session }) => session)),
];

function unknownSession(trace: Trace, key: string): Error {
  const sessions = sessionsOf(trace);
  const some = sessions.slice(0, 5).join(", ");
  const more = sessions.length > 5 ? ", …" : "";
  return usageError(`There is no session ${key}; there is ${some === "" ? "none" : some}${more}.`);
}

/** `observe stats`. @returns the exit code */
export async function statsCommand(io: Io, path: string, flags: ObserveFlags): Promise<number> {
  const format = oneOf("--format", flags.format, FORMATS);
  const filter = filterOf(flags);
  // Texts are not counted: of many runs they are most of what an event holds.
  const observed = await observedEvents(io, path, wantedBy(flags), (all) =>
    queryEvents(all, filter).map((event) => ({ ...event, fields: {} })),
  );
  put(io, format, formatStats(statsOf(observed.events, flags.agent), format));
  return codeOf(observed);
}

/** `observe status`: of a journal by its trace, of many by their rows. @returns the exit code */
export async function statusCommand(io: Io, path: string, flags: ObserveFlags): Promise<number> {
  const format = oneOf("--format", flags.format, FORMATS);
  const status = isOfMany(io, path) ? await listedStatus(io, path) : await tracedStatus(io, path);
  const { runs, defects } = status;
  if (format === "json") {
    const unread = status.unread.map(({ name, error: { code, message } }) => ({
      name,
      code,
      message,
    }));
    printJson(io, { name: path, runs, unread, defects });
    return codeOf(status);
  }
  const all = runs.reduce((sum, { events }) => sum + events, 0);
  const lines = runs.map(({ runId, agentId, session, events, ended, journal = "" }) => {
    const of = session === runId ? "" : ` of session ${inLine(session)}`;
    return `  ${inLine(runId)}  ${inLine(agentId)}  ${plural(events, "event")}, ${ended ? "ended" : "open"}${of}  ${inLine(journal)}`;
  });
  const head = `${path}: ${plural(runs.length, "run")} in ${plural(sessionsOf(status).length, "session")}, ${plural(all, "event")}`;
  print(io, [head, ...lines].join("\n"));
  for (const defect of defects) say(io, formatDefect(defect));
  return codeOf(status);
}

async function tracedStatus(io: Io, path: string) {
  const { trace, unread } = await observe(io, observedTraces(io, path));
  return { runs: trace.runs, unread, defects: trace.defects };
}

/** The runs of a folder or a store by their rows; of a journal that has none the trace as far as it can be read. */
async function listedStatus(io: Io, path: string) {
  const { runs, unreadable } = await listedRuns(io, path);
  const { trace, unread } = await tracesOf(
    io,
    unreadable.map(({ journal }) => journal),
  ).read();
  const sessions = sessionsOfRows(runs);
  const rows = runs.map(({ journal, row: { runId, reasoner, startedAt, events, status } }) => ({
    runId,
    agentId: reasoner,
    session: sessions.get(runId) as string,
    startedAt,
    events,
    ended: isOver({ status }),
    journal,
  }));
  reportUnread(io, rows.length + trace.runs.length, unread);
  const byJournal = groupBy([...rows, ...trace.runs], ({ journal = "" }) => journal);
  const all = [...byJournal.keys()].sort().flatMap((journal) => byJournal.get(journal) ?? []);
  return { runs: all, unread, defects: trace.defects };
}
