/** Groups the differences of many journals by cause: one change of the code is one group. */
import { digestOf, isJsonObject, type Json, type StateValue } from "../../kernel/index.js";
import type { Difference } from "../difference.js";

/** A difference with what it is grouped by. */
export interface Cause {
  /** The same for differences of one content, wherever they occur. */
  readonly key: string;
  /** What differs, in words: `the system prompt`. */
  readonly what: string;
  readonly recorded?: Json;
  readonly computed?: Json;
  /** Whether what comes later in the run may follow from it. */
  readonly changesRun: boolean;
}

/** Differences of one content. */
export interface Group extends Omit<Cause, "changesRun"> {
  /** In how many journals it occurs. */
  readonly journals: number;
  /** At how many events in all. */
  readonly places: number;
  /** The first few of them: `runs/a.jsonl#12`. */
  readonly examples: readonly string[];
}

const names: { readonly [part: string]: string } = {
  system: "the system prompt",
  tools: "the tools",
  messages: "the messages",
  settings: "the model's settings",
  input: "an input",
  operations: "what is written",
  query: "what is read",
};

/**
 * What a difference is grouped by.
 * @param type of the directive, where it is in one
 * @param from the state before the event
 */
export function causeOf(
  difference: Difference,
  reasoner: string,
  from: StateValue | undefined,
): Cause {
  const { path, event, recorded, computed } = difference;
  const part = /^directives\[\d+\]\.([^.[]+)(.*)$/.exec(path);
  if (part !== null) {
    const [, name = "", rest = ""] = part;
    const what = `${Object.hasOwn(names, name) ? names[name] : name}${named(rest)}`;
    return cause(reasoner, what, recorded, computed, false);
  }
  const state = from === undefined ? "" : ` in ${JSON.stringify(from)}`;
  const upon = `upon ${event}${state}`;
  if (path === "directives") {
    const what = `what is asked ${upon}`;
    return cause(reasoner, what, kindsOf(recorded), kindsOf(computed), true);
  }
  if (path === "upgrade") return cause(reasoner, "the upgrade", recorded, computed, true);
  if (path === "value") return cause(reasoner, `the state ${upon}`, recorded, computed, true);
  return cause(reasoner, `${path} ${upon}`, recorded, computed, true);
}

function cause(
  reasoner: string,
  what: string,
  recorded: Json | undefined,
  computed: Json | undefined,
  changesRun: boolean,
): Cause {
  const key = digestOf(JSON.stringify([reasoner, what, recorded ?? null, computed ?? null]));
  return {
    key,
    what,
    ...(recorded === undefined ? {} : { recorded }),
    ...(computed === undefined ? {} : { computed }),
    changesRun,
  };
}

/** A path within a part, without the places in lists: what moved is the same. */
function named(rest: string): string {
  const plain = rest.replace(/\[\d+\]/g, "").replace(/^\./, "");
  return plain === "" ? "" : ` (${plain})`;
}

/** Which directives are asked for, without their ids and how many there are of a kind in a row. */
function kindsOf(directives: Json | undefined): Json {
  const types = Array.isArray(directives)
    ? directives.map((each: Json) => String(each).split(" ")[0] ?? "")
    : [];
  return types.filter((type, i) => type !== types[i - 1]);
}

/** The groups of a corpus, gathered journal by journal. */
export class Groups {
  readonly #groups = new Map<string, Group>();

  /** Takes in what one journal's differences are grouped by, each with the event where it shows. */
  take(journal: string, causes: readonly (Cause & { readonly seqs: readonly number[] })[]): void {
    for (const { seqs, changesRun: _changes, ...own } of causes) {
      const known = this.#groups.get(own.key) ?? { ...own, journals: 0, places: 0, examples: [] };
      const example = `${journal}#${seqs[0] ?? 0}`;
      this.#groups.set(own.key, {
        ...known,
        journals: known.journals + 1,
        places: known.places + seqs.length,
        examples: known.examples.length < 3 ? [...known.examples, example] : known.examples,
      });
    }
  }

  /** The groups, those of most journals first. */
  list(): readonly Group[] {
    return [...this.#groups.values()].sort(
      (a, b) => b.journals - a.journals || b.places - a.places || (a.key < b.key ? -1 : 1),
    );
  }
}

/** Differences that somebody has accepted, by their content. */
export interface Baseline {
  readonly accepted: readonly (Pick<Group, "key" | "what"> & {
    readonly recorded?: Json;
    readonly computed?: Json;
  })[];
}

/** The keys of a baseline. @returns in words what is wrong, where it is none */
export function baselineKeys(value: Json): ReadonlySet<string> | string {
  if (!isJsonObject(value) || !Array.isArray(value.accepted)) return "it has no list `accepted`";
  const keys = value.accepted.map((each: Json) => (isJsonObject(each) ? each.key : undefined));
  const all = keys.filter((key): key is string => typeof key === "string");
  return all.length === keys.length ? new Set(all) : "one that is accepted has no key";
}
