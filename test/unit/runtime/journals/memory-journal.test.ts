// The journal in memory obeys the laws of every journal, and the laws see a journal that does not.
import { expect, it } from "vitest";
import type { JournalPort, JournalWriter } from "../../../../src/runtime/index.js";
import { memoryJournal } from "../../../../src/runtime/index.js";
import { journalLaws } from "../../../../src/testing/journal-laws.js";
import { rejection } from "../../../support/thrown.js";

for (const law of journalLaws(() => memoryJournal())) it(law.name, law.check);

it("may be made again as long as nothing stands in it", async () => {
  const journal = memoryJournal();
  await (await journal.open("create")).close();
  const writer = await journal.open("create");
  await writer.append(["line"], { lines: 0, bytes: 0 });
  await writer.close();
  expect(await rejection(journal.open("create"))).toMatchObject({ code: "journal.exists" });
});

it("names itself", () => {
  expect(memoryJournal().name).toBe("memory");
  expect(memoryJournal("of a test").name).toBe("of a test");
});

/** A journal with a planted fault. */
function faulty(
  fault: (port: JournalPort) => Partial<JournalPort>,
  writes: (writer: JournalWriter) => Partial<JournalWriter> = () => ({}),
): () => JournalPort {
  return () => {
    const port = memoryJournal();
    const whole = { ...port, ...fault(port) };
    return {
      ...whole,
      open: async (mode) => {
        const writer = await whole.open(mode);
        return { ...writer, ...writes(writer) };
      },
    };
  };
}

const broken = (make: () => JournalPort): Promise<string[]> =>
  Promise.all(
    journalLaws(make).map((law) =>
      law.check().then(
        () => [],
        () => [law.name],
      ),
    ),
  ).then((names) => names.flat());

it("keeps the laws where no fault is planted", async () => {
  expect(await broken(faulty(() => ({})))).toEqual([]);
});

it("breaks a law where it reads from the beginning, whatever is asked for", async () => {
  const make = faulty((port) => ({ read: () => port.read() }));
  expect(await broken(make)).toEqual(["it is read from any position on"]);
});

it("breaks a law where a second writer gets in", async () => {
  const make = faulty(
    () => ({}),
    (writer) => {
      void writer.close();
      return {};
    },
  );
  expect(await broken(make)).toContain("of two writers the second is locked out");
});

it("breaks a law where the position is not looked at", async () => {
  const make = () => {
    let text = "";
    const port = memoryJournal();
    return {
      ...port,
      async *read() {
        if (text === "") yield* port.read();
        else yield new TextEncoder().encode(text);
      },
      open: async (mode: "create" | "append") => ({
        ...(await port.open(mode)),
        append: async (lines: readonly string[]) => {
          text += lines.map((line) => `${line}\n`).join("");
        },
      }),
    };
  };
  expect(await broken(make)).toContain(
    "an append at a wrong position is a conflict and changes nothing",
  );
});

it("breaks a law where a snapshot is forgotten", async () => {
  const make = faulty(() => ({
    snapshots: {
      list: async () => [],
      read: async () => undefined,
      write: async () => 0,
      remove: async () => {},
      rows: async () => new Map(),
      keepRows: async () => {},
    },
  }));
  expect(await broken(make)).toEqual([
    "snapshots are read back by their event, where they are kept",
  ]);
});
