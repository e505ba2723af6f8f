// Hosts of many runs, simulated over the real code: clocks that differ, calls of the store that fail, hosts that are
// killed, drained and cut off, later code that is rolled out, people who edit what they said. A failure is a seed.
// Then faults are planted in the store, and each has to be found.
//
//   npm run simulate                        for 50 seconds, from a fresh seed on, and the planted faults
//   npm run simulate -- --seconds 10        for less, without the planted faults, which are tests as well
//   npm run simulate -- --seed 7            one seed, without planted faults
//   RECKONER_SEED=7 npm run simulate        from that seed on
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createJiti } from "jiti";

const { values } = parseArgs({
  options: {
    seconds: { type: "string" },
    seed: { type: "string" },
  },
});
const src = resolve(import.meta.dirname, "../src");
const alias = {
  "#platform": join(src, "platform/node.ts"),
  "reckoner/serve": join(src, "serve.ts"),
  reckoner: join(src, "index.ts"),
};
const jiti = createJiti(import.meta.url, { alias });
const { ROUGH, simulate } = await jiti.import("../test/support/serve-simulation.ts");
const { plantedFaults } = await jiti.import("../test/support/serve-faults.ts");
/** So many seeds find a planted fault, or it is not found. */
const MOST_SEEDS = 100;

const first = Number(values.seed ?? process.env.RECKONER_SEED ?? Date.now() % 1_000_000_000);
const until = performance.now() + 1_000 * Number(values.seconds ?? 50);
const begun = performance.now();
const sums = {};
const broken = [];
let seeds = 0;
do {
  const seed = first + seeds;
  const { broken: found, ...counts } = await simulate({ seed });
  for (const each of found) broken.push(`seed ${seed}: ${each}\nRepeat it with --seed ${seed}`);
  for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  seeds += 1;
} while (values.seed === undefined && performance.now() < until && broken.length === 0);

const minutes = (performance.now() - begun) / 60_000;
const { ms, ...rest } = sums;
const hours = ms / 3_600_000;
console.log(
  [
    `simulate: ${seeds} seeds from ${first} on`,
    Object.entries(rest)
      .map(([name, count]) => `${count} ${name}`)
      .join(", "),
    `${hours.toFixed(1)} hours of production in ${(minutes * 60).toFixed(1)} s, ${(hours / minutes).toFixed(1)} a minute`,
    `${broken.length} broken`,
  ].join("; "),
);
if (values.seed === undefined && values.seconds === undefined && broken.length === 0) {
  for (const [name, plant] of Object.entries(plantedFaults)) {
    let n = 0;
    while (
      n < MOST_SEEDS &&
      (await simulate({ ...ROUGH, seed: first + n, plant })).broken.length === 0
    )
      n += 1;
    if (n < MOST_SEEDS) console.log(`planted: ${name}: found with seed ${n + 1}`);
    else broken.push(`planted: ${name}: not found by ${MOST_SEEDS} seeds from ${first} on`);
  }
}
for (const each of broken) console.error(each);
process.exit(broken.length > 0 ? 1 : 0);
