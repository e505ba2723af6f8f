/**
 * Describes one event of a tree for the studio's slider: its changes, its directives and what settled them,
 * and what is outstanding after it. `Scrubber` does so for any event, in any order.
 */
import { isEventLine, type StateChange } from "../../core/journal/index.js";
import {
  printStateValue,
  type RunChart,
  type StateValue,
} from "../../core/kernel/machine/index.js";
import { addTo, type Json, type JsonObject } from "../../core/kernel/values/index.js";
import { RecordedChanges } from "../../time-travel/pure/index.js";
import {
  eventJson,
  type IssuedEffect,
  nameOf,
  type RecordedMoment,
  type RecordedRun,
} from "./recorded-run.js";
import type { ShownDirective } from "./recorded-steps.js";
import type { RecordedTree } from "./recorded-tree.js";

/** A directive of an event, and what settled it. */
export interface ShownIssue extends ShownDirective {
  /** Its tool, its store, its reasoner, or the question that it puts. */
  readonly name: string;
  /** The event that settled it, and its type; absent while it is outstanding. */
  readonly settled?: { readonly seq: number; readonly type: string };
  /** The event upon which it was cancelled. */
  readonly cancelled?: number;
}

/** A directive that is outstanding. */
export interface ShownOutstanding {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly run: string;
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** An event, and the state that it left. */
export interface ShownMoment {
  readonly seq: number;
  /** The path of the run that took it; "" for the root. */
  readonly run: string;
  readonly at: number;
  readonly event: JsonObject;
  readonly ignored?: string;
  /** The states of the machine after it, and before it where they were others. */
  readonly value: StateValue;
  readonly states: string;
  readonly before?: string;
  readonly changes: readonly StateChange[];
  readonly directives: readonly ShownIssue[];
  /** The directive that it settled. */
  readonly settled?: ShownOutstanding;
  /** The directives that are outstanding in all runs after it. */
  readonly outstanding: readonly ShownOutstanding[];
  /** The chart of the run's machine, or the name of one that comes with the package. */
  readonly chart?: RunChart;
}

/** Lines of a run between two places that are kept: a step back costs no more than these. */
const STRIDE = 500;

/** Goes through the events of a tree in any order; forward it takes each line once. */
export class Scrubber {
  readonly #tree: RecordedTree;
  readonly #folds = new Map<string, ChangesSoFar>();
  readonly #kept = new Map<string, ChangesSoFar[]>();
  /** For each moment the one before it in its run. */
  readonly #before = new Map<RecordedMoment, RecordedMoment>();
  readonly #open: OpenEffects;

  constructor(tree: RecordedTree) {
    this.#tree = tree;
    for (const { moments } of tree.runs) {
      for (const [i, each] of moments.entries()) {
        const before = moments[i - 1];
        if (before !== undefined) this.#before.set(each, before);
      }
    }
    this.#open = new OpenEffects(tree);
  }

  /** An event by its number; `undefined` where the tree has none. */
  at(seq: number): ShownMoment | undefined {
    const moment = this.#tree.at(seq);
    const run = moment === undefined ? undefined : this.#tree.of(moment.run);
    if (moment === undefined || run === undefined) return undefined;
    const before = this.#before.get(moment);
    const was = before === undefined ? undefined : printStateValue(before.value);
    const states = printStateValue(moment.value);
    const { ignored, settled, value, event } = moment;
    const chart = run.segmentAt(seq)?.chart;
    return {
      seq,
      run: moment.run,
      at: event.at,
      event: eventJson(event),
      ...(ignored === undefined ? {} : { ignored }),
      value,
      states,
      ...(was === undefined || was === states ? {} : { before: was }),
      changes: this.#changes(run, moment),
      directives: moment.issued.map((each) => issueOf(run, each)),
      ...(settled === undefined ? {} : { settled: outstandingOf(run, settled) }),
      outstanding: this.#open
        .at(seq)
        .map((effect) => outstandingOf(this.#tree.run(effect.run), effect)),
      ...(chart === undefined ? {} : { chart: chart as RunChart }),
    };
  }

  #changes(run: RecordedRun, { line, seq }: RecordedMoment): readonly StateChange[] {
    const found = this.#folds.get(run.path);
    const kept = this.#kept.get(run.path) ?? [newFold(run)];
    this.#kept.set(run.path, kept);
    const isOnTheWay = found !== undefined && found.seq < seq;
    const near = kept.findLast((each) => each.seq < seq) as ChangesSoFar;
    const fold = isOnTheWay && found.next >= near.next ? found : copyOf(near);
    this.#folds.set(run.path, fold);
    for (; fold.next < run.lines.length; fold.next++) {
      const each = run.lines[fold.next];
      if (each === undefined || each === line) break;
      if (fold.next >= (kept.at(-1) as ChangesSoFar).next + STRIDE) kept.push(copyOf(fold));
      if ("parts" in each && each.parts !== undefined) fold.changes.carryOver(each.parts);
      if (!isEventLine(each)) continue;
      fold.changes.pass(each);
      fold.seq = each.seq;
    }
    fold.next += 1;
    fold.seq = seq;
    return fold.changes.take(line);
  }
}

/** The effects that are outstanding at an event: a step to another one costs the way to it, and not all effects. */
class OpenEffects {
  readonly #begun = new Map<number, IssuedEffect[]>();
  readonly #over = new Map<number, IssuedEffect[]>();
  readonly #open = new Set<IssuedEffect>();
  readonly #place = new Map<IssuedEffect, number>();
  #seq = -1;

