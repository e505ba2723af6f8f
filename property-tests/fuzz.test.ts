// A structured fuzzer: hostile journals, snapshots, configs, answers, results, contexts, operations and
// schemas end well or are refused with a code, in bounded time, and leave files as they were. FUZZ_CASES
// says how many of each (the soak takes many), RECKONER_SEED where to begin. A find prints its seed; it
// is kept in `finds` below.
import { expect, it } from "vitest";
import { Random } from "./fuzz/hostile.js";
import { type Outcome, targets } from "./fuzz/targets.js";
import { seeds } from "./setup.js";

const cases = Number(process.env.FUZZ_CASES ?? 150);
/** Those that start a run on disk, or load a module, take longer. */
const slow: readonly string[] = ["snapshots", "configs"];
/** What one case may take, in milliseconds; some machines are slow, none is that slow. */
const HANGS_MS = 60_000;

/** Seeds of cases that once failed, by target. */
const finds: { readonly [target: string]: readonly number[] } = {
  // A header with a whole document for its format, which was told in full.
  journals: [372_878_266],
};

async function inTime(name: string, seed: number): Promise<Outcome> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hangs = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("It hangs.")), HANGS_MS);
  });
  try {
    return await Promise.race([targets[name]?.(new Random(seed)) as Promise<Outcome>, hangs]);
  } catch (thrown) {
    throw new Error(`The case ${seed} of ${name}: ${String((thrown as Error)?.stack ?? thrown)}`, {
      cause: thrown,
    });
  } finally {
    clearTimeout(timer);
  }
}

it.each(Object.keys(targets))(
  "%s: hostile ones end well or with a code",
  async (name) => {
    const seen = { well: 0, refused: 0 };
    const many = slow.includes(name) ? Math.ceil(cases / 10) : cases;
    for (const seed of finds[name] ?? []) seen[await inTime(name, seed)] += 1;
    for (const first of seeds) {
      for (let i = 0; i < many; i++) seen[await inTime(name, first + i * 7919)] += 1;
    }
    expect(seen.well + seen.refused).toBeGreaterThanOrEqual(many);
    // A target that refuses nothing tries nothing; what ports and snapshots say is never refused.
    if (!["snapshots", "answers", "results"].includes(name))
      expect(seen.refused).toBeGreaterThan(0);
  },
  3_600_000,
);
