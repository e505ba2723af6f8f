/**
 * Compares two runs: aligns their events by what they are and not by position, so that another
 * order of answers is no difference. Times, run ids and costs are ignored.
 */
import * as shapes from "../../core/kernel/shapes.js";
import {
  asJson,
  firstDifference,
  type Json,
  type JsonObject,
} from "../../core/kernel/values/index.js";
import type { RunEvent } from "../../core/kernel/vocabulary/index.js";
import type { RecordedEffect, RecordedEvent, RunRecord } from "./run-record.js";

/** The kind of the first difference of two runs. */
export type PartingKind =
  | "input"
  | "model output"
  | "tool result"
  | "decision"
  | "store result"
  | "child run"
  | "timer"
  | "code"
  | "configuration";

/** Two values at a path. */
export interface Differing {
  readonly path: string;
  /** Absent where the run has nothing there. */
  readonly a?: Json;
  readonly b?: Json;
}

/** The first difference of two runs. */
export interface Parting extends Differing {
  readonly kind: PartingKind;
  /** The event, effect or part of the header, by cause: `tool/0/1`, `message 1`, `input`. */
  readonly cause: string;
  /** The events of each run, where it has them. */
  readonly seqA?: number;
  readonly seqB?: number;
  /** If a child run gave another answer: the first difference of the two. */
  readonly child?: ChildParting;
}

/** The first difference of two runs of one child. */
export interface ChildParting {
  /** Their run ids. */
  readonly a: string;
  readonly b: string;
  readonly parting: Parting;
}

/** One event or one request of both runs, aligned by its cause. */
export interface AlignedRow {
  readonly cause: string;
  /** The event's type, or the directive's. */
  readonly type: string;
  /** An event happened, a request was asked for. */
  readonly what: "event" | "request";
  readonly status: "same" | "differs" | "only a" | "only b";
  readonly seqA?: number;
  readonly seqB?: number;
  readonly difference?: Differing;
}

/** The differences of two runs. */
export interface RunDiff {
  readonly same: boolean;
  readonly parting?: Parting;
  readonly rows: readonly AlignedRow[];
  readonly summary: { readonly [status in AlignedRow["status"]]: number };
  /** Both were begun with one configuration, or each with its own. */
  readonly configuration: "same" | "different";
}

/** Compares two runs. @param began where the runs part that they go on from */
export function diffRuns(a: RunRecord, b: RunRecord, began?: Parting): RunDiff {
  return new Diff(a, b, began).result();
}

class Diff {
  readonly #a: RunRecord;
  readonly #b: RunRecord;
  readonly #rows: AlignedRow[] = [];
  readonly #done = new Set<string>();
  /** The events of each run that were met. */
  readonly #met = { a: new Set<number>(), b: new Set<number>() };
  readonly #configured: boolean;
  #parting: Parting | undefined;
  #ordered = true;

  constructor(a: RunRecord, b: RunRecord, began: Parting | undefined) {
    this.#a = a;
    this.#b = b;
    this.#parting = began;
    this.#configured = a.own?.fingerprint === b.own?.fingerprint;
  }

