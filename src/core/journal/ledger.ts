/**
 * Computes the recorded text of each step (directives, context changes, state digest), in the same
 * way for recording and for replay. So a replay compares texts, and looks for a difference only if
 * they differ.
 */

import type { Reasoner, RunState, Step } from "../kernel/machine/index.js";
import {
  asJson,
  canonical,
  digestOf,
  type Json,
  quoted,
  refOf,
  type Table,
} from "../kernel/values/index.js";
import {
  addUsage,
  type Description,
  type Directive,
  type Effect,
  type RunEvent,
  type Usage,
} from "../kernel/vocabulary/index.js";
import { type Mark, SPILL_LENGTH } from "./line.js";
import {
  begunAfter,
  failedAfter,
  handlesAfter,
  type JournalMemory,
  noMemory,
  usageAfter,
  Waiting,
  waitedAfter,
  withMark,
} from "./memory.js";
import { mayRefer, nodeText, refText } from "./node-text.js";
import { StateText } from "./state-text.js";

/** A part of a directive, or an output, that is written as a reference or contains one. */
export interface Referenced {
  readonly reference: string;
  readonly value: Json;
}

/** The parts of a step that a line records beside its event. */
export interface Proof {
  /** The part of the line after the event: `,"value":…,"state":"…"`. */
  readonly text: string;
  /** The number of parts of a line. */
  readonly parts: number;
  /** The texts of its directives, if they are too long for the line itself. */
  readonly spilled: readonly string[];
  /** The references that the last directive of that type did not have. */
  readonly referenced: readonly Referenced[];
}

/** Computes the recorded part of one run's steps, one after the other. */
export class Ledger {
  readonly #states = new StateText();
  #memory: JournalMemory;
  /** The last description of the run, as text; computed where it is asked for. */
  #description: string | undefined;
  /** What was outstanding after the last step, and its time. */
  #outstanding: Table<Effect> | undefined;
  #at = 0;
  readonly #waiting: Waiting;

  /** @param from a state and what was remembered at it; without, the run's beginning */
  constructor(from?: { readonly state: RunState; readonly memory: JournalMemory }) {
    this.#outstanding = from?.state.outstanding;
    this.#at = from?.state.at ?? 0;
    this.#waiting = new Waiting(from?.state.outstanding);
    this.#memory = from?.memory ?? noMemory;
    if (from !== undefined) this.#states.next(from.state, this.#memory);
  }

  /** The journal's memory at the newest line. */
  get memory(): JournalMemory {
    return this.#memory;
  }

