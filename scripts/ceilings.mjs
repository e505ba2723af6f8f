// Numbers that may only go down: scripts/ceilings.json holds for each count what it may be at most.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = join(import.meta.dirname, "ceilings.json");

/** With `--check` fails where a count is above its ceiling; with `--lower` lowers ceilings to the counts. */
export function holdToCeilings(of, counts) {
  const all = JSON.parse(readFileSync(FILE, "utf8"));
  const ceilings = all[of] ?? {};
  if (process.argv.includes("--lower")) {
    const lowered = Object.entries(counts).map(([name, count]) => [
      name,
      Math.min(count, ceilings[name] ?? count),
    ]);
    const text = JSON.stringify({ ...all, [of]: Object.fromEntries(lowered) }, null, 2);
    writeFileSync(FILE, `${text}\n`);
  }
  if (!process.argv.includes("--check")) return;
  const above = Object.entries(counts).filter(([name, count]) => count > (ceilings[name] ?? 0));
  for (const [name, count] of above) {
    console.error(`${of}: ${name} has ${count}, and may have ${ceilings[name] ?? 0} at most.`);
  }
  if (above.length > 0) process.exitCode = 1;
}
