/**
 * `memoryJournal`: a journal in memory, the default of a run without a journal, and for tests. It
 * must not know what a line means.
 */

import { utf8Length } from "../../core/driver/for-live-runs.js";
import { ReckonerError } from "../../core/kernel/values/index.js";
import type {
  JournalNotes,
  JournalPort,
  JournalPosition,
  JournalWriter,
  SnapshotStore,
} from "../ports/ports.js";

const encoder = new TextEncoder();
/** Lines are handed to a reader in chunks of about so many characters. */
const CHUNK = 1024 * 1024;

/**
 * A journal that lives as long as this object.
 * @param name for people
 */
export function memoryJournal(name = "memory"): JournalPort {
  let lines: string[] | undefined;
  let bytes = 0;
  let writer: object | undefined;
  const forks = new Map<string, JournalPort>();
  const links = new Map<string, JournalPort>();

  function refuseUnlessAt({ lines: before, bytes: expected }: JournalPosition, have: string[]) {
    if (before === have.length && expected === bytes) return;
    throw new ReckonerError(
      "journal.conflict",
      `The journal ${name} does not end after ${before} lines and ${expected} bytes, where this writer left it, but after ${have.length} and ${bytes}. Resume the run from the journal as it is now.`,
      { place: name },
    );
  }

  return {
    name,
    lasts: false,
    async open(mode) {
      if (writer !== undefined) {
        throw refused("journal.locked", "is locked by another writer: close that one first");
      }
      if (mode === "append" && lines === undefined)
        throw refused("journal.missing", "holds nothing");
      if (mode === "create" && lines !== undefined && lines.length > 0) {
        throw refused("journal.exists", "holds a journal already: resume it, or take a new one");
      }
      lines ??= [];
      const have = lines;
      const self: JournalWriter = {
        append(more, expected) {
          if (writer !== self) throw refused("journal.write", "was closed by this writer");
          refuseUnlessAt(expected, have);
          for (const line of more) {
            have.push(line);
            bytes += utf8Length(line) + 1;
          }
        },
        async close() {
          if (writer === self) writer = undefined;
        },
      };
      writer = self;
      return self;
    },
    link(to) {
      // Several may have one name.
      let word = to.name;
      for (let n = 2; (links.get(word) ?? to) !== to; n++) word = `${to.name} ${n}`;
      links.set(word, to);
      return word;
    },
    follow: (link) => links.get(link),
    fork(fork) {
      const port = forks.get(fork) ?? memoryJournal(`${name}/forks/${fork}`);
      forks.set(fork, port);
      return port;
    },
    snapshots: memorySnapshots(),
    notes: memoryNotes(),
    async *read(from = 0) {
      if (lines === undefined) throw refused("journal.missing", "holds nothing");
      yield* chunks([...lines], from);
    },
  };

  function refused(
    code: "journal.locked" | "journal.missing" | "journal.exists" | "journal.write",
    what: string,
  ): ReckonerError {
    return new ReckonerError(code, `The journal ${name} ${what}.`, { place: name });
  }
}

/** Lines as bytes, from a byte on. */
function* chunks(lines: readonly string[], from: number): Generator<Uint8Array> {
  let skip = from;
  let text = "";
  const taken = () => {
    const data = encoder.encode(text);
    const rest = data.subarray(Math.min(skip, data.length));
    skip = Math.max(0, skip - data.length);
    text = "";
    return rest;
  };
  for (const line of lines) {
    text += `${line}\n`;
    if (text.length >= CHUNK) yield taken();
  }
  if (text !== "") yield taken();
}

function memorySnapshots(): SnapshotStore {
  const texts = new Map<number, string>();
  let rows = new Map<string, string>();
  return {
    list: async () => [...texts].map(([seq, { length }]) => ({ seq, size: length })),
    read: async (seq) => texts.get(seq),
    async write(seq, text, more) {
      for (const [name, row] of more) rows.set(name, row);
      texts.set(seq, text);
      return text.length;
    },
    async remove(seq) {
      texts.delete(seq);
    },
    rows: async () => new Map(rows),
    async keepRows(names) {
      rows = new Map([...rows].filter(([name]) => names.has(name)));
    },
  };
}

function memoryNotes(): JournalNotes {
  const texts = { head: new Map(), checkpoints: new Map(), forks: new Map<string, string>() };
  return {
    list: async (kind) => [...texts[kind].values()],
    async write(kind, name, text, before) {
      if (texts[kind].get(name) !== before) return false;
      texts[kind].set(name, text);
      return true;
    },
    async remove(kind, name) {
      texts[kind].delete(name);
    },
  };
}
