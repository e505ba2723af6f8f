// Hosts of many runs, simulated over the real code: clocks that differ, calls of the store that fail, hosts that are
// killed. A failure is a seed.
//
//   npm run simulate                        for a minute, from a fresh seed on
//   npm run simulate -- --seconds 10        for less
//   npm run simulate -- --seed 7            one seed
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createJiti } from "jiti";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string" },
  },
});
const src = resolve(import.meta.dirname, "../src");
const alias = {
  "#platform": join(src, "platform/node.ts"),
  "reckoner/serve": join(src, "serve.ts"),
  reckoner: join(src, "index.ts"),
};
const { simulate } = await createJiti(import.meta.url, { alias }).import(
  "../test/support/serve-simulation.ts",
);

const first = values.seed === undefined ? Date.now() % 1_000_000_000 : Number(values.seed);
const until = performance.now() + 1_000 * Number(values.seconds);
const begun = performance.now();
const sums = { seeds: 0, ms: 0, kills: 0, effects: 0 };
const broken = [];
do {
  const seed = first + sums.seeds;
  const { ms, kills, effects, ...found } = await simulate({ seed });
  for (const each of found.broken) broken.push(`seed ${seed}: ${each}`);
  sums.seeds += 1;
  sums.ms += ms;
  sums.kills += kills;
  sums.effects += effects;
} while (values.seed === undefined && performance.now() < until && broken.length === 0);

const minutes = (performance.now() - begun) / 60_000;
const hours = sums.ms / 3_600_000;
console.log(
  [
    `simulate: ${sums.seeds} seeds from ${first} on`,
    `${sums.kills} kills, ${sums.effects} effects`,
    `${hours.toFixed(1)} hours of production in ${(minutes * 60).toFixed(1)} s, ${(hours / minutes).toFixed(1)} a minute`,
    `${broken.length} broken`,
  ].join("; "),
);
for (const each of broken) console.error(`${each}\nRepeat it with --seed ${each.match(/\d+/)}`);
process.exit(broken.length > 0 ? 1 : 0);
