/**
 * `journalLaws`: what every journal port must do, as data, for any test runner. It must not know
 * any port.
 */
import { textOfLines } from "../core/journal/index.js";
import { type ErrorCode, isReckonerError, messageOf } from "../core/kernel/values/index.js";
import type { JournalPort, JournalPosition, JournalWriter } from "../runtime/index.js";
import { identical } from "./property-law.js";

/** One law. */
export interface JournalLaw {
  /** The law, as a sentence. */
  readonly name: string;
  /** Rejects with an Error that says what does not hold. */
  check(): Promise<void>;
}

const START: JournalPosition = { lines: 0, bytes: 0 };
/** Of one, two and four bytes a character, so that positions in bytes and in characters differ. */
const LINES: readonly string[] = ['{"n":1}', '{"n":2,"text":"Grüße"}', '{"n":3,"text":"🧪\\n"}'];

/**
 * The laws of a journal port.
 * @param make a port on a place where nothing has been written yet; called anew for each law
 */
export function journalLaws(make: () => Promise<JournalPort> | JournalPort): readonly JournalLaw[] {
  const law = (name: string, check: (port: JournalPort) => Promise<void>): JournalLaw => ({
    name,
    check: async () => check(await make()),
  });

  return [
    law("what was appended is read back, also by the next writer", async (port) => {
      const first = await port.open("create");
      await first.append(LINES.slice(0, 2), START);
      await first.close();
      const second = await port.open("append");
      await second.append(LINES.slice(2), after(LINES.slice(0, 2)));
      await second.close();
      identical(await textIn(port), textOfLines(LINES), "the text");
    }),

    law("a reader sees what is durable while a writer is open", async (port) => {
      const writer = await port.open("create");
      for (const [i, line] of LINES.entries()) {
        await writer.append([line], after(LINES.slice(0, i)));
        identical(
          await textIn(port),
          textOfLines(LINES.slice(0, i + 1)),
          `the text after ${i + 1} lines`,
        );
      }
      await writer.close();
    }),

    law("it is read from any position on", async (port) => {
      await written(port, LINES);
      for (let i = 0; i <= LINES.length; i += 1) {
        const rest = await textIn(port, after(LINES.slice(0, i)).bytes);
        identical(rest, textOfLines(LINES.slice(i)), `the text after ${i} lines`);
      }
    }),

    law("appends that do not wait for each other keep their order", async (port) => {
      const lines = Array.from({ length: 200 }, (_, n) =>
        JSON.stringify({ n, text: "ü".repeat(n) }),
      );
      const writer = await port.open("create");
      await Promise.all(appends(writer, lines));
      await writer.close();
      identical(await textIn(port), textOfLines(lines), "the text");
    }),

    law("closing waits for what was appended", async (port) => {
      const writer = await port.open("create");
      const pending = appends(writer, LINES);
      await writer.close();
      await Promise.all(pending);
      identical(await textIn(port), textOfLines(LINES), "the text");
    }),

    law("an append at a wrong position is a conflict and changes nothing", async (port) => {
      await written(port, LINES.slice(0, 2));
      const writer = await port.open("append");
      const right = after(LINES.slice(0, 2));
      const wrong: JournalPosition[] = [
        START,
        after(LINES.slice(0, 1)),
        after(LINES),
        { lines: right.lines, bytes: right.bytes - 1 },
        { lines: right.lines, bytes: right.bytes + 1 },
      ];
      for (const position of wrong) {
        await refused("journal.conflict", async () => writer.append(LINES.slice(2), position));
        identical(await textIn(port), textOfLines(LINES.slice(0, 2)), "the text after a conflict");
      }
      await writer.close();
    }),

    law("after a conflict the right position is still accepted", async (port) => {
      const writer = await port.open("create");
      await writer.append(LINES.slice(0, 1), START);
      await refused("journal.conflict", async () => writer.append(LINES.slice(1), START));
      await writer.append(LINES.slice(1), after(LINES.slice(0, 1)));
      await writer.close();
      identical(await textIn(port), textOfLines(LINES), "the text");
    }),

    law("of two writers the second is locked out", async (port) => {
      const writer = await port.open("create");
      await writer.append(LINES, START);
      await refused("journal.locked", () => port.open("append"));
      await refused("journal.locked", () => port.open("create"));
      await writer.close();
    }),

    law("of two writers that open at once, one gets the place", async (port) => {
      await written(port, LINES);
      const opened = await Promise.allSettled([port.open("append"), port.open("append")]);
      const writers = opened.filter((each) => each.status === "fulfilled");
      identical(writers.length, 1, "how many writers opened");
      for (const each of opened) {
        if (each.status === "rejected")
          identical(codeOf(each.reason), "journal.locked", "the refusal");
      }
      for (const each of writers) await each.value.close();
    }),

    law("closing frees the place, once", async (port) => {
      await written(port, LINES);
      const first = await port.open("append");
      await first.close();
      const second = await port.open("append");
      await first.close();
      await refused("journal.locked", () => port.open("append"));
      await second.close();
    }),

    law("a closed writer writes nothing", async (port) => {
      const writer = await port.open("create");
      await writer.append(LINES.slice(0, 1), START);
      await writer.close();
      await refused("journal.write", async () =>
        writer.append(LINES.slice(1), after(LINES.slice(0, 1))),
      );
      identical(await textIn(port), textOfLines(LINES.slice(0, 1)), "the text");
    }),

    law("creating over a journal is refused, leaves it, and locks nobody out", async (port) => {
      await written(port, LINES);
      await refused("journal.exists", () => port.open("create"));
      identical(await textIn(port), textOfLines(LINES), "the text");
      await (await port.open("append")).close();
    }),

    law("appending to and reading a missing one is refused and makes none", async (port) => {
      await refused("journal.missing", () => port.open("append"));
      await refused("journal.missing", () => textIn(port));
      await written(port, LINES);
      identical(await textIn(port), textOfLines(LINES), "the text");
    }),

    law("snapshots are read back by their event, where they are kept", async (port) => {
      const { snapshots } = port;
      if (snapshots === undefined) return;
      await written(port, LINES);
      const kept = async () => (await snapshots.list()).map(({ seq }) => seq).sort();
      identical((await kept()).join(), "", "the snapshots before the first");
      await snapshots.write(1, "first, and longer", new Map([["a-1", "[1]"]]));
      await snapshots.write(2, "second\nGrüße 🧪", new Map([["b_2", '["Grüße 🧪\u2028"]']]));
      identical(await snapshots.read(2), "second\nGrüße 🧪", "the second snapshot");
      identical(await snapshots.read(1), "first, and longer", "the first snapshot");
      const none = new Map();
      await Promise.all([snapshots.write(3, "third", none), snapshots.write(3, "fourth", none)]);
      identical(await snapshots.read(3), "fourth", "the snapshot of two writes at once");
      await snapshots.remove(1);
      identical((await kept()).join(), "2,3", "the snapshots that are left");
      const rows = async () =>
        [...(await snapshots.rows())]
          .map((row) => row.join(" "))
          .sort()
          .join();
      identical(await rows(), 'a-1 [1],b_2 ["Grüße 🧪\u2028"]', "the rows of all snapshots");
      await snapshots.keepRows(new Set(["b_2", "none"]));
      identical(await rows(), 'b_2 ["Grüße 🧪\u2028"]', "the rows that are kept");
      await snapshots.write(4, "fifth", new Map([["c", "[3]"]]));
      identical(await rows(), 'b_2 ["Grüße 🧪\u2028"],c [3]', "the rows with one more");
      identical(await textIn(port), textOfLines(LINES), "the text beside the snapshots");
    }),
  ];
}

