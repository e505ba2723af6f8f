/**
 * Computes from a journal's lines alone what it remembers of a run: the parts of the last directive of each
 * type (unchanged parts are not written again), what has begun or failed, and the usage. A line's digest
 * covers the parts; the rest is covered by the hash chain and a snapshot's mark.
 */

import { hasSettled, type Step } from "../kernel/machine/index.js";
import {
  emptyTable,
  type Table,
  tableDelete,
  tableGet,
  tableHas,
  tableSet,
  tableSize,
  tableValues,
} from "../kernel/values/index.js";
import {
  addUsage,
  costTogether,
  type Description,
  type Directive,
  type Effect,
  type InterruptEvent,
  isEffect,
  isSettlement,
  noUsage,
  type RunEvent,
  type Settlement,
  type SpentByModel,
  spentByCall,
  type Usage,
} from "../kernel/vocabulary/index.js";
import type {
  AskedInterrupt,
  DownError,
  FailedMark,
  HandleMark,
  Mark,
  PassingError,
} from "./line.js";

/** Attempts of an effect that came to nothing, where another follows. */
export interface FailedAttempts {
  readonly count: number;
  /** When the next one may begin. */
  readonly until?: number;
  /** Their cost. */
  readonly usage?: Partial<Usage>;
  /** Their cost by their models, where the call may ask several. */
  readonly spent?: readonly SpentByModel[];
  /** The first error of the present round of models that passes. */
  readonly passing?: PassingError;
  /** The model is down. */
  readonly down?: DownError;
}

/** The handle of an attempt, and the moment at which there is something to look for. */
export type Handle = Pick<HandleMark, "handle" | "due">;

/** What a journal remembers; plain JSON, kept in snapshots. */
export interface JournalMemory {
  /** The refs of the last directive's parts, by its type. */
  readonly parts: { readonly [type: string]: { readonly [part: string]: string } };
  /** The number of attempts that have begun, by the id of the directive. */
  readonly begun: Table<number>;
  /**
   * The usage of model calls and child runs so far, whatever became of them. Of money only what the
   * machine does not count in its own `usage.cost`, such as that of cancelled children.
   */
  readonly usage: Usage;
  /** By the id of the directive, while it is outstanding; absent where there are none. */
  readonly failed?: Table<FailedAttempts>;
  /** The handles of attempts that have not come to an end, likewise. */
  readonly handles?: Table<Handle>;
  /** An interrupt that was asked for and has not ended the turn yet. */
  readonly interrupt?: AskedInterrupt;
  /** The last description of the run, where there is one. */
  readonly says?: Description;
  /** The milliseconds in which only people, or a model that was down, were waited for; absent where there were none. */
  readonly waitedMs?: number;
}

/** Nothing remembered. */
export const noMemory: JournalMemory = Object.freeze({
  parts: {},
  begun: emptyTable<number>(),
  usage: noUsage,
});

/** The memory after a mark; that of a snapshot changes nothing. */
export function withMark(memory: JournalMemory, mark: Mark): JournalMemory {
  const { begun } = memory;
  if ("snapshot" in mark) return memory;
  if ("interrupt" in mark) return { ...memory, interrupt: mark.interrupt };
  if ("failed" in mark) {
    const { id } = mark;
    const failed = memory.failed ?? emptyTable<FailedAttempts>();
    const entry = failedWith(tableGet(failed, id), mark);
    const { handles, ...rest } = memory;
    return {
      ...rest,
      failed: tableSet<FailedAttempts>(failed, id, entry),
      ...keptOf(handles && tableDelete(handles, id)),
    };
  }
  const next = { ...memory, begun: tableSet<number>(begun, mark.id, mark.attempt) };
  if (!("handle" in mark)) return next;
  const { id, handle, due } = mark;
  const own = due === undefined ? { handle } : { handle, due };
  return { ...next, handles: tableSet<Handle>(memory.handles ?? emptyTable(), id, own) };
}

function keptOf(handles: Table<Handle> | undefined): Pick<JournalMemory, "handles"> {
  return handles === undefined || tableSize(handles) === 0 ? {} : { handles };
}