  result(): RunDiff {
    this.#headers();
    this.#walk();
    this.#ends();
    const summary = { same: 0, differs: 0, "only a": 0, "only b": 0 };
    for (const { status } of this.#rows) summary[status] += 1;
    return {
      same: this.#parting === undefined,
      ...(this.#parting === undefined ? {} : { parting: this.#parting }),
      rows: this.#rows,
      summary,
      configuration: this.#configured ? "same" : "different",
    };
  }

  #part(parting: Parting): void {
    this.#parting ??= parting;
  }

  #headers(): void {
    const [a, b] = [this.#a.header, this.#b.header];
    const reasoner = this.#differing(a?.reasoner, b?.reasoner, "reasoner");
    if (reasoner !== undefined) this.#part({ kind: "code", cause: "reasoner", ...reasoner });
    for (const field of ["input", "seed", "budget"] as const) {
      const found = this.#differing(a?.[field] as Json, b?.[field] as Json, field);
      if (found !== undefined) this.#part({ kind: "input", cause: field, ...found });
    }
  }

  /** Both runs' events, each in its own order; what has its partner elsewhere is met with it. */
  #walk(): void {
    const [left, right] = [this.#a.events, this.#b.events];
    let [i, j] = [0, 0];
    while (i < left.length || j < right.length) {
      const [a, b] = [left[i], right[j]];
      if (a !== undefined && this.#done.has(a.key)) i += 1;
      else if (b !== undefined && this.#done.has(b.key)) j += 1;
      else if (b !== undefined && (a === undefined || this.#isFirst(b, a))) this.#only("b", b);
      else if (a !== undefined) this.#event(a);
    }
  }

  #ends(): void {
    const of = (record: RunRecord): Json | undefined => {
      const { end, values } = record;
      if (end === undefined) return undefined;
      const { output, ...rest } = end;
      return { ...asJson(rest), output: values.value(output ?? null) };
    };
    const found = this.#differing(of(this.#a), of(this.#b), "end");
    if (found !== undefined) this.#part({ kind: this.#ownKind(), cause: "end", ...found });
  }

  /** Returns true if an event that only b has comes before one of a's. */
  #isFirst(b: RecordedEvent, a: RecordedEvent): boolean {
    if (this.#a.find(b.key) !== undefined) return false;
    // Where both have something of their own, what came from outside was there first.
    return this.#b.find(a.key) !== undefined || !this.#b.effects.has(b.key);
  }

  #event(a: RecordedEvent): void {
    const b = this.#b.find(a.key);
    if (b === undefined) {
      this.#only("a", a);
      return;
    }
    this.#done.add(a.key);
    this.#met.a.add(a.seq);
    this.#met.b.add(b.seq);
    const { key, seq: seqA, event } = a;
    const difference = this.#differing(answerOf(a.event), answerOf(b.event), key);
    const place = { cause: key, seqA, seqB: b.seq };
    this.#row({ ...place, type: event.type, what: "event" }, difference);
    if (difference !== undefined) this.#part({ kind: kindOf(event), ...place, ...difference });
    this.#issued(a, b);
    // Where answers came in another order, the states between them are not the same.
    this.#ordered &&= a.place === b.place;
    if (!this.#ordered || this.#parting !== undefined) return;
    const value = this.#differing(a.value as Json, b.value as Json, "value");
    if (value !== undefined) this.#part({ kind: this.#ownKind(), ...place, ...value });
  }

  #only(side: "a" | "b", own: RecordedEvent): void {
    this.#done.add(own.key);
    this.#met[side].add(own.seq);
    const { key, seq, event } = own;
    const place = side === "a" ? { seqA: seq } : { seqB: seq };
    const value = { [side]: { type: event.type, ...answerOf(event) } as Json };
    const difference: Differing = { path: key, ...value };
    this.#rows.push({
      cause: key,
      type: event.type,
      what: "event",
      status: `only ${side}`,
      ...place,
      difference,
    });
    this.#part({ kind: kindOf(event), cause: key, ...place, ...difference });
    for (const id of own.issued) this.#request(id);
  }

  #issued(a: RecordedEvent, b: RecordedEvent): void {
    for (const id of new Set([...a.issued, ...b.issued])) this.#request(id);
  }

