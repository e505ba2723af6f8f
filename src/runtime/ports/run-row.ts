/**
 * `RunRow`: the row of a run in lists and indexes, and `rowOf`, the one function that makes it. Its facts come
 * from the lines of a journal (`row-from-journal.ts`) or from a live run (`live-row.ts`), so that both give the
 * same row.
 */
import type {
  Asked,
  DownError,
  HeaderLine,
  Labels,
  RunLink,
} from "../../core/journal/for-live-runs.js";
import * as shapes from "../../core/kernel/shapes.js";
import {
  cutText,
  isJsonObject,
  type Json,
  type JsonObject,
  ReckonerError,
} from "../../core/kernel/values/index.js";
import type {
  Description,
  RunEvent,
  TurnFailure,
  Usage,
} from "../../core/kernel/vocabulary/index.js";

/** An approval that waits for a person. */
export interface OpenApproval {
  /** As `resume` takes it. */
  readonly id: string;
  readonly title: string;
  /** The subject of the decision: of a tool call `{ tool, input }`. */
  readonly subject?: Json;
  /** When it was asked for, in milliseconds since 1970. */
  readonly since?: number;
  /** The hash of the definition and the arguments, which a decision may name. */
  readonly of?: string;
  /** Of a tool that asks for a value: its JSON Schema. */
  readonly ask?: Json;
}

/** A run in short, as an index keeps it. */
export interface RunRow {
  readonly runId: string;
  readonly reasoner: string;
  readonly version: number;
  /**
   * `waiting`: for the `approvals`, `timers` and `children` listed, or for a model that is down; `ready`:
   * nothing is outstanding, and it waits for a message or another event; `open`: something is running, or was
   * when its process died; otherwise how it ended.
   */
  readonly status: "waiting" | "ready" | "open" | "done" | "failed" | "cancelled";
  /** As its reasoner describes it; else the first user message, if it is a string. At most 200 characters. */
  readonly title?: string;
  /** Its last words, or its output so far, where that is a text; at most 200 characters. */
  readonly words?: string;
  /** The data that its reasoner says may be seen: of an agent its `publicDeps`. */
  readonly data?: JsonObject;
  /** The tenant and the person that it belongs to, as `run` was given them. */
  readonly tenant?: string;
  readonly person?: string;
  /** Its tags, as `run` or the last event `run.tagged` was given them. */
  readonly tags?: readonly string[];
  /** The run that it was forked from, or goes on from, and the last event of that. */
  readonly link?: RunLink;
  /** Milliseconds since 1970: when it began, and its last event. */
  readonly startedAt: number;
  readonly lastAt: number;
  /** The number of events of the run and its children, those that a fork shares included. */
  readonly events: number;
  /** The approvals that wait, its children's included. */
  readonly approvals: readonly OpenApproval[];
  /** The number of timers that it and its children wait for, without the deadlines of turns. */
  readonly timers: number;
  /** The moment of the first of these timers, in milliseconds since 1970. */
  readonly wakeAt?: number;
  /** The child runs that it waits for, by their paths. */
  readonly children: readonly string[];
  /** The error of a model that is down: it is asked again when the run is resumed. */
  readonly modelDown?: DownError;
  /** The run waits after a turn that failed: why, and for which model request. */
  readonly failure?: TurnFailure;
  /** The usage of it and its children so far, without money. */
  readonly usage: Usage;
}

/** A directive that is outstanding, by the id by which the root knows it. */
export interface OpenDirective {
  readonly id: string;
  readonly type: string;
  /** Of an approval. */
  readonly name?: string | undefined;
  readonly asked?: Asked;
  /** Of a timer that is the deadline of a turn. */
  readonly deadline?: true;
  /** Of a timer: its moment. */
  readonly until?: number;
}

/** The facts that change while a run goes on. */
export interface RowFacts {
  /** Its description in words, where anything is said of it. */
  readonly says: Description | undefined;
  /** Its first message, for a run that began without one. */
  readonly title?: string | undefined;
  /** Its tags, where an event has replaced those of the header. */
  readonly tags?: readonly string[] | undefined;
  /** The status with which the run ended. */
  readonly ended: RunRow["status"] | undefined;
  readonly last: { readonly seq: number; readonly at: number };
  readonly open: readonly OpenDirective[];
  readonly downs: readonly DownError[];
  readonly usage: Usage;
}

/** The part of a row that a run begins with. */
export type RowStart = Pick<
  RunRow,
  "runId" | "reasoner" | "version" | "title" | "tenant" | "person" | "tags" | "link" | "startedAt"
>;

const MAX_TITLE = 200;
const MAX_LABEL = 200;
const MAX_TAGS = 100;

/** Returns the part of a row that a header says. @param origin the first header of a fork's history */
export function rowStart(
  header: Pick<HeaderLine, "runId" | "reasoner" | "at" | "input" | "labels" | "fork" | "from">,
  origin: Pick<HeaderLine, "input"> = header,
): RowStart {
  const { runId, reasoner, at, labels = {}, fork, from } = header;
  const title = titleOf(origin.input);
  const link = fork ?? from;
  return {
    runId,
    reasoner: reasoner.id,
    version: reasoner.version,
    ...(title === undefined ? {} : { title }),
    ...labelsOf(trusted(labels)),
    ...(link === undefined ? {} : { link }),
    startedAt: at,
  };
}