/** The handles after a step: those of what it settled or cancelled are gone. */
export function handlesAfter<Context>(
  handles: JournalMemory["handles"],
  event: RunEvent,
  step: Step<Context>,
): Pick<JournalMemory, "handles"> {
  return keptOf(leftAfter(handles, event, step));
}

/** Counts the effects that are outstanding by what they wait for. Deadlines, which stand still meanwhile, do not count. */
export class Waiting {
  #people = 0;
  #others = 0;

  constructor(outstanding?: Table<Effect>) {
    for (const each of outstanding === undefined ? [] : tableValues(outstanding)) {
      this.#count(each, 1);
    }
  }

  /** True where all that is outstanding is for people to decide. */
  get isForPeople(): boolean {
    return this.#people > 0 && this.#others === 0;
  }

  /** Takes a step. @param before what was outstanding */
  took<Context>(event: RunEvent, step: Step<Context>, before: Table<Effect> | undefined): void {
    const gone = new Set<string>();
    if (isSettlement(event) && settles(step)) gone.add(event.id);
    for (let i = 0; i < step.directives.length; i++) {
      const directive = step.directives[i] as Directive;
      if (directive.type === "cancel") gone.add(directive.target);
      else if (isEffect(directive) && tableHas(step.state.outstanding, directive.id)) {
        this.#count(directive, 1);
      }
    }
    if (before !== undefined) for (const id of gone) this.#count(tableGet(before, id), -1);
  }

  #count(effect: Effect | undefined, more: 1 | -1): void {
    if (effect?.type === "approval") this.#people += more;
    else if (effect !== undefined && !(effect.type === "timer" && effect.deadline === true)) {
      this.#others += more;
    }
  }
}

/**
 * Returns the time waited after an event.
 * @param ms since the event before, where all that was outstanding since was for people to decide, or else 0
 */
export function waitedAfter(
  waitedMs: number | undefined,
  event: RunEvent,
  ms: number,
): Pick<JournalMemory, "waitedMs"> {
  const settled = isSettlement(event) ? (event.waitedMs ?? 0) : 0;
  const waited = (waitedMs ?? 0) + settled + Math.max(0, ms);
  return waited === 0 ? {} : { waitedMs: waited };
}

/** Returns the effects that have begun after a step: its starts are added, settled and cancelled ones removed. */
export function begunAfter<Context>(
  begun: Table<number>,
  event: RunEvent,
  step: Step<Context>,
  starts: readonly number[],
): Table<number> {
  let next = begun;
  if (isSettlement(event) && settles(step)) next = tableDelete(next, event.id);
  const { directives } = step;
  for (let i = 0; i < directives.length; i++) {
    const directive = directives[i] as Directive;
    if (directive.type === "cancel") next = tableDelete(next, directive.target);
  }
  for (const place of starts) {
    const started = directives[place];
    if (started !== undefined && isEffect(started)) next = tableSet<number>(next, started.id, 1);
  }
  return next;
}

/** The failed attempts of an effect with one more. */
export function failedWith(
  before: FailedAttempts | undefined,
  { failed, until, usage: more, model, passing, down }: FailedMark,
): FailedAttempts {
  const past = before?.usage;
  const usage =
    past === undefined || more === undefined ? (past ?? more) : costTogether(past, more);
  const spent = spentWith(before?.spent, model, more);
  return {
    count: failed,
    ...(until === undefined ? {} : { until }),
    ...(usage === undefined ? {} : { usage }),
    ...(spent === undefined ? {} : { spent }),
    ...(passing === undefined ? {} : { passing }),
    ...(down === undefined ? {} : { down }),
  };
}

/** The cost of failed attempts by their models, with one more. */
export function spentWith(
  spent: readonly SpentByModel[] | undefined,
  model: string | undefined,
  usage: Partial<Usage> | undefined,
): readonly SpentByModel[] | undefined {
  if (model === undefined || usage === undefined) return spent;
  const before = spent?.find((each) => each.model === model)?.usage;
  const entry = { model, usage: before === undefined ? usage : costTogether(before, usage) };
  if (before === undefined) return [...(spent ?? []), entry];
  return spent?.map((each) => (each.model === model ? entry : each));
}