  /** The requests, of both runs or of one. */
  #request(id: string): void {
    const key = `request ${id}`;
    if (this.#done.has(key)) return;
    const [a, b] = [this.#a.effects.get(id), this.#b.effects.get(id)];
    // A request follows from what came before it in either run: that is compared first.
    if (a !== undefined && !this.#met.a.has(a.seq)) return;
    if (b !== undefined && !this.#met.b.has(b.seq)) return;
    this.#done.add(key);
    const difference = this.#requests(id, a, b);
    const place = {
      cause: id,
      ...shapes.defined({ seqA: a?.seq, seqB: b?.seq }),
    };
    const type = (a ?? b)?.type ?? "";
    const only = a === undefined ? "only b" : b === undefined ? "only a" : undefined;
    this.#row({ ...place, type, what: "request" }, difference, only);
    if (difference !== undefined) this.#part({ kind: this.#ownKind(), ...place, ...difference });
  }

  #requests(
    id: string,
    a: RecordedEffect | undefined,
    b: RecordedEffect | undefined,
  ): Differing | undefined {
    if (a === undefined || b === undefined) {
      const request = (record: RunRecord, effect: RecordedEffect) => asked(record, effect);
      return {
        path: id,
        ...(a === undefined ? {} : { a: request(this.#a, a) }),
        ...(b === undefined ? {} : { b: request(this.#b, b) }),
      };
    }
    if (a.type !== b.type) return { path: `${id}.type`, a: a.type, b: b.type };
    for (const name of new Set([...a.parts.keys(), ...b.parts.keys()])) {
      const [left, right] = [a.parts.get(name), b.parts.get(name)];
      if (left === right) continue;
      // A time relative to the start of the run is not comparable.
      const delay = name === "until" ? delayOf(this.#a, a) : undefined;
      if (delay !== undefined && delay === delayOf(this.#b, b)) continue;
      const before = left === undefined ? undefined : this.#a.part(left);
      const now = right === undefined ? undefined : this.#b.part(right);
      const found = this.#differing(before?.value, now?.value, `${id}.${name}`);
      if (found !== undefined) return shifted(found, `${id}.${name}`, before?.from ?? 0);
    }
    return undefined;
  }

  #row(
    row: Omit<AlignedRow, "status" | "difference">,
    difference: Differing | undefined,
    only?: "only a" | "only b",
  ): void {
    const status = only ?? (difference === undefined ? "same" : "differs");
    this.#rows.push({ ...row, status, ...(difference === undefined ? {} : { difference }) });
  }

  /** The differences of a request that nothing from outside explains. */
  #ownKind(): PartingKind {
    return this.#configured ? "code" : "configuration";
  }

  #differing(a: Json | undefined, b: Json | undefined, path: string): Differing | undefined {
    const found = firstDifference(a, b, path);
    if (found === undefined) return undefined;
    const normal = firstDifference(
      normalised(a, this.#a.runIds),
      normalised(b, this.#b.runIds),
      path,
    );
    if (normal === undefined) return undefined;
    return {
      path: normal.path,
      ...shapes.defined({ a: normal.left, b: normal.right }),
    };
  }
}

/** A request with all its parts. */
function asked(record: RunRecord, { type, parts }: RecordedEffect): Json {
  const shown = [...parts].map(([name, node]) => [name, record.part(node).value] as const);
  return { type, ...Object.fromEntries(shown) };
}

/** The time from the event that asked for a timer until it is due. */
function delayOf(record: RunRecord, { type, at, parts }: RecordedEffect): number | undefined {
  const until = type === "timer" ? record.part(parts.get("until") ?? null).value : undefined;
  return typeof until === "number" ? until - at : undefined;
}

/** The index of what came to a List, counted from the List's beginning. */
function shifted(found: Differing, path: string, from: number): Differing {
  const rest = found.path.slice(path.length);
  const moved = rest.replace(/^\[(\d+)\]/, (_, index) => `[${Number(index) + from}]`);
  return { ...found, path: `${path}${moved}` };
}

/** The parts of an event that do not depend on when it came, what it cost and whose it was. */
function answerOf(event: RunEvent): JsonObject {
  const {
    id: _id,
    at: _at,
    attempts: _attempts,
    usage: _usage,
    responseId: _response,
    warnings: _warnings,
    runId: _runId,
    ...rest
  } = asJson(event);
  return rest;
}

const kinds: readonly (readonly [prefix: string, kind: PartingKind])[] = [
  ["llm.", "model output"],
  ["tool.", "tool result"],
  ["approval.", "decision"],
  ["read.", "store result"],
  ["write.", "store result"],
  ["run.", "child run"],
  ["timer.", "timer"],
];

function kindOf({ type }: RunEvent): PartingKind {
  return kinds.find(([prefix]) => String(type).startsWith(prefix))?.[1] ?? "input";
}

/** A value in which the run's own ids are the same word in every run. */
function normalised(value: Json | undefined, runIds: ReadonlySet<string>): Json | undefined {
  if (typeof value === "string") return withoutIds(value, runIds);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => normalised(item, runIds) as Json);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, normalised(item, runIds) as Json]),
  );
}

function withoutIds(text: string, runIds: ReadonlySet<string>): string {
  let out = text;
  for (const id of runIds) {
    if (!out.includes(id)) continue;
    const parts = out.split(id);
    out = parts.reduce((whole, part) => {
      const alone = !/[\w-]$/.test(whole) && !/^[\w-]/.test(part);
      return `${whole}${alone ? "(run)" : id}${part}`;
    });
  }
  return out;
}
