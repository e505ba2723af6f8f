/**
 * Prints how a run has ended, or what it waits for and how to go on with it, as text or JSON, and returns the
 * exit code of `run` and `resume`.
 */

import {
  isList,
  type Json,
  TABLE_KEY,
  type Table,
  tableValues,
  toArray,
  VECTOR_KEY,
  type Vector,
  vectorItems,
} from "../../core/kernel/values/index.js";
import type { ApprovalDirective } from "../../core/kernel/vocabulary/index.js";
import type { End } from "../../runtime/index.js";
import { isoTime } from "../../trace/pure/index.js";
import { exitCodes } from "./exit-codes.js";
import { type Io, print, printJson, printRaw, say } from "./io.js";
import { plural } from "./plural.js";

/** The journal and config that the commands which would go on with the run have to name. */
export interface Continuation {
  /** Path of the journal; absent where the run is in memory, and nobody can go on with it. */
  readonly journal?: string;
  /** The config, where the journal's own hint will not do. */
  readonly config?: string;
  readonly model?: string;
}

/** Prints the end of a run. @returns the exit code */
export function printEnd(io: Io, end: End, next: Continuation, json: boolean): number {
  if (json) printJson(io, documentOf(end, next));
  else printForPeople(io, end, next);
  return end.status === "done"
    ? exitCodes.ok
    : end.status === "waiting"
      ? exitCodes.waiting
      : exitCodes.failed;
}

function documentOf(end: End, { journal }: Continuation): object {
  const { status, reason, finishReason, runId, events } = end;
  const { usage } = (end.context ?? {}) as { readonly usage?: Json };
  return {
    status,
    reason,
    ...(finishReason === undefined ? {} : { finishReason }),
    runId,
    ...(end.status === "done" ? { output: end.output ?? null } : {}),
    ...(end.status === "waiting" && end.output !== undefined ? { output: end.output } : {}),
    ...(end.status === "failed" ? { error: end.error } : {}),
    ...(end.status === "waiting" ? { approvals: end.approvals } : {}),
    ...(end.status === "waiting" && end.failure !== undefined ? { failure: end.failure } : {}),
    ...(end.status === "waiting" && end.modelDown !== undefined
      ? { modelDown: end.modelDown }
      : {}),
    ...(end.status === "waiting" && end.wakeAt !== undefined ? { wakeAt: end.wakeAt } : {}),
    ...(usage === undefined ? {} : { usage }),
    events,
    journal: journal ?? null,
  };
}

function printForPeople(io: Io, end: End, next: Continuation): void {
  say(io, summaryOf(end, next));
  switch (end.status) {
    case "done":
      if (end.output !== undefined) printRaw(io, readable(end.output as Json));
      break;
    case "waiting":
      printWaiting(io, end, next);
      break;
    case "failed":
      say(io, `reckoner: the run failed: ${end.error.message} [${end.error.code}]`);
      break;
    case "cancelled":
      break;
    default:
      throw new Error(`No end for ${JSON.stringify(end satisfies never)}`);
  }
}

function summaryOf(end: End, { journal }: Continuation): string {
  const { usage } = (end.context ?? {}) as { readonly usage?: Record<string, number> };
  const spent =
    usage?.requests === undefined
      ? ""
      : `, ${plural(usage.requests, "model call")}, ${plural(usage.totalTokens ?? 0, "token")}`;
  const where = journal === undefined ? "" : `; journal ${journal}`;
  return `${end.status} (${end.reason}): ${plural(end.events, "event")}${spent}${where}`;
}

function printWaiting(io: Io, end: Extract<End, { status: "waiting" }>, next: Continuation): void {
  // Of a conversation that waits for a message, what was said last is what it came to.
  if (end.output !== undefined && end.approvals.length === 0) {
    printRaw(io, readable(end.output as Json));
  }
  if (end.failure !== undefined) {
    say(io, `reckoner: the turn failed: ${end.failure.message} [${end.failure.code}]`);
  }
  if (end.modelDown !== undefined) {
    const { code, message } = end.modelDown;
    say(io, `reckoner: the model is down: ${message} [${code}]`);
  }
  for (const approval of end.approvals) {
    print(io, `waits for ${approval.id}: ${approval.title}\n  ${JSON.stringify(approval.subject)}`);
    if (approval.ask !== undefined) print(io, `  asks for ${JSON.stringify(approval.ask)}`);
    for (const line of waysToDecide(approval, next)) print(io, `  ${line}`);
  }
  if (end.wakeAt !== undefined) print(io, `waits until ${isoTime(end.wakeAt)}`);
  // Of a person's decision the ways were said; a message is for whoever waits for nothing else.
  const isTimed = end.wakeAt !== undefined && end.approvals.length === 0;
  const goesOnAlone = end.drained === true || end.modelDown !== undefined;
  if (end.drained === true) print(io, "was left to another process");
  else if (!goesOnAlone && !isTimed && end.approvals.length === 0) print(io, "waits for a message");
  if (next.journal === undefined)
    say(io, "The run was in memory; with --journal FILE it can be resumed.");
  else if (goesOnAlone || isTimed) print(io, `  ${resumeCommand(next)}`);
  else if (end.approvals.length === 0) print(io, `  ${resumeCommand(next)} --message TEXT`);
}

function waysToDecide({ id, ask }: ApprovalDirective, next: Continuation): string[] {
  if (next.journal === undefined) return [];
  const command = resumeCommand(next);
  const reject = `${command} --reject ${quoted(id)}`;
  if (ask !== undefined) return [`${command} --answer ${quoted(`${id}=JSON`)}`, reject];
  const edit = `${command} --edit ${quoted(`${id}=JSON`)}`;
  return [`${command} --approve ${quoted(id)}`, reject, edit];
}

function resumeCommand({ journal = "", config, model }: Continuation): string {
  const flags = [
    ...(config === undefined ? [] : ["--config", quoted(config)]),
    ...(model === undefined ? [] : ["--model", quoted(model)]),
  ];
  return ["reckoner resume", quoted(journal), ...flags].join(" ");
}

/** A word as a shell takes it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A text as it is, anything else as indented JSON. */
function readable(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value, flattened, 2);
}

/** For JSON.stringify: Lists, Vectors and Tables as the arrays of their items. */
export function flattened(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return toArray(value);
  if (VECTOR_KEY in value) return vectorItems(value as Vector<unknown>);
  return TABLE_KEY in value ? tableValues(value as Table<unknown>) : value;
}