/** The failed attempts after a step: those of what it settled or cancelled are gone. */
export function failedAfter<Context>(
  failed: JournalMemory["failed"],
  event: RunEvent,
  step: Step<Context>,
): JournalMemory["failed"] {
  const next = leftAfter(failed, event, step);
  return next === undefined || tableSize(next) === 0 ? undefined : next;
}

/** Entries by directive after a step: those of what it settled or cancelled are gone. */
function leftAfter<Entry, Context>(
  entries: Table<Entry> | undefined,
  event: RunEvent,
  { directives, state, ...step }: Step<Context>,
): Table<Entry> | undefined {
  if (entries === undefined || state.status !== "active") return undefined;
  let next = entries;
  if (isSettlement(event) && settles(step)) next = tableDelete(next, event.id);
  for (let i = 0; i < directives.length; i++) {
    const directive = directives[i] as Directive;
    if (directive.type === "cancel") next = tableDelete(next, directive.target);
  }
  return next;
}

/**
 * The usage after a step: that of settlements, and one request for each cancelled model call. A
 * call that was interrupted by the end of the process is made again, and counted then.
 */
export function usageAfter<Context>(
  usage: Usage,
  event: RunEvent,
  step: Step<Context>,
  before: Table<Effect> | undefined,
  failed: JournalMemory["failed"],
): Usage {
  let next = usage;
  if (isSettlement(event) && settles(step)) {
    next = addUsage(next, countsMoney(step.state) ? unpriced(spentBy(event)) : spentBy(event));
  }
  const { directives } = step;
  for (let i = 0; i < directives.length && before !== undefined; i++) {
    const directive = directives[i] as Directive;
    if (directive.type !== "cancel") continue;
    // What this very event has settled is counted.
    if (isSettlement(event) && settles(step) && directive.target === event.id) continue;
    const target = tableGet(before, directive.target);
    if (target?.type !== "llm") continue;
    const had = failed === undefined ? undefined : tableGet(failed, target.id);
    next = addUsage(next, spentUntil(event, target.id, had));
  }
  return next;
}

/**
 * The usage of a cancelled model call: as in the interrupt event, or one request and what attempts before it
 * cost.
 */
export function spentUntil(event: RunEvent, id: string, failed?: FailedAttempts): Partial<Usage> {
  const partial = event.type === "interrupt" && "partial" in event ? event.partial : {};
  const had = Object.hasOwn(partial, id) ? (partial as InterruptEvent["partial"])[id] : undefined;
  if (had !== undefined) return { requests: 1, ...unpriced(had.usage) };
  return { ...unpriced(failed?.usage ?? {}), requests: 1 + (failed?.count ?? 0) };
}

/** Returns true if a machine counts its own cost, its children's included. */
function countsMoney({ context }: { readonly context: unknown }): boolean {
  const { usage } = (context ?? {}) as { readonly usage?: { readonly cost?: number } | null };
  return typeof usage?.cost === "number";
}

/** What was spent without its money, which a machine may count itself. */
export function unpriced(usage: Partial<Usage>): Partial<Usage> {
  if (usage.cost === undefined) return usage;
  const { cost: _cost, ...counts } = usage;
  return counts;
}

/**
 * Returns true if a settlement removed its directive from what is outstanding; an unhandled one does, too
 * (K4).
 */
function settles({ ignored }: Pick<Step<unknown>, "ignored">): boolean {
  return hasSettled(ignored?.reason);
}

/** What a settlement says that was spent. */
export function spentBy(event: Settlement): Partial<Usage> {
  switch (event.type) {
    case "llm.succeeded":
    case "llm.failed":
      // What a port says of money is not asked.
      return unpriced(spentByCall(event));
    case "tool.succeeded":
    case "tool.failed":
      return { toolCalls: 1 };
    case "run.succeeded":
    case "run.failed":
      return event.usage ?? {};
    default:
      return {};
  }
}
