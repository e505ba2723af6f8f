// Writes the fixtures of the oracle anew, and says how they differ from those that were there;
// `scripts/oracle.mjs` runs it.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compare, inWords } from "./compare.js";
import { parsed, type Recorded, recorded, textOf } from "./record.js";
import { families, scenariosOf } from "./scenarios.js";

/** What to do. */
export interface WriteOptions {
  /** The folder of the fixtures. */
  readonly folder: string;
  /** Whether differences in what happens are written too, not only those in what is held. */
  readonly all: boolean;
}

/** @returns whether everything that differs was written */
export async function write({ folder, all }: WriteOptions): Promise<boolean> {
  const texts = new Map<string, string>();
  const counts = { same: 0, fresh: 0, contents: 0, shape: 0 };
  for (const family of families) {
    const file = join(folder, `${family}.txt`);
    const kept = parsed(existsSync(file) ? readFileSync(file, "utf8") : "");
    const played: Recorded[] = [];
    for (const scenario of scenariosOf(family)) {
      const now = await recorded(scenario);
      played.push(now);
      const before = kept.get(scenario.name);
      const kind = kindOf(before, now);
      counts[kind] += 1;
      const isFirst = counts[kind] === 1;
      if (before === undefined || !isFirst || kind === "same") continue;
      const { first } = compare(before, now, []);
      if (first !== undefined) console.log(`The first of its kind (${kind}):\n${inWords(first)}\n`);
    }
    texts.set(file, textOf(played));
  }
  const { same, fresh, contents, shape } = counts;
  console.log(
    `${same} scenarios are as they were, ${fresh} are new, in ${contents} only what events, directives and states hold differs, in ${shape} something else happens.`,
  );
  if (shape > 0 && !all) {
    console.log("Nothing was written. If that is meant: node scripts/oracle.mjs --all");
    return false;
  }
  for (const [file, text] of texts) writeFileSync(file, text);
  return true;
}

function kindOf(
  before: Recorded | undefined,
  now: Recorded,
): "same" | "fresh" | "contents" | "shape" {
  if (before === undefined) return "fresh";
  if (before.shape !== now.shape) return "shape";
  return before.contents === now.contents ? "same" : "contents";
}

/** Prints one scenario with all that its digests stand for. */
export async function show(name: string): Promise<boolean> {
  const scenario = families.flatMap(scenariosOf).find((each) => each.name === name);
  if (scenario === undefined) {
    console.error(`No scenario is called ${name}; there are agents 01, trees 07 and others.`);
    return false;
  }
  const { about, sections } = await recorded(scenario);
  console.log(`# ${name}: ${about}`);
  for (const section of sections) {
    console.log(`[${section.name}]`);
    for (const { text, contents, details } of section.lines) {
      console.log(contents === undefined ? text : `${text} | ${contents}`);
      if (details !== undefined) console.log(`    ${details()}`);
    }
  }
  return true;
}
