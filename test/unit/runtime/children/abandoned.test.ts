// A run of a tree that is let go of while its journal fails: why the journal failed is told, whichever of
// the two comes first.
import { describe, expect, it } from "vitest";
import type { Tool } from "../../../../src/index.js";
import { type JournalPort, run } from "../../../../src/runtime/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { familyOf, lineOf, worker } from "../../../support/family.js";
import { gate, settle } from "../../../support/watched-journal.js";

const CHILD = "tool/0/0/0";
const GRANDCHILD = `${CHILD} ${CHILD}`;

/** A port, and its children, whose lines wait for what is asked of each. */
function asked(
  port: JournalPort,
  before: (line: string, path: string) => Promise<void> | undefined,
  path = "",
): JournalPort {
  return {
    ...port,
    read: (from) => port.read(from),
    child: (id) => asked(port.child?.(id) as JournalPort, before, `${path} ${id}`.trim()),
    async open(mode) {
      const writer = await port.open(mode);
      return {
        ...writer,
        async append(lines, expected) {
          for (const line of lines) await before(line, path);
          await writer.append(lines, expected);
        },
      };
    },
  };
}

/** What a promise comes to, as far as it has come yet. */
function watched(promise: PromiseLike<unknown>) {
  const seen: { code?: string; message?: string; status?: string }[] = [];
  promise.then(
    (end) => seen.push(end as never),
    (thrown) => seen.push(thrown as never),
  );
  return seen;
}

async function settled(): Promise<void> {
  for (let i = 0; i < 4; i++) await settle();
}

describe("a run that is drained", () => {
  it("while a child's line is on its way, which then cannot be written, rejects with that", async () => {
    const { parent, model } = familyOf(lineOf(1, [worker([])]));
    const held = gate();
    const journal = asked(textJournal(""), (line, path) => {
      if (path !== CHILD || !line.includes('"tool.succeeded"')) return undefined;
      return held.passed.then(() => Promise.reject(new Error("disk full")));
    });
    const live = run(parent, "go", { model, journal });
    await settled();
    const told = watched(live.drain(0));
    await settled();
    expect(told).toEqual([]);
    held.open();
    await settled();
    expect(told).toMatchObject([
      { code: "journal.write", message: expect.stringContaining("disk full") },
    ]);
  });

  it("behind a child whose line could not be written, and whose own child is not through, too", async () => {
    const failed = gate();
    const own = { ...worker([], "own"), execute: () => failed.passed } as Tool;
    const { parent, model } = familyOf({
      ...lineOf(1),
      children: [
        {
          ...lineOf(2, [worker([])]).children?.[0],
          name: "level1",
          tools: [own],
          says: [{ calls: [{ name: "level2", input: { prompt: "x" } }, { name: "own" }] }, "done"],
        },
      ],
    });
    const held = gate();
    const waiting: string[] = [];
    const journal = asked(textJournal(""), (line, path) => {
      if (!line.includes('"tool.succeeded"')) return undefined;
      waiting.push(path);
      if (path === GRANDCHILD) return held.passed;
      return failed.passed.then(() => Promise.reject(new Error("disk full")));
    });
    const live = run(parent, "go", { model, journal });
    const told = watched(live);
    await settled();
    expect(waiting).toEqual([GRANDCHILD]);
    failed.open();
    await settled();
    // The one in the middle waits for its own child, and the one above hears nothing yet.
    expect(told).toEqual([]);
    void live.drain(0);
    await settled();
    expect(told).toEqual([]);
    held.open();
    await settled();
    expect(told).toMatchObject([
      { code: "journal.write", message: expect.stringContaining("disk full") },
    ]);
  });
});
