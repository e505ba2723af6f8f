// What a row of the bench gives: figures, each measured in several rounds. A figure that two machines
// may be compared by is a ratio between two things that were measured in turns in the same process.
import { existsSync, readFileSync } from "node:fs";
import { median } from "./numbers.mjs";

/**
 * @param id stands in bench/baseline.json
 * @param what for people, with its unit
 * @param values one of each round
 * @param aim `{ atLeast }` or `{ atMost }`, or none; the first also says which way is better
 * @param kept whether it is compared with the baseline: it is, where it is a ratio or counts bytes
 */
export function figure(id, what, values, { aim, kept = false, better } = {}) {
  const up = aim?.atLeast !== undefined || better === "more";
  const value = median(values);
  const met = aim === undefined ? undefined : up ? value >= aim.atLeast : value <= aim.atMost;
  return {
    id,
    what,
    value,
    spread: [Math.min(...values), Math.max(...values)],
    rounds: values.length,
    ...(aim === undefined ? {} : { aim, met }),
    kept,
    better: up ? "more" : "less",
  };
}

/** Seconds that a function takes. */
export async function seconds(work) {
  const began = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - began) / 1e9;
}

/**
 * Seconds of processor time of the main thread, for what waits for nothing: on a quiet machine they are
 * the clock's, and on a busy one what others do is left out. So is what the engine's own threads do at
 * the same time (compiling, collecting garbage); `threadShare` says how much that is.
 */
export async function cpuSeconds(work) {
  const began = mainThreadSeconds();
  await work();
  return mainThreadSeconds() - began;
}

/** What all threads of the process take for a function, against its main thread alone. */
export async function threadShare(work) {
  const began = process.cpuUsage();
  const main = await cpuSeconds(work);
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1e6 / main;
}

/** Linux tells it of each thread; elsewhere it is the whole process's. */
const SCHEDULED = `/proc/self/task/${process.pid}/schedstat`;
const isTold = existsSync(SCHEDULED);

export function mainThreadSeconds() {
  if (isTold) return Number(readFileSync(SCHEDULED, "utf8").split(" ")[0]) / 1e9;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** So many rounds, in each all works in turns: A B A B. @returns the results of each work */
export async function inTurns(rounds, works) {
  const results = works.map(() => []);
  for (let i = 0; i < rounds; i++) {
    for (const [k, work] of works.entries()) results[k].push(await work(i));
  }
  return results;
}

export const ratios = (above, below) => above.map((value, i) => value / below[i]);
