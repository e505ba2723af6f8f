/**
 * Names the part of the code from which a difference in a replay comes (the system prompt, a tool, a
 * state), in words and by a key that is the same in all journals that the change concerns.
 */

import type { StateValue } from "../kernel/machine/index.js";
import { digestOf, type Json, type ValueDifference } from "../kernel/values/index.js";
import type { Difference } from "./replay-difference.js";

/** The place at which a difference shows. */
export interface DifferencePlace {
  /** The id of the reasoner. */
  readonly reasoner: string;
  readonly seq: number;
  readonly event: string;
  /** The value of the state before the event. */
  readonly from: StateValue | undefined;
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

/** Makes a difference with its cause of two values that differ. */
export function differenceAt(
  { reasoner, seq, event, from }: DifferencePlace,
  { path, left, right }: ValueDifference,
): Difference {
  const what = whatDiffers(path, event, from);
  const ofKind = path === "directives" ? kindsOf : (value: Json | undefined) => value ?? null;
  return {
    seq,
    event,
    path,
    ...(left === undefined ? {} : { recorded: left }),
    ...(right === undefined ? {} : { computed: right }),
    cause: { key: digestOf(JSON.stringify([reasoner, what, ofKind(left), ofKind(right)])), what },
  };
}

function whatDiffers(path: string, event: string, from: StateValue | undefined): string {
  const [, name, rest = ""] = partIn(path) ?? [];
  if (name !== undefined) {
    return `${Object.hasOwn(names, name) ? names[name] : name}${named(rest)}`;
  }
  if (path === "upgrade") return "the upgrade";
  const upon = `upon ${event}${from === undefined ? "" : ` in ${JSON.stringify(from)}`}`;
  if (path === "directives") return `what is asked ${upon}`;
  return `${path === "value" ? "the state" : path} ${upon}`;
}

/** Matches the path of a directive's part: its name, and the path within it. */
function partIn(path: string): RegExpExecArray | null {
  return /^directives\[\d+\]\.([^.[]+)(.*)$/.exec(path);
}

/** A path within a part, without the places in lists: what moved is the same. */
function named(rest: string): string {
  const plain = rest.replace(/\[\d+\]/g, "").replace(/^\./, "");
  return plain === "" ? "" : ` (${plain})`;
}

/** Lists the kinds of directives that are asked for, without their ids and how many there are of a kind in a row. */
function kindsOf(directives: Json | undefined): Json {
  const types = Array.isArray(directives)
    ? directives.map((each: Json) => String(each).split(" ")[0] ?? "")
    : [];
  return types.filter((type, i) => type !== types[i - 1]);
}

/** Returns true where later differences may follow from this one: it is in no part of a request. */
export function changesRun({ path }: Pick<Difference, "path">): boolean {
  return partIn(path) === null;
}

/**
 * Returns true for a difference that does not matter.
 * @param ignore names of directives' parts (`system`), or paths without indices (`context.deps.now`)
 */
export function isIgnored({ path }: Pick<Difference, "path">, ignore: readonly string[]): boolean {
  const part = partIn(path)?.[1];
  const plain = path.replace(/\[\d+\]/g, "");
  return ignore.some((each) => each === part || plain === each || plain.startsWith(`${each}.`));
}
