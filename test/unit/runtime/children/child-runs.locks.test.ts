// Whatever refuses or fails a run with children, nothing stays open: every journal that was opened is
// closed again, so that the next process finds no lock.
import { describe, expect, it } from "vitest";
import { type JournalPort, resume, run } from "../../../../src/runtime/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { familyOf, lineOf, worker } from "../../../support/family.js";

const CHILD = "tool/0/0/0";
const GRANDCHILD = `${CHILD} ${CHILD}`;

/** A port, and its children, that count what is open; some lines cannot be written. */
function counted(texts: string | ReadonlyMap<string, string>, refuses = "nothing") {
  const opened: string[] = [];
  const open = new Set<string>();
  const at = (port: JournalPort, path: string): JournalPort => ({
    ...port,
    read: (from) => port.read(from),
    child: (id) => at(port.child?.(id) as JournalPort, path === "" ? id : `${path} ${id}`),
    async open(mode) {
      const writer = await port.open(mode);
      opened.push(path);
      open.add(path);
      return {
        append(lines, expected) {
          if (lines.some((line) => line.includes(refuses))) throw new Error("disk full");
          return writer.append(lines, expected);
        },
        async close() {
          open.delete(path);
          await writer.close();
        },
      };
    },
  });
  return { port: at(textJournal(texts), ""), opened, open };
}

const family = () => familyOf(lineOf(2, [worker([], "pay", { needsApproval: true })]));

/** The journals of a tree that rests. */
async function resting() {
  const journal = textJournal("");
  const { parent, model } = family();
  expect((await run(parent, "go", { model, journal, runId: "r" })).status).toBe("waiting");
  return new Map(journal.texts);
}

/** A journal without the lines that hold a text, its last ones. */
function without(text: string | undefined, part: string): string {
  const lines = (text ?? "").split("\n");
  const at = lines.findIndex((line) => line.includes(part));
  expect(at).toBeGreaterThan(0);
  return lines
    .slice(0, at)
    .map((line) => `${line}\n`)
    .join("");
}

describe("a resume", () => {
  it("that cannot mark a child as begun closes it", async () => {
    const { parent, model } = family();
    const texts = await resting();
    // The process died between the child's header and the mark.
    texts.set("", without(texts.get(""), '"child":"begun"'));
    const { port, opened, open } = counted(texts, '"child":"begun"');
    await expect(resume(parent, port, { model })).rejects.toMatchObject({ code: "journal.write" });
    expect(opened).toEqual(["", CHILD, GRANDCHILD]);
    expect([...open]).toEqual([]);
  });

  const refusals: readonly (readonly [string, string, (texts: Map<string, string>) => void])[] = [
    ["a child that is missing", "journal.child", (texts) => texts.delete(CHILD)],
    ["a grandchild that is missing", "journal.child", (texts) => texts.delete(GRANDCHILD)],
    [
      "a child that is another run's",
      "journal.child",
      (texts) => texts.set(CHILD, texts.get(GRANDCHILD) ?? ""),
    ],
    [
      "a child that is broken",
      "journal.chain",
      (texts) => texts.set(GRANDCHILD, (texts.get(GRANDCHILD) ?? "").replace("go", "no")),
    ],
  ];
  it.each(refusals)(
    "that is refused for %s closes what it has opened",
    async (_what, code, harm) => {
      const { parent, model } = family();
      const texts = await resting();
      harm(texts);
      const { port, open } = counted(texts);
      await expect(resume(parent, port, { model })).rejects.toMatchObject({ code });
      expect([...open]).toEqual([]);
    },
  );

  it("that is refused for what it is given, or for its code, closes all of the tree", async () => {
    const { parent, model } = family();
    const texts = await resting();
    const first = counted(texts);
    const approvals = { "approval/9/9": { approve: true } };
    await expect(resume(parent, first.port, { model, approvals })).rejects.toMatchObject({
      code: "approval.stale",
    });
    expect([first.opened.length, [...first.open]]).toEqual([3, []]);
    const second = counted(texts);
    const other = familyOf(lineOf(1)).parent;
    await expect(resume(other, second.port, { model })).rejects.toMatchObject({
      code: "journal.configuration",
    });
    expect([...second.open]).toEqual([]);
  });
});

describe("a run", () => {
  it.each([
    ["its header", '"type":"header"'],
    ["its child's mark", '"child":"begun"'],
    ["the settlement of its child", '"run.succeeded"'],
  ])("that cannot write %s closes all that it has opened", async (_what, refused) => {
    const { parent, model } = familyOf(lineOf(2, [worker([])]));
    const { port, opened, open } = counted("", refused);
    await expect(run(parent, "go", { model, journal: port })).rejects.toMatchObject({
      code: "journal.write",
    });
    expect(opened.length).toBeGreaterThan(0);
    expect([...open]).toEqual([]);
  });
});
