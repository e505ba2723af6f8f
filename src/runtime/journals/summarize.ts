/**
 * The status of a run, its input, progress, and what it waits for, from the lines of its journal alone:
 * no code is needed.
 */
import {
  type DownError,
  isEventLine,
  isHeaderLine,
  type LineFold,
  OwedTree,
} from "../../core/journal/index.js";
import {
  cutText,
  type Description,
  isJsonObject,
  type Json,
  type JsonObject,
  type TurnFailure,
  type Usage,
} from "../../core/kernel/index.js";
import type { JournalPort } from "../ports.js";
import { viewOf } from "./view.js";

/** An approval that waits for a person. */
export interface OpenApproval {
  /** As `resume` takes it. */
  readonly id: string;
  readonly title: string;
  /** The subject of the decision: of a tool call `{ tool, input }`. */
  readonly subject?: Json;
  /** When it was asked for, in milliseconds since 1970. */
  readonly since?: number;
}

/** A run in short. */
export interface RunSummary {
  readonly journal: string;
  readonly runId: string;
  readonly reasoner: string;
  readonly version: number;
  /**
   * `waiting`: for the `approvals`, `timers` and `children` listed, or for a model that is down; `resting`:
   * nothing is outstanding, and it waits for a message or another event; `open`: something is running, or was
   * when its process died; otherwise how it ended.
   */
  readonly status: "waiting" | "resting" | "open" | "done" | "failed" | "cancelled";
  /** As its reasoner describes it; else the first user message, if it is a string. At most 200 characters. */
  readonly title?: string;
  /** Its last words, or its output so far, where that is a text; at most 200 characters. */
  readonly words?: string;
  /** The data that its reasoner says may be seen: of an agent its `publicDeps`. */
  readonly data?: JsonObject;
  /** Milliseconds since 1970: when it began, and its last event. */
  readonly startedAt: number;
  readonly lastAt: number;
  /** The number of events of the run and its children, those that a fork shares included. */
  readonly events: number;
  /** The approvals that wait, its children's included. */
  readonly approvals: readonly OpenApproval[];
  /** The number of timers that it and its children wait for. */
  readonly timers: number;
  /** The child runs that it waits for, by their paths. */
  readonly children: readonly string[];
  /** The error of a model that is down: it is asked again when the run is resumed. */
  readonly modelDown?: DownError;
  /** The run rests after a turn that failed: why, and for which model request. */
  readonly failure?: TurnFailure;
  /** The usage of it and its children so far, without money. */
  readonly usage: Usage;
  /** Bytes after the last newline: an interrupted write. */
  readonly torn?: number;
}

const MAX_TITLE = 200;

/** @throws ReckonerError as `summaryOf` does */
export async function summarize(port: JournalPort): Promise<RunSummary> {
  const view = viewOf(port);
  const header = await view.header();
  const owed = new OwedTree();
  let title: string | undefined;
  let says: Description = {};
  let ended: RunSummary["status"] | undefined;
  let last = { seq: -1, at: header.at };
  const told: LineFold = {
    take({ line }) {
      if (isHeaderLine(line)) title ??= titleOf(line.input);
      if (!isEventLine(line)) return;
      last = { seq: line.seq, at: line.event.at };
      if (line.run !== undefined) return;
      ended = line.end?.status ?? ended;
      says = line.says ?? says;
    },
  };
  const torn = await view.readTree(owed, told);
  // Behind the end of a run nothing of its children waits for anybody, also where their cancels were torn off.
  const open = ended === undefined ? [...owed.owed] : [];
  const of = (wanted: string) => open.filter(([, { type }]) => type === wanted);
  const [approvals, timers, children] = [of("approval"), of("timer"), of("run")];
  const down = open.flatMap(([, { failed }]) => failed?.down ?? []);
  title = says.title ?? title;
  const { words, data, failure } = says;
  const waits = approvals.length + timers.length + children.length + down.length;
  return {
    journal: port.name,
    runId: header.runId,
    reasoner: header.reasoner.id,
    version: header.reasoner.version,
    status: ended ?? statusOf(last.seq, open.length, waits),
    ...(title === undefined ? {} : { title }),
    ...(words === undefined ? {} : { words }),
    ...(data === undefined ? {} : { data }),
    startedAt: header.at,
    lastAt: last.at,
    events: last.seq + 1,
    approvals: approvals.map(([id, { name, asked }]) => ({ id, title: name ?? id, ...asked })),
    timers: timers.length,
    children: children.map(([id]) => id),
    ...(down[0] === undefined ? {} : { modelDown: down[0] }),
    ...(failure === undefined ? {} : { failure }),
    usage: owed.spent,
    ...(torn === 0 ? {} : { torn }),
  };
}

function statusOf(seq: number, open: number, waits: number): RunSummary["status"] {
  // A process that died before the start was written has everything before it.
  if (seq < 0 || open > waits) return "open";
  return open === 0 ? "resting" : "waiting";
}

/** What a person would call the run: the prompt, the first message, or an input that is a string. */
function titleOf(input: Json): string | undefined {
  const { prompt, messages } = fieldsOf(input);
  const first = Array.isArray(messages) ? fieldsOf(messages[0] as Json).content : undefined;
  const text = [input, prompt, first].find((each) => typeof each === "string") as
    | string
    | undefined;
  return text === undefined ? undefined : cutText(text, MAX_TITLE);
}

function fieldsOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
