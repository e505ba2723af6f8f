// The yardstick: what this machine does at this moment with what a journal is made of, in the engine's
// own functions: a record of 600 bytes is parsed, written and hashed. Figures in yardsticks may be
// compared between machines and between hours of a busy one; a second may not.
import { hash } from "node:crypto";
import { cpuSeconds } from "./figure.mjs";

const record = JSON.stringify(
  Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`key-${i}`, ["a value", i, { i }]])),
);

/** How many seconds a yardstick takes now. */
export async function yardstick(count = 2_000) {
  const took = await cpuSeconds(() => {
    let text = record;
    for (let i = 0; i < count; i++) {
      text = JSON.stringify(JSON.parse(text));
      hash("sha256", text, "base64url");
    }
  });
  return took / count;
}
