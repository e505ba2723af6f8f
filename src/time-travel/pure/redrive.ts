/**
 * Runs changed code on one recorded run, without calling anything: its requests are answered from the record,
 * at the recorded times. `redrive` builds on it. Requests are matched by content, not by position, and each
 * answer is used once. A request that was never recorded has no answer: it is out of support.
 */

import { type HeaderLine, type Node, startOf } from "../../core/journal/index.js";
import { owedBy, type Reasoner, type RunState } from "../../core/kernel/machine/index.js";
import {
  addTo,
  asJson,
  digestOf,
  isReference,
  type Json,
  refOf,
  tableHas,
} from "../../core/kernel/values/index.js";
import {
  type Effect,
  isSettlement,
  type RunEvent,
  type Settlement,
} from "../../core/kernel/vocabulary/index.js";
import type { RecordedEffect, RecordedEvent, RunRecord } from "./run-record.js";

/** The ways to match requests. */
export interface MatchOptions {
  /** Parts in which a request may differ from what was recorded: `system`, `tools`. */
  readonly ignore?: readonly string[];
}

/** A request of the candidate, and where its answer comes from. */
export interface Redriven {
  readonly effect: Effect;
  /** The event of the candidate at which it was issued. */
  readonly seq: number;
  /**
   * `reused`: answered from the record; `new`: never recorded; `open`: recorded, but without an
   * answer; `live`: answered by the live model; `cancelled`: the candidate no longer waits for it.
   */
  readonly support: "reused" | "new" | "open" | "live" | "cancelled";
  /** The recorded request that it is the same as. */
  readonly recorded?: string;
}

/** The requests that are still to come. */
interface Pending {
  /** The recorded event's, which says what comes first. */
  readonly order: number;
  readonly event: RunEvent;
}

/** A run that is driven once more. */
export class Redrive<Input, Output, Context> {
  readonly #reasoner: Reasoner<Input, Output, Context>;
  readonly #record: RunRecord;
  readonly #ignore: ReadonlySet<string>;
  /** Recorded requests by their content, in the order in which they were asked. */
  readonly #pool = new Map<string, RecordedEffect[]>();
  /** Answers to give, by the candidate's directive. */
  readonly #answers = new Map<string, Pending>();
  #outside: RecordedEvent[];
  /** The requests that the candidate waits for, and those among them that are out of support. */
  readonly #waiting = new Set<string>();
  readonly #open = new Set<string>();
  readonly #asked = new Map<string, Redriven>();
  #state: RunState<Context>;

  /** @param from the context that the run goes on from, or `undefined` */
  constructor(
    reasoner: Reasoner<Input, Output, Context>,
    record: RunRecord,
    from: unknown,
    { ignore = [] }: MatchOptions = {},
  ) {
    this.#reasoner = reasoner;
    this.#record = record;
    // The provider's id of a call says nothing of what is asked.
    this.#ignore = new Set([...ignore, "toolCallId"]);
    for (const effect of record.effects.values()) {
      addTo(this.#pool, this.#recordedKey(effect), effect);
    }
    this.#outside = record.events.filter(
      ({ event }) => !isSettlement(event) && event.type !== "start",
    );
    const { state } = startOf(reasoner, record.header as HeaderLine, from);
    this.#state = state;
    this.#take(state.seq);
  }

  /** The candidate's state. */
  get state(): RunState<Context> {
    return this.#state;
  }

  /** The candidate's requests, in order; timers are not among it. */
  get asked(): readonly Redriven[] {
    return [...this.#asked.values()].filter(({ effect }) => effect.type !== "timer");
  }

  /** Requests without an answer: out of support, and still outstanding. */
  get open(): readonly Effect[] {
    return [...this.#open].map((id) => (this.#asked.get(id) as Redriven).effect);
  }

  /** Goes on as far as what was recorded goes. */
  run(): void {
    for (;;) {
      const next = this.#state.status === "active" ? this.#next() : undefined;
      if (next === undefined) return;
      this.#step(next);
    }
  }

  /** Answers a request that is out of support. */
  answer(settlement: Settlement): void {
    const asked = this.#asked.get(settlement.id);
    if (asked !== undefined) this.#asked.set(settlement.id, { ...asked, support: "live" });
    this.#step(settlement);
  }

  #next(): RunEvent | undefined {
    let first: { readonly id: string; readonly pending: Pending } | undefined;
    for (const [id, pending] of this.#answers) {
      if (first === undefined || pending.order < first.pending.order) first = { id, pending };
    }
    const [outside] = this.#outside;
    // An input from outside followed the answers before it: as long as one of these is missing, no
    // input is given.
    const speaks = outside !== undefined && this.#open.size === 0;
    if (speaks && outside.seq < (first?.pending.order ?? Number.POSITIVE_INFINITY)) {
      this.#outside = this.#outside.slice(1);
      return outside.event;
    }
    if (first === undefined) return undefined;
    this.#answers.delete(first.id);
    return first.pending.event;
  }

  #step(event: RunEvent): void {
    const at = Math.max(event.at, this.#state.at);
    const { state } = this.#reasoner.step(this.#state, { ...event, at } as never);
    this.#state = state;
    this.#take(state.seq);
  }

  /** Looks up what has come to be owed, and forgets what no longer is. */
  #take(seq: number): void {
    const { outstanding } = this.#state;
    for (const effect of owedBy(this.#state)) {
      if (!this.#asked.has(effect.id)) this.#match(effect, seq);
    }
    for (const id of this.#waiting) {
      if (tableHas(outstanding, id)) continue;
      const asked = this.#asked.get(id) as Redriven;
      this.#answers.delete(id);
      this.#waiting.delete(id);
      this.#open.delete(id);
      const unanswered = asked.support === "new" || asked.support === "open";
      if (unanswered) this.#asked.set(id, { ...asked, support: "cancelled" });
    }
  }

  #match(effect: Effect, seq: number): void {
    const { id } = effect;
    this.#waiting.add(id);
    const same = this.#pool.get(this.#keyOf(effect)) ?? [];
    const match = same.find(({ answer }) => answer !== undefined) ?? same[0];
    if (match === undefined) {
      this.#asked.set(id, { effect, seq, support: "new" });
      if (effect.type !== "timer") this.#open.add(id);
      return;
    }
    same.splice(same.indexOf(match), 1);
    const { answer } = match;
    const support = answer === undefined ? "open" : "reused";
    this.#asked.set(id, { effect, seq, support, recorded: match.id });
    if (answer === undefined) return;
    const event = { ...answer.event, id } as RunEvent;
    this.#answers.set(id, { order: answer.seq, event });
  }

  #recordedKey({ type, parts }: RecordedEffect): string {
    const refs = [...parts].map(([name, node]): [string, string] => [name, this.#ref(node)]);
    return this.#key(type, refs);
  }

  #ref(node: Node): string {
    if (typeof node === "string" && isReference(node)) return node;
    return refOf(this.#record.values.value(node));
  }

  #keyOf(effect: Effect): string {
    const { type, id: _id, ...parts } = asJson(effect);
    const refs = Object.entries(parts).map(([name, value]): [string, string] => [
      name,
      refOf(value as Json),
    ]);
    return this.#key(String(type), refs);
  }

  #key(type: string, parts: readonly (readonly [name: string, ref: string])[]): string {
    const counted = parts.filter(([name]) => !this.#ignore.has(name));
    return digestOf(JSON.stringify([type, ...[...counted].sort(([a], [b]) => (a < b ? -1 : 1))]));
  }
}