  #remember(memory: JournalMemory): void {
    const before = this.#memory;
    const same =
      memory.parts === before.parts &&
      memory.begun === before.begun &&
      memory.handles === before.handles;
    const alike = memory.failed === before.failed && memory.interrupt === before.interrupt;
    if (memory.waitedMs !== before.waitedMs) this.#memory = memory;
    else if (same && alike && memory.usage === before.usage && memory.says === before.says) return;
    this.#memory = memory;
  }

  mark(mark: Mark): void {
    this.#remember(withMark(this.#memory, mark));
  }

  /** A child run that was cancelled is over: its usage counts here, since no settlement says it. */
  inherit(usage: Usage): void {
    this.#remember({ ...this.#memory, usage: addUsage(this.#memory.usage, usage) });
  }

  /**
   * Processes the next step without computing its digest. To compute later steps again, make
   * another ledger of the state and the memory here.
   * @returns the texts of its directives
   */
  pass<Context>(
    event: RunEvent,
    step: Step<Context>,
    starts: readonly number[],
    referenced: Referenced[] = [],
  ): readonly string[] {
    const { parts, begun, usage, failed, handles, interrupt, says, waitedMs } = this.#memory;
    const { directives } = step;
    const lastParts = directives.length === 0 ? parts : { ...parts };
    // By index: V8's own `map` is slow on an array that is frozen.
    const texts: string[] = [];
    for (let i = 0; i < directives.length; i++) {
      const directive = directives[i] as Directive;
      texts.push(directiveText(directive, lastParts, referenced));
      this.#states.owed.issued(directive, lastParts[directive.type] ?? {});
    }
    const failing = failedAfter(failed, event, step);
    this.#remember({
      parts: sameParts(lastParts, parts) ? parts : lastParts,
      begun: begunAfter(begun, event, step, starts),
      usage: usageAfter(usage, event, step, this.#outstanding, failed),
      ...(failing === undefined ? {} : { failed: failing }),
      ...handlesAfter(handles, event, step),
      ...(interrupt === undefined || event.type === "interrupt" ? {} : { interrupt }),
      ...(says === undefined ? {} : { says }),
      ...waitedAfter(waitedMs, event, this.#waiting.isForPeople ? event.at - this.#at : 0),
    });
    this.#waiting.took(event, step, this.#outstanding);
    this.#outstanding = step.state.outstanding;
    this.#at = step.state.at;
    return texts;
  }

  /**
   * The recorded part of the next step.
   * @param starts places of the directives that begin with its line
   */
  prove<Input, Output, Context>(
    reasoner: Reasoner<Input, Output, Context>,
    event: RunEvent,
    step: Step<Context>,
    starts: readonly number[],
  ): Proof {
    const { state, directives, ignored } = step;
    const { value } = state;
    const referenced: Referenced[] = [];
    let spilled: readonly string[] = [];
    // The value and the state are in all of them.
    let parts = 2;
    let text = `,"value":${typeof value === "string" ? quoted(value) : JSON.stringify(value)}`;
    const texts = this.pass(event, step, starts, referenced);
    if (directives.length > 0) {
      parts += 1;
      const all = texts.join(",");
      if (all.length > SPILL_LENGTH) spilled = texts;
      text += `,"do":${all.length > SPILL_LENGTH ? `"#${digestOf(all)}"` : `[${all}]`}`;
    }
    if (ignored !== undefined) {
      parts += 1;
      text += `,"ignored":"${ignored.reason}"`;
    }
    if (state.status !== "active") {
      parts += 1;
      text += `,"end":${endText(reasoner, state, referenced)}`;
    }
    const says = this.#saysOf(reasoner, state);
    if (says !== "") {
      parts += 1;
      text += `,"says":${says}`;
    }
    const { set, digest } = this.#states.next(state, this.#memory);
    if (set !== "") {
      parts += 1;
      text += `,"set":${set}`;
    }
    return { text: `${text},"state":"${digest}"`, parts, spilled, referenced };
  }

  /** Returns the description of the run, as a line has it; "" where that has not changed. */
  #saysOf<Input, Output, Context>(
    reasoner: Reasoner<Input, Output, Context>,
    state: RunState<Context>,
  ): string {
    const says = reasoner.describe(state);
    const text = canonical(asJson(says));
    this.#description ??= canonical(asJson(this.#memory.says ?? {}));
    if (text === this.#description) return "";
    this.takeDescription(says);
    this.#description = text;
    return text;
  }

  /** A line that was passed over says this of the run. */
  takeDescription(says: Description): void {
    this.#description = undefined;
    this.#remember({ ...this.#memory, says });
  }
}

function sameParts(a: JournalMemory["parts"], b: JournalMemory["parts"]): boolean {
  for (const type in a) if (a[type] !== b[type]) return false;
  return true;
}

/** A directive: its id, and the parts that differ from the last one of its type. */
function directiveText(
  directive: Directive,
  lastParts: Record<string, { readonly [part: string]: string }>,
  referenced: Referenced[],
): string {
  const { type } = directive;
  const last = lastParts[type];
  const now: Record<string, string> = {};
  let text = `{"type":"${type}"`;
  if ("id" in directive) text += `,"id":${quoted(directive.id)}`;
  let changed = last === undefined;
  let count = 0;
  for (const part in directive) {
    const value = directive[part as keyof Directive] as Json | undefined;
    if (part === "type" || part === "id" || value === undefined) continue;
    const ref = refOf(value);
    now[part] = ref;
    count += 1;
    if (last?.[part] === ref) continue;
    changed = true;
    if (mayRefer(ref)) referenced.push({ reference: ref, value });
    text += `,${quoted(part)}:${refText(ref, value)}`;
  }
  const gone: string[] = [];
  for (const part in last) if (!Object.hasOwn(now, part)) gone.push(part);
  if (gone.length > 0) text += `,"-":${JSON.stringify(gone)}`;
  if (changed || gone.length > 0 || count === 0) lastParts[type] = now;
  return `${text}}`;
}

function endText<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  state: RunState<Context>,
  referenced: Referenced[],
): string {
  const output = reasoner.output(state) as Json | undefined;
  let text = `{"status":"${state.status}"`;
  if (output !== undefined) {
    const ref = refOf(output);
    if (mayRefer(ref)) referenced.push({ reference: ref, value: output });
    text += `,"output":${refText(ref, output)}`;
  }
  if (state.fault !== undefined) text += `,"fault":${nodeText(state.fault as never)}`;
  return `${text}}`;
}
