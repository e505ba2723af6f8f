// Answers are heard in the order of asking, and what that costs in time is counted, not measured: on a virtual
// clock each call takes a drawn latency, and the run's end is compared with that of an interpreter that begins
// each operation the moment it could.
import { expect, it } from "vitest";
import { countingPolicy } from "../../../../examples/thoughts/keywords.js";
import { mergingPolicy } from "../../../../examples/thoughts/merging.js";
import { setPolicy } from "../../../../examples/thoughts/sets.js";
import { sortingPolicy } from "../../../../examples/thoughts/sorting.js";
import type { LlmDirective } from "../../../../src/index.js";
import {
  aggregate,
  generate,
  groundTruth,
  keepBest,
  type OperationSpec,
  plan,
  score,
  select,
  type ThoughtsPolicy,
  thoughts,
} from "../../../../src/thoughts.js";
import { answer } from "./drive.js";

interface Shape {
  readonly kind: string;
  readonly after: readonly string[];
  readonly responses?: number;
  readonly samples?: number;
  readonly n?: number;
  readonly by?: unknown;
}

/** Draws between 0 and 1, the same for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Latencies of calls by their ids: log-normal, median 1, sigma 0.6; the same for both interpreters. */
function latencies(seed: number): (id: string) => number {
  const next = random(seed);
  const known = new Map<string, number>();
  return (id) => {
    const found = known.get(id);
    if (found !== undefined) return found;
    const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
    known.set(id, Math.exp(0.6 * normal));
    return known.get(id) as number;
  };
}

/** Calls on a virtual clock, so many at a time, in the order of asking. */
class Clock {
  now = 0;
  readonly #waiting: string[] = [];
  readonly #running = new Map<string, number>();
  readonly #slots: number;
  readonly #latency: (id: string) => number;
  constructor(slots: number, latency: (id: string) => number) {
    this.#slots = slots;
    this.#latency = latency;
  }
  ask(id: string): void {
    this.#waiting.push(id);
  }
  /** The next call that is answered. */
  next(): string | undefined {
    while (this.#running.size < this.#slots && this.#waiting.length > 0) {
      const id = this.#waiting.shift() as string;
      this.#running.set(id, this.now + this.#latency(id));
    }
    const first = [...this.#running].sort(([, a], [, b]) => a - b)[0];
    if (first === undefined) return undefined;
    this.#running.delete(first[0]);
    this.now = first[1];
    return first[0];
  }
}

const same = ({ kind, responses, samples, n, after }: Shape, id: string): OperationSpec => {
  const place = { id, after };
  if (kind === "generate") return generate({ ...place, responses, prompt: () => "?" });
  if (kind === "aggregate") return aggregate({ ...place, responses, prompt: () => "?" });
  if (kind === "score" && samples === undefined) return score({ ...place, by: () => 1 });
  if (kind === "score") return score({ ...place, samples, prompt: () => "?", parse: () => 1 });
  if (kind === "keepBest") return keepBest({ ...place, n });
  if (kind === "groundTruth") return groundTruth({ ...place, by: () => true });
  return select({ ...place, where: (all) => all.slice(0, 1) });
};

/** The run on the machine itself. */
function inOrder(policy: ThoughtsPolicy, clock: Clock): number {
  const reasoner = thoughts({ policy });
  let { state, directives } = reasoner.start("why?", { at: 0, runId: "r" });
  const calls = new Map<string, LlmDirective>();
  for (let at = 1; ; at++) {
    for (const each of directives) {
      if (each.type !== "llm") continue;
      calls.set(each.id, each);
      clock.ask(each.id);
    }
    const id = clock.next();
    if (id === undefined || state.status !== "active") break;
    const event = answer(calls.get(id) as LlmDirective, () => "so", at);
    ({ state, directives } = reasoner.step(state, event));
  }
  expect(state.value).toBe("completed");
  return clock.now;
}

/** The same calls, each operation begun when all that it comes after are done. */
function atOnce(shapes: ReadonlyMap<string, Shape>, clock: Clock): number {
  const sizes = new Map<string, number>();
  const open = new Map<string, number>();
  const begun = new Set<string>();
  const conclude = (): void => {
    for (const [id, { kind, after, responses = 1, samples, n = 1 }] of shapes) {
      if (begun.has(id) || !after.every((each) => open.get(each) === 0)) continue;
      begun.add(id);
      const inputs =
        after.length === 0 ? 1 : after.reduce((sum, each) => sum + (sizes.get(each) ?? 0), 0);
      const groups = kind === "aggregate" ? 1 : inputs;
      const each = kind === "generate" || kind === "aggregate" ? responses : (samples ?? 0);
      const count = ["generate", "aggregate", "score"].includes(kind) ? groups * each : 0;
      const made = kind === "generate" || kind === "aggregate" ? groups * responses : inputs;
      sizes.set(id, kind === "keepBest" ? Math.min(n, inputs) : kind === "select" ? 1 : made);
      open.set(id, count);
      for (let i = 0; i < groups; i++) {
        for (let k = 0; k < count / groups; k++) clock.ask(`llm/${id}/${i}/${k}`);
      }
      if (count === 0) conclude();
    }
  };
  conclude();
  for (let id = clock.next(); id !== undefined; id = clock.next()) {
    const operation = id.split("/")[1] as string;
    open.set(operation, (open.get(operation) as number) - 1);
    if (open.get(operation) === 0) conclude();
  }
  return clock.now;
}

/** As many as the aim was set for: some minutes. */
const DRAWS = 1_000;

it.each<readonly [string, () => unknown]>([
  ["sorting 64, a tree", () => sortingPolicy("tot", 64)],
  ["sorting 32, a graph", () => sortingPolicy("got", 32)],
  ["sorting 64, a graph", () => sortingPolicy("got", 64)],
  ["sorting 128, a graph", () => sortingPolicy("got", 128)],
  ["sets 128, a graph", () => setPolicy("got", 128)],
  ["keywords of 4, a graph", () => countingPolicy("got", 4)],
  ["keywords of 8, a graph", () => countingPolicy("got", 8)],
  ["merging, two pairs", () => mergingPolicy("got2")],
])("%s: the end is at most 1.12 times as late as it could be", (_what, policyOf) => {
  const { operations } = policyOf() as ThoughtsPolicy;
  // A validation by a function asks nothing here.
  const shapes = new Map(
    [...operations].map(([name, operation]): [string, Shape] => {
      const own = operation as unknown as Shape;
      const kind = own.kind === "validate" ? "select-all" : own.kind;
      const samples = own.kind === "score" && own.by === undefined ? (own.samples ?? 1) : undefined;
      return [name, { ...own, kind, samples: samples as number }];
    }),
  );
  const specs = [...shapes].map(([id, shape]) =>
    shape.kind === "select-all"
      ? select({ id, after: shape.after, where: (all) => all })
      : same(shape, id),
  );
  const policy = plan(specs);
  for (const slots of [4, 16, Number.POSITIVE_INFINITY]) {
    let [mine, theirs] = [0, 0];
    for (let seed = 0; seed < DRAWS; seed++) {
      const latency = latencies(seed);
      theirs += atOnce(shapes, new Clock(slots, latency));
      mine += inOrder(policy, new Clock(slots, latency));
    }
    expect([slots, mine / theirs > 0.97, mine / theirs <= 1.12]).toEqual([slots, true, true]);
  }
});
