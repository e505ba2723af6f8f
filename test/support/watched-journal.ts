// A journal in memory that can be watched and held up: it notes when lines are durable, can keep an
// append waiting or make it fail, and keeps snapshots beside it. Marks of snapshots are not noted.

import {
  type JournalPort,
  type JournalPosition,
  memoryJournal,
  past,
} from "../../src/runtime/index.js";
import { linesIn, marksSnapshot, textIn } from "./journal-text.js";

/** A journal of a test's own. */
export interface WatchedJournal extends JournalPort {
  /** What happened, in order; tests add to it. */
  readonly log: string[];
  /** How many lines each append brought. */
  readonly appends: readonly number[];
  /** The snapshots beside it, by their events, to be looked at or changed. */
  readonly kept: Map<number, string>;
  /** Called before an append becomes durable; what it throws fails the append. */
  before: (lines: readonly string[]) => void | Promise<void>;
  /** Lines as JSON. */
  lines(): Promise<readonly { readonly [key: string]: unknown }[]>;
}

/** A line in short: `event 3 tool.succeeded`, `mark tool/0/0 2`. */
function short(line: string): string {
  const value = JSON.parse(line);
  if (value.event !== undefined) {
    const started = (value.starts ?? []).map((place: number) => ` +${value.do[place].id}`).join("");
    return `event ${value.seq} ${value.event.type}${started}`;
  }
  if (value.mark === undefined) return value.type;
  const { id, attempt, child, failed } = value.mark;
  return failed === undefined ? `mark ${id} ${attempt ?? child}` : `failed ${id} ${failed}`;
}

/** A journal that is watched. */
export function watchedJournal(port: JournalPort = memoryJournal()): WatchedJournal {
  const log: string[] = [];
  let rows = new Map<string, string>();
  const appends: number[] = [];
  const journal: WatchedJournal = {
    ...port,
    log,
    appends,
    kept: new Map(),
    before: () => {},
    async open(mode) {
      const writer = await port.open(mode);
      let last: Promise<unknown> = Promise.resolve();
      return {
        ...writer,
        append(lines: readonly string[], expected: JournalPosition) {
          const mine = last.then(async () => {
            await journal.before(lines);
            await writer.append(lines, expected);
            const noted = lines.filter((line) => !marksSnapshot(line));
            if (noted.length > 0) appends.push(noted.length);
            for (const line of noted) log.push(`durable ${short(line)}`);
          });
          last = mine.catch(() => {});
          return mine;
        },
      };
    },
    snapshots: {
      list: async () => [...journal.kept].map(([seq, { length }]) => ({ seq, size: length })),
      read: async (seq) => journal.kept.get(seq),
      async write(seq, text, more) {
        rows = new Map([...rows, ...more]);
        journal.kept.set(seq, text);
        return text.length;
      },
      async remove(seq) {
        journal.kept.delete(seq);
      },
      rows: async () => rows,
      async keepRows(names) {
        rows = new Map([...rows].filter(([name]) => names.has(name)));
      },
    },
    lines: async () => (await linesIn(port)) as never,
  };
  return journal;
}

/** A gate: what waits for it goes on when it is opened. */
export function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

/** Lets everything run that needs no time of its own. */
export async function settle(): Promise<void> {
  // Loading takes real time, which is not counted in turns.
  await past();
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * Returns what a process that was killed left of a journal: its first lines in a port of their own. Marks of
 * snapshots do not count.
 */
export async function killedAfter(port: JournalPort, lines: number): Promise<WatchedJournal> {
  const kept: string[] = [];
  let left = lines;
  for (const line of (await textIn(port)).split("\n").slice(0, -1)) {
    if (!marksSnapshot(line)) left -= 1;
    if (left < 0) break;
    kept.push(line);
  }
  const copy = memoryJournal();
  const writer = await copy.open("create");
  await writer.append(kept, { lines: 0, bytes: 0 });
  await writer.close();
  return watchedJournal(copy);
}
