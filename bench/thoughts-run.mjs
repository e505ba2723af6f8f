// What the benches of thoughts have in common: the examples' modules, and one run.
import { createJiti } from "jiti";
import { ensureBuilt } from "../scripts/ensure-built.mjs";

await ensureBuilt();
const dist = (name) => new URL(`../dist/${name}.js`, import.meta.url).pathname;
const alias = Object.fromEntries(
  ["kernel", "thoughts"].map((name) => [`reckoner/${name}`, dist(name)]),
);
const jiti = createJiti(import.meta.url, { alias: { ...alias, reckoner: dist("index") } });

export const { tables, vectors } = await import(dist("kernel"));

/** A module of examples/thoughts, with the built package under it. */
export const load = (name) => jiti.import(`../examples/thoughts/${name}.ts`);

/** One run, stepped by hand: no journal is needed here. The state, and what was called and answered. */
export async function runOne(reasoner, model, input, seed) {
  const signal = new AbortController().signal;
  let { state, directives } = reasoner.start(input, { at: 0, runId: "bench", seed });
  const calls = [];
  const queue = [...directives];
  for (let i = 0; i < queue.length && state.status === "active"; i++) {
    const { type, id, messages, settings } = queue[i];
    if (type !== "llm") continue;
    const answer = await model.generate({ messages, settings }, { signal });
    calls.push({ id, tokens: answer.usage.totalTokens });
    const event = { type: "llm.succeeded", id, at: i, ...answer };
    ({ state, directives } = reasoner.step(state, event));
    queue.push(...directives);
  }
  return { output: reasoner.output(state), state, calls };
}
