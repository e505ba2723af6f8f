/**
 * Work, counted and not timed. It is imported before the sources, for their side effects' sake too:
 * `import "…/support/work.js"` first, alone. The engine counts only what it compiles afterwards.
 */
import { type HeapProfiler, type Profiler, Session } from "node:inspector";
import { setFlagsFromString } from "node:v8";
import { expect } from "vitest";

/** What some work came to. None of it knows of a clock, or of what else the machine does. */
export interface Work {
  /** How often blocks of our own sources were run: their functions, loops and branches. */
  readonly blocks: number;
  /** Bytes that were taken, those given back included: what is copied. A sample, true to some percent. */
  readonly bytes: number;
  /** How many items the engine's own searches and moves may have gone through. */
  readonly searched: number;
}

/** Mutants are tried in one process, all of them: what counts there would slow all tests down. */
const counts = process.env.MUTATE_LOG === undefined;
const session = new Session();
if (counts) {
  // Code that is optimised counts no more calls.
  for (const flag of ["--no-opt", "--no-maglev"]) setFlagsFromString(flag);
  session.connect();
  ask("Profiler.enable");
  ask("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
}

function ask<T>(method: string, given: object = {}): T {
  let answer: T | undefined;
  session.post(method, given, (error, result) => {
    if (error !== null) throw error;
    answer = result as T;
  });
  return answer as T;
}

/** Bytes between one sample and the next, on average. */
const SAMPLED = 16_384;

/** Counts what some work comes to. */
export async function workOf(work: () => unknown): Promise<Work> {
  if (!counts) {
    await work();
    return { blocks: 0, bytes: 0, searched: 0 };
  }
  ask("Profiler.takePreciseCoverage");
  ask("HeapProfiler.startSampling", {
    samplingInterval: SAMPLED,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  const searches = countSearches();
  try {
    await work();
  } finally {
    searches.end();
  }
  const heap = ask<HeapProfiler.StopSamplingReturnType>("HeapProfiler.stopSampling");
  const run = ask<Profiler.TakePreciseCoverageReturnType>("Profiler.takePreciseCoverage");
  return { blocks: blocksIn(run), bytes: bytesIn(heap.profile.head), searched: searches.items };
}

/**
 * Fails where work on many costs each more than work on few does, in blocks, bytes or searches.
 * @param prepare makes some work on so many; what it does before is not counted
 * @param most how many times more each may cost
 */
export async function expectFlat(
  prepare: (count: number) => Prepared | Promise<Prepared>,
  few: number,
  many: number,
  most = 1.5,
): Promise<void> {
  // What is done for the first time compiles, and fills what is kept.
  await (await prepare(few))();
  const less = await workOf(await prepare(few));
  const more = await workOf(await prepare(many));
  expectGrowth(less, more, (most * many) / few, few);
}

/**
 * Fails where one of the kinds of work has grown by more.
 * @param least less than so much of it was nothing that could have grown
 */
export function expectGrowth(from: Work, to: Work, most: number, least = 1): void {
  const nothing: Work = { blocks: least, bytes: 20 * SAMPLED, searched: least };
  for (const kind of ["blocks", "bytes", "searched"] as const) {
    expect(to[kind] / Math.max(nothing[kind], from[kind]), kind).toBeLessThan(most);
  }
}

type Prepared = () => unknown;

function blocksIn({ result }: Profiler.TakePreciseCoverageReturnType): number {
  let blocks = 0;
  for (const { url, functions } of result) {
    if (!/\/(src|dist)\//.test(url) || url.includes("/node_modules/")) continue;
    for (const { ranges } of functions) for (const { count } of ranges) blocks += count;
  }
  return blocks;
}

function bytesIn(head: HeapProfiler.SamplingHeapProfileNode): number {
  let bytes = 0;
  const left = [head];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    bytes += node.selfSize;
    left.push(...node.children);
  }
  return bytes;
}

/** What goes through an array in the engine, where neither blocks nor bytes tell of it. */
const SEARCHES = ["includes", "indexOf", "lastIndexOf", "shift", "splice", "unshift"] as const;

function countSearches(): { readonly items: number; end(): void } {
  const counted = { items: 0, end: () => {} };
  const own = Object.getOwnPropertyDescriptors(Array.prototype) as Record<
    string,
    PropertyDescriptor
  >;
  for (const name of SEARCHES) {
    const search = own[name]?.value as (...given: unknown[]) => unknown;
    Object.defineProperty(Array.prototype, name, {
      ...own[name],
      value(this: unknown[], ...given: unknown[]) {
        counted.items += this.length;
        return search.apply(this, given);
      },
    });
  }
  counted.end = () => {
    for (const name of SEARCHES) Object.defineProperty(Array.prototype, name, own[name] as never);
  };
  return counted;
}