/** Makes the row of a run. */
export function rowOf(start: RowStart, facts: RowFacts): RunRow {
  const { ended, last, usage, tags, says = {} } = facts;
  const { title = start.title ?? facts.title, words, data, failure } = says;
  // Behind the end of a run nothing of its children waits for anybody, also where their cancels were torn off.
  const open = ended === undefined ? facts.open : [];
  const downs = ended === undefined ? facts.downs : [];
  const of = (wanted: string) => open.filter(({ type }) => type === wanted);
  const [approvals, timers, children] = [of("approval"), of("timer"), of("run")];
  const moments = timers.filter(({ deadline }) => deadline !== true).map(({ until }) => until ?? 0);
  const waits = approvals.length + timers.length + children.length + downs.length;
  return {
    ...start,
    status: ended ?? statusOf(last.seq, open.length, waits),
    ...shapes.defined({ title, words, data, tags }),
    lastAt: last.at,
    events: last.seq + 1,
    approvals: approvals.map(({ id, name, asked }) => ({ id, title: name ?? id, ...asked })),
    timers: moments.length,
    ...(moments.length === 0 ? {} : { wakeAt: moments.reduce((a, b) => Math.min(a, b)) }),
    children: children.map(({ id }) => id),
    ...shapes.defined({ modelDown: downs[0], failure }),
    usage,
  };
}

function statusOf(seq: number, open: number, waits: number): RunRow["status"] {
  // A process that died before the start was written has everything before it.
  if (seq < 0 || open > waits) return "open";
  return open === 0 ? "ready" : "waiting";
}

/** Returns what a person would call the run: the prompt, the first message, or an input that is a string. */
function titleOf(input: Json): string | undefined {
  const { prompt, messages } = fieldsOf(input);
  const first = Array.isArray(messages) ? fieldsOf(messages[0] as Json).content : undefined;
  const text = [input, prompt, first].find((each) => typeof each === "string") as
    | string
    | undefined;
  return text === undefined ? undefined : cutText(text, MAX_TITLE);
}

/** Returns the title that a message gives a run which has none; `undefined` for another event, and for files alone. */
export function titleIn(event: RunEvent): string | undefined {
  if (event.type !== "message") return undefined;
  const { content } = event;
  const text =
    typeof content === "string" ? content : content.find((part) => part.type === "text")?.text;
  return text === undefined ? undefined : cutText(text, MAX_TITLE);
}

function fieldsOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Returns the tags that an event gives its run; `undefined` where it gives none. */
export function tagsIn(event: RunEvent): readonly string[] | undefined {
  if ((event.type as string) !== "run.tagged") return undefined;
  const { tags } = event as { readonly tags?: unknown };
  return isTags(tags) ? tags : undefined;
}

/** Returns true for tags that a row may have. */
export function isTags(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= MAX_TAGS && value.every(isLabel);
}

/** Returns true for a tag, and for the id of a tenant or a person. */
export function isLabel(value: unknown): value is string {
  if (typeof value !== "string" || value === "" || value.length > MAX_LABEL) return false;
  return !/[\p{Cc}\p{Surrogate}]/u.test(value);
}

/** Returns labels without those that a header may have and no row. */
function trusted({ tenant, person, tags }: Labels): shapes.Options<Labels> {
  return {
    tenant: isLabel(tenant) ? tenant : undefined,
    person: isLabel(person) ? person : undefined,
    tags: isTags(tags) ? tags : undefined,
  };
}

/** Returns the labels of a header; `undefined` where none is given. */
export function labelsOf({ tenant, person, tags }: shapes.Options<Labels>): Labels | undefined {
  const labels = {
    ...(tenant === undefined || tenant === "" ? {} : { tenant }),
    ...(person === undefined ? {} : { person }),
    ...(tags === undefined ? {} : { tags: [...tags] }),
  };
  return Object.keys(labels).length === 0 ? undefined : labels;
}

/**
 * Checks that a run may be written to a journal.
 * @param port whose database may have tenants
 * @throws ReckonerError `journal.tenant` where the run is of another one
 */
export function checkTenant(
  { name, tenant: own }: { readonly name: string; readonly tenant?: string | undefined },
  tenant = "",
): void {
  if (own === undefined || own === tenant) return;
  const of = tenant === "" ? "is of no tenant" : `is of the tenant ${tenant}`;
  const place = tenant === "" ? "store" : `store.tenant(${JSON.stringify(tenant)})`;
  const message = `The run ${of}, and the journal ${name} is not; take one of its store: ${place}.journal(id).`;
  throw new ReckonerError("journal.tenant", message, { place: name });
}

/** An id by which rows of an index are found. */
export const LABEL: shapes.Shape = [
  isLabel,
  "a string of 1 to 200 characters, without control characters",
];
/** The tags of a run. */
export const TAGS: shapes.Shape = [isTags, "a list of at most 100 strings of 1 to 200 characters"];
