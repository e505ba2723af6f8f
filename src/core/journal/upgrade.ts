/**
 * Upgrade lines: from this line on a run continues under another configuration of its reasoner. The
 * line contains the migrated state, so that later readers need neither the migration nor the old
 * code. So a journal is a sequence of segments, each with one configuration.
 */
import {
  isReckonerError,
  type Json,
  type JsonObject,
  type Reasoner,
  ReckonerError,
} from "../kernel/index.js";
import type { Glance } from "./decode-line.js";
import { snapshotOf } from "./decode-snapshot.js";
import { joinContent } from "./from-content.js";
import type { Configuration, HeaderLine, Line, UpgradeLine } from "./line.js";
import { type Remembered, snapshotDigest } from "./snapshot.js";

/** The configuration of a reasoner, as a header or an upgrade has it. */
export function configurationOf({
  version,
  fingerprint,
  configuration,
}: Pick<Reasoner, "version" | "fingerprint" | "configuration">): Configuration {
  return { version, fingerprint, configuration };
}

/** The configuration under which a journal begins. */
export function firstConfiguration(header: HeaderLine): Configuration {
  const { fingerprint, configuration, reasoner } = header;
  const parts = configuration === undefined ? {} : { configuration };
  return { version: reasoner.version, fingerprint, ...parts };
}

/** Whether a configuration is that of a reasoner. */
export function isOf(
  { fingerprint }: Configuration,
  reasoner: { readonly fingerprint: string },
): boolean {
  return fingerprint === reasoner.fingerprint;
}

/** What tells two configurations apart, in words: `tools.search is new, system differs`. */
export function differenceOf(from: Configuration, to: Configuration): string {
  const said: string[] = [];
  if (from.version !== to.version) said.push(`version ${from.version} became ${to.version}`);
  const before = from.configuration ?? {};
  const after = to.configuration ?? {};
  for (const part of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (before[part] === after[part]) continue;
    if (!Object.hasOwn(before, part)) said.push(`${part} is new`);
    else said.push(`${part} ${Object.hasOwn(after, part) ? "differs" : "is gone"}`);
  }
  return said.length === 0 ? "something that has no name differs" : said.join(", ");
}

/** Reads upgrades: lines are taken in one by one, in their order. */
export class UpgradeReader {
  #parts: Record<string, Json> | undefined;

  /**
   * Takes a line in.
   * @returns what an upgrade's line says that the run is from here on; `undefined` for any other
   * @throws ReckonerError `journal.format` where its state is not the one that it proves
   */
  take(
    line: Line | Glance,
    number: number,
  ): { readonly upgrade: UpgradeLine["upgrade"]; readonly to: Remembered | undefined } | undefined {
    if ("more" in line) {
      if (line.parts !== undefined) this.#add(line.parts, number);
      return undefined;
    }
    if (!("upgrade" in line)) {
      this.#parts = undefined;
      return undefined;
    }
    const { upgrade, parts, state } = line;
    if (parts === undefined || state === undefined) return { upgrade, to: undefined };
    this.#add(parts, number);
    const to = remembered(this.#parts as JsonObject);
    this.#parts = undefined;
    if (typeof to === "string") throw wrong(number, to);
    if (snapshotDigest(to) !== state) throw wrong(number, "it is not the one that its line proves");
    return { upgrade, to };
  }

  #add(parts: JsonObject, number: number): void {
    // An upgrade names its reasoner once: what stands before a second time is of one that was never
    // written to its end.
    const again = this.#parts !== undefined && "reasoner" in this.#parts && "reasoner" in parts;
    if (this.#parts === undefined || again) this.#parts = {};
    for (const [path, content] of Object.entries(parts)) {
      const known = this.#parts[path];
      try {
        this.#parts[path] = known === undefined ? content : joinContent(known, content);
      } catch (thrown) {
        throw wrong(number, isReckonerError(thrown) ? thrown.message : String(thrown));
      }
    }
  }
}

/** @returns in words what is wrong with it */
function remembered(parts: JsonObject): Remembered | string {
  const state: Record<string, Json> = {};
  const context: Record<string, Json> = {};
  const memory: Record<string, Json> = {};
  for (const [path, content] of Object.entries(parts)) {
    const [first, key] = /^(context|memory)\/(.*)$/s.exec(path)?.slice(1) ?? [];
    if (key === "__proto__") return "a field has a forbidden name";
    if (first === "context") context[key as string] = content;
    else if (first === "memory") memory[key as string] = content;
    else state[path] = content;
  }
  return snapshotOf({ context, ...state }, memory);
}

function wrong(number: number, why: string): ReckonerError {
  return new ReckonerError(
    "journal.format",
    `Line ${number} is an upgrade whose state cannot be taken: ${why.replace(/\.$/, "")}. The journal is left as it is; restore it from a copy.`,
    { place: `line ${number}` },
  );
}
