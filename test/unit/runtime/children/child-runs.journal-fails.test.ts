// A journal of a tree that cannot be written any more is the failure of the run, wherever it strikes:
// also while a child is cancelled, and after the run itself has ended.
import { describe, expect, it } from "vitest";
import { type JournalPort, resume, run } from "../../../../src/runtime/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { familyOf, lineOf, worker } from "../../../support/family.js";
import { gate, settle } from "../../../support/watched-journal.js";

const CHILD = "tool/0/0/0";
const GRANDCHILD = `${CHILD} ${CHILD}`;
const full = { code: "journal.write", message: expect.stringContaining("disk full") };

/** A tree of so many levels whose last one rests over an approval. */
function resting(depth: number) {
  return familyOf(lineOf(depth, [worker([], "pay", { needsApproval: true })]));
}

/** What was left by a run that rests, with a disk that is full for what a line must hold. */
async function left(depth: number, refused: (line: string, path: string) => boolean) {
  const family = resting(depth);
  const first = textJournal("");
  expect((await run(family.parent, "go", { model: family.model, journal: first })).status).toBe(
    "waiting",
  );
  return { ...family, texts: first.texts, journal: fullDisk(textJournal(first.texts), refused) };
}

/** A port, and its children, that refuse lines. */
function fullDisk(
  port: JournalPort,
  refused: (line: string, path: string) => boolean,
  path = "",
): JournalPort {
  return {
    ...port,
    read: (from) => port.read(from),
    child: (id) =>
      fullDisk(port.child?.(id) as JournalPort, refused, path === "" ? id : `${path} ${id}`),
    async open(mode) {
      const writer = await port.open(mode);
      return {
        ...writer,
        append(lines, expected) {
          if (lines.some((line) => refused(line, path))) throw new Error("disk full");
          return writer.append(lines, expected);
        },
      };
    },
  };
}

describe("a run that is cancelled", () => {
  it.each([
    ["its own journal, when it would say that its child has ended", 1, '"child":"ended"', ""],
    ["its child's", 1, '"type":"cancel"', CHILD],
    ["its grandchild's", 2, '"type":"cancel"', GRANDCHILD],
    ["its child's, when that would say that its own has ended", 2, '"child":"ended"', CHILD],
  ])("after a resume, is told that %s cannot be written", async (_what, depth, text, where) => {
    const refused = (line: string, path: string) => path === where && line.includes(text);
    const { parent, model, journal } = await left(depth, refused);
    const live = resume(parent, journal, { model });
    live.cancel();
    await expect(live).rejects.toMatchObject(full);
  });

  it.each([
    ["its own journal", '"child":"ended"', ""],
    ["its child's", '"type":"cancel"', CHILD],
  ])("while a child works, is told that %s cannot be written", async (_what, text, where) => {
    const never = { ...worker([]), execute: () => new Promise(() => {}) };
    const { parent, model } = familyOf(lineOf(1, [never as never]));
    const journal = fullDisk(
      textJournal(""),
      (line, path) => path === where && line.includes(text),
    );
    const live = run(parent, "go", { model, journal });
    await settle();
    await settle();
    live.cancel();
    await expect(live).rejects.toMatchObject(full);
  });

  it("whose process died over it is told by the resume, and the next one brings it to its end", async () => {
    const { parent, model, texts } = await left(1, () => false);
    const dying = textJournal(texts);
    const first = resume(
      parent,
      fullDisk(dying, (line) => line.includes('"child":"ended"')),
      {
        model,
      },
    );
    first.cancel();
    await expect(first).rejects.toMatchObject(full);
    // Its own end stands in the journal; that of its child is not marked yet.
    const again = resume(
      parent,
      fullDisk(dying, (line) => line.includes('"child":"ended"')),
      { model },
    );
    await expect(again).rejects.toMatchObject(full);
    expect((await resume(parent, dying, { model })).status).toBe("cancelled");
    expect(dying.text).toContain('"child":"ended"');
  });
});

describe("a run that is let go of", () => {
  it("with a child that works, by a failure of its own, says why itself failed", async () => {
    const held = gate();
    const own = { ...worker([], "own"), execute: () => held.passed };
    const never = { ...worker([]), execute: () => new Promise(() => {}) };
    const { parent, model } = familyOf({
      ...lineOf(1, [never as never]),
      tools: [own as never],
      says: [{ calls: [{ name: "level1", input: { prompt: "x" } }, { name: "own" }] }, "done"],
    });
    const journal = fullDisk(textJournal(""), (line) => line.includes('"tool.succeeded"'));
    const live = run(parent, "go", { model, journal });
    await settle();
    held.open();
    await expect(live).rejects.toMatchObject({
      code: "journal.write",
      message: expect.stringContaining("The journal text could not be written"),
    });
  });
});
