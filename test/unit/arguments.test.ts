// Whoever calls a function that helps with a value, with nothing or with something else, is told so: an
// error with a code, and never an engine's own TypeError.
import * as root from "reckoner";
import { agentContext as contexts } from "reckoner";
import * as pictures from "reckoner/pictures";
import * as thoughts from "reckoner/thoughts";
import * as trace from "reckoner/trace";
import { describe, expect, it } from "vitest";

type Call = (...args: unknown[]) => unknown;
type Entry = { readonly [name: string]: unknown };

const given = [undefined, null, {}, [], "x", 42] as const;
const { itemAt, maskCredentials, repairTranscript, sizeOf } = root;
const { describeDifference, textOf, toArray, withContent, withUpdate } = root;

const entries: readonly (readonly [string, Entry])[] = [
  ["reckoner", { itemAt, maskCredentials, repairTranscript, sizeOf }],
  ["reckoner", { describeDifference, textOf, toArray, withContent, withUpdate }],
  ["reckoner", contexts],
  ["reckoner/pictures", pictures],
  ["reckoner/thoughts", { ...thoughts, ...thoughts.thoughtGraph }],
  ["reckoner/thoughts", { ...thoughts.parsers, ...thoughts.thoughtsView }],
  ["reckoner/trace", trace],
  ["reckoner/trace", trace.format],
];

/** Ids of a trace's events are texts that the caller has from there; the others run things. */
const others = new Set(
  "isoTime localId printedIds recordId runOfId traceId JournalTraces journalTraces sourceLines traceStorePort RunTrace".split(
    " ",
  ),
);
const isClass = (value: unknown) => /^class\b/.test(Function.prototype.toString.call(value));

/** What was thrown that has no code of ours. */
function raw(call: Call, args: readonly unknown[]): unknown {
  try {
    const got = isClass(call) ? Reflect.construct(call, args) : call(...args);
    // A generator begins to work when it is asked.
    if (typeof (got as Iterator<unknown> | null)?.next === "function") {
      (got as Iterator<unknown>).next();
    }
    // What answers later says so later.
    if (got instanceof Promise) got.catch(() => undefined);
    return undefined;
  } catch (thrown) {
    return root.isReckonerError(thrown) ? undefined : thrown;
  }
}

const cases = entries.flatMap(([entry, all]) =>
  Object.entries(all)
    .filter(([name, value]) => typeof value === "function" && !others.has(name))
    .map(([name, value]) => [`${entry}: ${name}`, value as Call] as const),
);

describe("a function that is given something else than it takes", () => {
  it("is looked for in every entry of helpers", () => {
    expect(cases.length).toBeGreaterThan(90);
  });

  it.each(cases)("%s answers, or refuses with a code", (_name, call) => {
    for (const value of given) {
      expect(raw(call, [value]), `given ${JSON.stringify(value)}`).toBeUndefined();
      expect(raw(call, [value, value]), `given ${JSON.stringify(value)} twice`).toBeUndefined();
    }
  });

  it("says which function it was, what it takes and what it was given", () => {
    const saying = (call: () => unknown) => {
      try {
        call();
      } catch (thrown) {
        return (thrown as Error).message;
      }
      return undefined;
    };
    const none = undefined as never;
    expect(saying(() => contexts.serialize({} as never))).toBe(
      "serialize: context must be an agent's context, as newContext() makes it; it is another object.",
    );
    expect(saying(() => thoughts.thoughtGraph.printTree(none))).toBe(
      "What was given is not a graph of thoughts; pass emptyGraph, what addThought gives, or a run's context.graph.",
    );
    expect(saying(() => root.toArray([] as never))).toBe(
      "A List is needed; make one with lists.of(items). What was given is array.",
    );
    expect(saying(() => pictures.toSvg(none))).toBe(
      "toSvg: picture must be a picture, as chartPicture() and the other drawers give it; it is undefined.",
    );
  });
});
