// What a row of the bench gives: figures, each measured in several rounds. A figure that two machines
// may be compared by is a ratio between two things that were measured in turns in the same process.
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
 * Seconds of processor time that a function takes, for what waits for nothing: on a quiet machine they
 * are the clock's, and on a busy one what others do is left out.
 */
export async function cpuSeconds(work) {
  const began = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(began);
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
