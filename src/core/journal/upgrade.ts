/**
 * Reads the upgrade lines of a journal, after which a run continues under another configuration of its
 * reasoner. They hold the migrated state (Lists from before by reference), so that later readers need neither
 * the migration nor the old code.
 */
import {
  append,
  isReckonerError,
  type Json,
  type JsonObject,
  type List,
  ReckonerError,
} from "../kernel/values/index.js";
import { AFTER, LIST } from "./content.js";
import type { Glance } from "./decode-line.js";
import { remembered as rememberedOf } from "./decode-snapshot.js";
import { itemsOf, joinContent, type ListFrom } from "./from-content.js";
import {
  type Configuration,
  type HeaderLine,
  isUpgradeLine,
  type Line,
  type UpgradeLine,
} from "./line.js";
import { type Remembered, stateProof } from "./snapshot.js";

/** The configuration under which a journal begins. */
export function firstConfiguration(header: HeaderLine): Configuration {
  const { fingerprint, configuration, reasoner } = header;
  const parts = configuration === undefined ? {} : { configuration };
  return { version: reasoner.version, fingerprint, ...parts };
}

/** Returns true if a configuration is that of a reasoner. */
export function isOf(
  { fingerprint }: Configuration,
  reasoner: { readonly fingerprint: string },
): boolean {
  return fingerprint === reasoner.fingerprint;
}

/** What tells two configurations apart, in words: `tools.search is new, system differs`. */
export function differenceOf(from: Configuration, to: Configuration): string {
  const differences: string[] = [];
  if (from.version !== to.version) differences.push(`version ${from.version} became ${to.version}`);
  const before = from.configuration ?? {};
  const after = to.configuration ?? {};
  for (const part of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (before[part] === after[part]) continue;
    if (!Object.hasOwn(before, part)) differences.push(`${part} is new`);
    else differences.push(`${part} ${Object.hasOwn(after, part) ? "differs" : "is gone"}`);
  }
  return differences.length === 0 ? "something that has no name differs" : differences.join(", ");
}

/** The upgrade of one run, as it was read. */
export interface ReadUpgrade {
  readonly upgrade: UpgradeLine["upgrade"];
  /** The state from here on; absent where the run had not begun. */
  readonly to: Remembered | undefined;
}

/** The upgrade of a tree: that of its root, and those of the children that are not over, in order. */
export interface TreeUpgrade extends ReadUpgrade {
  readonly children: readonly (Required<ReadUpgrade> & { readonly run: string })[];
}

/** The parts of an upgrade that was not read to its end. */
interface Pieces {
  readonly run: string;
  readonly parts: Record<string, Json>;
}

/** Gives the List of a run to which an upgrade's line refers, as far as it is known. */
export type ListsBefore = (run: string, reference: string) => List<Json> | undefined;

/** Reads upgrades: lines are taken in one by one, in their order. */
export class UpgradeReader {
  readonly #lists: ListsBefore;
  #pieces: Pieces | undefined;
  #children: TreeUpgrade["children"] = [];

  constructor(lists: ListsBefore = () => undefined) {
    this.#lists = lists;
  }

  /**
   * Takes a line in.
   * @returns what an upgrade's line says that the runs are from here on; `undefined` for any other
   * @throws ReckonerError `journal.format` where a state is not the one that its line proves; `journal.configuration`
   * where a List to which it refers is not known: then the line may be taken again
   */
  take(line: Line | Glance, number: number): TreeUpgrade | undefined {
    const [pieces, children] = [this.#pieces, this.#children];
    try {
      return this.#take(line, number);
    } catch (thrown) {
      this.#pieces = pieces;
      this.#children = children;
      throw thrown;
    }
  }

  #take(line: Line | Glance, number: number): TreeUpgrade | undefined {
    if ("more" in line) {
      const { run = "", parts, upgrade, state } = line;
      // A root's pieces begin behind the children's lines, a child's behind those of the one before.
      if (parts !== undefined) this.#add(run, parts, number);
      if (upgrade === undefined || state === undefined) return undefined;
      const to = this.#whole(state, number);
      this.#children = [...this.#children, { run, upgrade, to }];
      return undefined;
    }
    const children = this.#children;
    this.#children = [];
    if (!isUpgradeLine(line as Line)) {
      this.#pieces = undefined;
      return undefined;
    }
    const { upgrade, parts, state } = line as UpgradeLine;
    if (parts === undefined || state === undefined) return { upgrade, to: undefined, children };
    this.#add("", parts, number);
    return { upgrade, to: this.#whole(state, number), children };
  }

  #whole(state: string, number: number): Remembered {
    const { run, parts } = this.#pieces as Pieces;
    const to = remembered(parts, (content, of) => {
      if (content[AFTER] === undefined) return undefined;
      const reference = String(content[AFTER]);
      const before = this.#lists(run, reference);
      if (before === undefined) throw unknownList(number, reference);
      return append(before, ...itemsOf(content[LIST]).map(of));
    });
    this.#pieces = undefined;
    if (typeof to === "string") throw wrong(number, to);
    if (stateProof(to) !== state) throw wrong(number, "it is not the one that its line proves");
    return to;
  }

  #add(run: string, parts: JsonObject, number: number): void {
    // An upgrade names its reasoner once: what stands before a second time is of one that was never
    // written to its end.
    const last = this.#pieces;
    const begins = "reasoner" in parts;
    if (begins) this.#children = this.#children.filter((each) => each.run !== run);
    const isAgain = last === undefined || (begins && "reasoner" in last.parts);
    const pieces: Pieces = { run, parts: isAgain || last.run !== run ? {} : { ...last.parts } };
    this.#pieces = pieces;
    for (const [path, content] of Object.entries(parts)) {
      const before = pieces.parts[path];
      try {
        pieces.parts[path] = before === undefined ? content : joinContent(before, content);
      } catch (thrown) {
        throw wrong(number, isReckonerError(thrown) ? thrown.message : String(thrown));
      }
    }
  }
}

/** @returns in words what is wrong with it */
function remembered(parts: JsonObject, short: ListFrom): Remembered | string {
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
  return rememberedOf({ context, ...state }, memory, short);
}

function unknownList(number: number, reference: string): ReckonerError {
  return new ReckonerError(
    "journal.configuration",
    `Line ${number} is an upgrade that refers to what was there before (${reference}), which nobody here knows. Pass the code that wrote it as well, or read from a snapshot on.`,
    { place: `line ${number}` },
  );
}

function wrong(number: number, why: string): ReckonerError {
  return new ReckonerError(
    "journal.format",
    `Line ${number} is an upgrade whose state cannot be taken: ${why.replace(/\.$/, "")}. The journal is left as it is; restore it from a copy.`,
    { place: `line ${number}` },
  );
}
