// Children that have begun: each is looked for where its own parent left it, by its parent and its directive.
import { expect, it } from "vitest";
import { Recorder } from "../../../../src/core/journal/index.js";
import { BegunChildren } from "../../../../src/runtime/journals/begun-children.js";
import { PastLine } from "../../../../src/runtime/journals/history.js";
import type { JournalPort } from "../../../../src/runtime/ports.js";
import { obedient } from "../../../support/recorded.js";

const started = {
  reasoner: { id: obedient.id, version: obedient.version },
  fingerprint: obedient.fingerprint,
  at: 0,
  input: null,
};

/** A journal that holds a text and nothing else. */
function holding(name: string, text: string): JournalPort {
  return {
    name,
    open() {},
    async *read() {
      yield new TextEncoder().encode(text);
    },
  } as unknown as JournalPort;
}

/** A journal with the header of a directive's child. */
function childOf(hash: string, id: string): JournalPort {
  const parent = { runId: "r", hash, id, input: "i", path: ["kid"] };
  const line = new Recorder().header({ ...started, runId: `r:${id}`, parent });
  return holding(`child ${id} of ${hash.slice(0, 1)}`, `${line.text}\n`);
}

const [first, second] = ["a".repeat(32), "b".repeat(32)] as const;
const header = (hash: string) => ({ hash, line: { ...started, type: "header", runId: "r" } });
const begun = (id: string) => ({ hash: "", line: { mark: { id, child: "begun" } } });

/** What is told of lines, where children lie in these places. */
async function missing(
  lines: readonly { readonly hash: string; readonly line: object }[],
  child: ((id: string) => JournalPort) | undefined,
) {
  const children = new BegunChildren();
  const port = { name: "parent", ...(child === undefined ? {} : { child }) } as JournalPort;
  for (const line of lines) {
    children.take(
      new PastLine({ ...line, text: "", number: 1, glance: undefined } as never, port, "r"),
    );
  }
  return (await children.missing()).map(({ id, notice }) => {
    expect(notice).toContain(`The child run ${id} has begun, and its journal`);
    return `${id} ${/its journal (.*): what it did/.exec(notice)?.[1]}`;
  });
}

it("that lie in their places are not missing, behind the header of a fork either", async () => {
  const at: { [id: string]: JournalPort } = { x: childOf(first, "x"), y: childOf(second, "y") };
  const lines = [header(first), begun("x"), header(second), begun("y")];
  expect(await missing(lines, (id) => at[id] as JournalPort)).toEqual([]);
});

it("are another's where the parent is, or the directive", async () => {
  const other = childOf(second, "x");
  expect(await missing([header(first), begun("x")], () => other)).toEqual([
    `x ${other.name} is another run's`,
  ]);
  const sibling = childOf(first, "y");
  expect(await missing([header(first), begun("x")], () => sibling)).toEqual([
    `x ${sibling.name} is another run's`,
  ]);
});

it("are told of in the order of their ids, as far as they have begun", async () => {
  const ended = { hash: "", line: { mark: { id: "w", child: "ended", usage: {} } } };
  const attempt = { hash: "", line: { mark: { id: "v", attempt: 1 } } };
  const lines = [header(first), begun("z"), begun("x"), ended, attempt, begun("y")];
  expect(await missing(lines, undefined)).toEqual([
    "x is not there",
    "y is not there",
    "z is not there",
  ]);
});

it("are told of with the reason where they cannot be read, and where nothing is in their place", async () => {
  const at: { [id: string]: JournalPort } = {
    empty: holding("nothing", ""),
    torn: holding("a rest", '{"type":"hea'),
    strange: holding("a letter", "Dear all,\n"),
  };
  const lines = [header(first), begun("empty"), begun("strange"), begun("torn")];
  expect(await missing(lines, (id) => at[id] as JournalPort)).toEqual([
    "empty nothing is not there",
    "strange a letter cannot be read (journal.format)",
    "torn a rest is not there",
  ]);
});
