/**
 * Upgrade lines: from this line on a run continues under another configuration of its reasoner. The
 * line contains the migrated state, so that later readers need neither the migration nor the old
 * code. So a journal is a sequence of stretches, each with one configuration.
 */
import {
  isJsonObject,
  isReckonerError,
  type Json,
  type JsonObject,
  type Reasoner,
  ReckonerError,
  upgradeRefused,
} from "../kernel/index.js";
import { contentOf, joinContent, splitContent } from "./content.js";
import type { Glance } from "./decode-line.js";
import {
  type Configuration,
  type HeaderLine,
  type Line,
  MAX_LINE_LENGTH,
  SPILL_LENGTH,
  type UpgradeLine,
} from "./line.js";
import { type Snapshot, snapshotDigest, snapshotOf } from "./snapshot.js";

/** A state with what the journal remembers at it. */
export type Remembered = Pick<Snapshot, "state" | "memory">;

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

/** The parts of a state and of what is remembered, a field each, by their content. */
function partsOf({ state, memory }: Remembered): readonly (readonly [string, Json])[] {
  const { context, ...rest } = state;
  const fields = (prefix: string, value: object) =>
    Object.entries(contentOf(value as Json) as JsonObject).map(
      ([key, content]) => [`${prefix}${key}`, content] as const,
    );
  const own: readonly (readonly [string, Json])[] = isJsonObject(context as Json)
    ? fields("context/", context as object)
    : [["context", contentOf((context ?? null) as Json)]];
  return [...fields("", rest), ...own, ...fields("memory/", memory)];
}

/**
 * The texts of an upgrade's lines, each without its hash: parts that would make it too long stand in
 * lines of their own before it.
 * @param to the state from here on; absent where the run has not begun
 * @throws ReckonerError `upgrade.refused` where a part cannot be recorded
 */
export function upgradeTexts(
  upgrade: UpgradeLine["upgrade"],
  to: Remembered | undefined,
): readonly string[] {
  const head = `{"upgrade":${JSON.stringify(upgrade)}`;
  if (to === undefined) return [head];
  const lines: string[] = [];
  let open: string[] = [];
  let names = new Set<string>();
  let length = 0;
  const spill = () => {
    if (open.length > 0) lines.push(`{"parts":{${open.join(",")}},"more":true`);
    open = [];
    names = new Set();
    length = 0;
  };
  for (const [path, content] of partsOf(to)) {
    for (const text of textsOf(path, content)) {
      if (names.has(path) || length + text.length > SPILL_LENGTH) spill();
      open.push(`${JSON.stringify(path)}:${text}`);
      names.add(path);
      length += text.length;
    }
  }
  lines.push(`${head},"parts":{${open.join(",")}},"state":"${snapshotDigest(to)}"`);
  return lines;
}

function textsOf(path: string, content: Json): readonly string[] {
  const whole = JSON.stringify(content);
  if (whole.length <= SPILL_LENGTH / 2) return [whole];
  const parts = splitContent(content, SPILL_LENGTH / 2)?.map((part) => JSON.stringify(part));
  const texts = parts ?? [whole];
  const most = texts.reduce((longest, text) => Math.max(longest, text.length), 0);
  if (most <= MAX_LINE_LENGTH / 2) return texts;
  throw upgradeRefused(
    `${path} holds a value of ${most} characters, and more than 8 MiB cannot be recorded`,
  );
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