async function written(port: JournalPort, lines: readonly string[]): Promise<void> {
  const writer = await port.open("create");
  await writer.append(lines, START);
  await writer.close();
}

/** One append for each line, none waiting for the one before. */
function appends(writer: JournalWriter, lines: readonly string[]): (Promise<void> | void)[] {
  let position = START;
  return lines.map((line) => {
    const appended = writer.append([line], position);
    position = after([line], position);
    return appended;
  });
}

const encoder = new TextEncoder();

/** The position after lines. */
function after(lines: readonly string[], before: JournalPosition = START): JournalPosition {
  return {
    lines: before.lines + lines.length,
    bytes: before.bytes + encoder.encode(textOfLines(lines)).length,
  };
}

/** Reads a port's text, from a byte on. */
async function textIn(port: JournalPort, from?: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of port.read(from)) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

async function refused(code: ErrorCode, act: () => Promise<unknown>): Promise<void> {
  let outcome = "it was accepted";
  try {
    await act();
  } catch (thrown) {
    if (codeOf(thrown) === code) return;
    outcome = `what came was ${messageOf(thrown)}`;
  }
  throw new Error(`${code} was due, but ${outcome}`);
}

function codeOf(thrown: unknown): ErrorCode | undefined {
  return isReckonerError(thrown) ? thrown.code : undefined;
}
