// What a journal in memory refuses, and what it keeps beside its lines.
import { describe, expect, it } from "vitest";
import { type JournalPort, memoryJournal } from "../../../../src/runtime/index.js";
import { textIn } from "../../../support/journal-text.js";
import { refusal, rejection } from "../../../support/thrown.js";

const MIB = 1024 * 1024;

describe("a journal in memory", () => {
  it("takes lines where it ends, by its lines and by its bytes", async () => {
    const journal = memoryJournal("j");
    const writer = await journal.open("create");
    const add = (lines: number, bytes: number) => () => writer.append(["é"], { lines, bytes });
    add(0, 0)();
    for (const [lines, bytes] of [
      [0, 3],
      [1, 0],
      [2, 3],
      [1, 4],
    ] as const) {
      expect(refusal(add(lines, bytes))).toMatchObject({
        code: "journal.conflict",
        place: "j",
        message: expect.stringMatching(
          new RegExp(`after ${lines} lines and ${bytes} bytes.* after 1 and 3\\.`),
        ),
      });
    }
    add(1, 3)();
    expect(await textIn(journal)).toBe("é\né\n");
  });

  it("refuses with its name what is not there, is locked, or was closed", async () => {
    const journal = memoryJournal("j");
    const told = (code: string, what: string) => ({
      code,
      place: "j",
      message: `The journal j ${what}.`,
    });
    const missing = told("journal.missing", "holds nothing");
    expect(await rejection(journal.open("append"))).toMatchObject(missing);
    expect(await rejection(textIn(journal))).toMatchObject(missing);
    const first = await journal.open("create");
    const locked = told("journal.locked", "is locked by another writer: close that one first");
    for (const mode of ["append", "create"] as const) {
      expect(await rejection(journal.open(mode))).toMatchObject(locked);
    }
    await first.close();
    const second = await journal.open("append");
    // Who has closed it does not close another one's.
    await first.close();
    expect(await rejection(journal.open("append"))).toMatchObject(locked);
    expect(refusal(() => first.append(["x"], { lines: 0, bytes: 0 }))).toMatchObject(
      told("journal.write", "was closed by this writer"),
    );
    await second.append(["x"], { lines: 0, bytes: 0 });
    await second.close();
    expect(await rejection(journal.open("create"))).toMatchObject(
      told("journal.exists", "holds a journal already: resume it, or take a new one"),
    );
  });

  it("is read in pieces of a bounded length, from any byte on", async () => {
    const journal = memoryJournal();
    const writer = await journal.open("create");
    const lines = ["a".repeat(MIB - 1), "b".repeat(10), "é".repeat(MIB), "", "c"];
    await writer.append(lines, { lines: 0, bytes: 0 });
    const text = lines.map((line) => `${line}\n`).join("");
    const bytes = new TextEncoder().encode(text);
    const read = async (from?: number) => {
      const pieces: Uint8Array[] = [];
      for await (const piece of journal.read(from)) pieces.push(piece);
      return pieces;
    };
    expect((await read()).map(({ length }) => length)).toEqual([MIB, 11 + 2 * MIB + 1, 3]);
    for (const from of [
      0,
      1,
      MIB - 1,
      MIB,
      MIB + 1,
      MIB + 12,
      bytes.length - 1,
      bytes.length,
      bytes.length + 9,
    ]) {
      const joined = (await read(from)).flatMap((piece) => Buffer.from(piece).toString("latin1"));
      expect(joined.join("") === Buffer.from(bytes.subarray(from)).toString("latin1")).toBe(true);
    }
  });

  it("is referred to by its name, or where two have one by a number behind it", () => {
    const journal = memoryJournal();
    const [one, other, third] = ["x", "x", "x"].map((name) => memoryJournal(name)) as [
      JournalPort,
      JournalPort,
      JournalPort,
    ];
    const links = [one, other, third, one, other].map((each) => journal.link?.(each));
    expect(links).toEqual(["x", "x 2", "x 3", "x", "x 2"]);
    expect([journal.follow?.("x 2"), journal.follow?.("y")]).toEqual([other, undefined]);
  });

  it("has forks of its own, each the same whenever it is asked for", () => {
    const journal = memoryJournal("j");
    expect(journal.fork?.("a")).toBe(journal.fork?.("a"));
    expect(journal.fork?.("a")).not.toBe(journal.fork?.("b"));
    expect(journal.fork?.("a")?.name).toBe("j/forks/a");
  });

  it("keeps notes by their kinds and names", async () => {
    const notes = memoryJournal().notes as NonNullable<JournalPort["notes"]>;
    expect(await notes.write("checkpoints", "a", "1", undefined)).toBe(true);
    expect(await notes.write("checkpoints", "a", "2", undefined)).toBe(false);
    expect(await notes.write("forks", "a", "3", undefined)).toBe(true);
    expect(await notes.list("checkpoints")).toEqual(["1"]);
    expect(await notes.write("checkpoints", "a", "4", "2")).toBe(false);
    expect(await notes.write("checkpoints", "a", "4", "1")).toBe(true);
    expect([await notes.list("checkpoints"), await notes.list("head")]).toEqual([["4"], []]);
    await notes.remove("checkpoints", "a");
    expect([await notes.list("checkpoints"), await notes.list("forks")]).toEqual([[], ["3"]]);
  });

  it("keeps snapshots until they are removed", async () => {
    const store = memoryJournal().snapshots as NonNullable<JournalPort["snapshots"]>;
    expect(await store.read(1)).toBeUndefined();
    await store.write(1, "one", new Map());
    await store.write(2, "two", new Map());
    expect([await store.list(), await store.read(2)]).toEqual([
      [
        { seq: 1, size: 3 },
        { seq: 2, size: 3 },
      ],
      "two",
    ]);
    await store.remove(1);
    expect([await store.list(), await store.read(1)]).toEqual([[{ seq: 2, size: 3 }], undefined]);
  });
});