  constructor({ runs }: RecordedTree) {
    for (const { effects } of runs) {
      for (const effect of effects.values()) {
        this.#place.set(effect, this.#place.size);
        addTo(this.#begun, effect.seq, effect);
        const over = effect.answer?.seq ?? effect.cancelled;
        if (over !== undefined) addTo(this.#over, over, effect);
      }
    }
  }

  /** In the order in which they were issued. */
  at(seq: number): readonly IssuedEffect[] {
    for (; this.#seq < seq; ) {
      this.#seq += 1;
      for (const each of this.#begun.get(this.#seq) ?? []) this.#open.add(each);
      for (const each of this.#over.get(this.#seq) ?? []) this.#open.delete(each);
    }
    for (; this.#seq > seq; this.#seq--) {
      for (const each of this.#over.get(this.#seq) ?? []) this.#open.add(each);
      for (const each of this.#begun.get(this.#seq) ?? []) this.#open.delete(each);
    }
    const place = (effect: IssuedEffect) => this.#place.get(effect) ?? 0;
    return [...this.#open].sort((a, b) => a.seq - b.seq || place(a) - place(b));
  }
}

/** The changes of a run up to an event. */
interface ChangesSoFar {
  readonly changes: RecordedChanges;
  /** The next of the run's lines. */
  next: number;
  seq: number;
}

function newFold(run: RecordedRun): ChangesSoFar {
  return { changes: new RecordedChanges(run.values), next: 0, seq: -1 };
}

function copyOf({ changes, next, seq }: ChangesSoFar): ChangesSoFar {
  return { changes: changes.copy(), next, seq };
}

function outstandingOf(run: RecordedRun, effect: IssuedEffect): ShownOutstanding {
  const { id, type, seq, at } = effect;
  return { id, type, name: nameOf(run, effect), run: run.path, seq, since: at };
}

function issueOf(run: RecordedRun, issued: RecordedMoment["issued"][number]): ShownIssue {
  const { type, id, parts } = issued;
  const shown = [...parts].map(([name, node]): [string, Json] => {
    // A transcript is as long as its run: the request shows it, block by block.
    if (typeof node === "string" && /^@\d+#/.test(node)) {
      return [name, `${/^@(\d+)#/.exec(node)?.[1]} items`];
    }
    return [name, run.values.value(node)];
  });
  const effect = id === undefined ? undefined : run.effects.get(id);
  const answer = effect?.answer;
  const values = Object.fromEntries(shown);
  const named =
    values.name ?? values.store ?? values.reasoner ?? values.title ?? values.topic ?? "";
  return {
    type,
    ...(id === undefined ? {} : { id }),
    name: typeof named === "string" ? named : "",
    parts: values,
    ...(answer === undefined
      ? {}
      : { settled: { seq: answer.seq, type: String(answer.event.type) } }),
    ...(effect?.cancelled === undefined ? {} : { cancelled: effect.cancelled }),
  };
}
