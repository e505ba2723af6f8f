/**
 * Stores snapshots as files in a folder beside the journal, and the rows that they share in one file, a line
 * each. They may be lost, and readers verify them, so that nothing is synced. It must not know what a
 * snapshot contains.
 */
import { constants } from "node:fs";
import { join } from "node:path";
import type { SnapshotStore } from "../../runtime/index.js";
import { codeOf, type FileCalls } from "./file-calls.js";
import { withFile } from "./open-files.js";

const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND;
/** Larger ones are none of ours: their text would be longer than a string can be. */
const MAX_BYTES = 512 * 1024 * 1024;
const NAME = /^(\d{1,15})\.json$/;
const ROWS = "rows.txt";
/** The one draft of all that is written: the next replaces what a killed process left of it. */
const DRAFT = "draft.tmp";
/** A row's name, a space, and its text, which is JSON and has no line ends. */
const ROW = /^([\w-]+) ([^\n]+)$/;

/** The store in a folder. @param folder where it is; asked for at each use, since links may move it */
export function snapshotFolder(folder: () => string, calls: FileCalls): SnapshotStore {
  // One write at a time, so that two never share a draft.
  let last: Promise<unknown> = Promise.resolve();
  const file = (seq: number) => join(folder(), `${seq}.json`);
  let made = false;
  const put = async (path: string, text: string): Promise<void> => {
    const draft = join(folder(), DRAFT);
    try {
      // Created anew: writing to an existing pipe would block.
      await calls.writeFile(draft, text).catch(async (thrown) => {
        if (codeOf(thrown) !== "EEXIST") throw thrown;
        await calls.rm(draft);
        await calls.writeFile(draft, text);
      });
      await calls.rename(draft, path);
    } catch (thrown) {
      await calls.rm(draft).catch(() => {});
      throw thrown;
    }
  };
  const rowsFile = () => join(folder(), ROWS);
  const readRows = async (): Promise<ReadonlyMap<string, string>> => {
    const text = await calls.readFile(rowsFile(), MAX_BYTES).catch((thrown) => {
      if (codeOf(thrown) !== "ENOENT") throw thrown;
      return "";
    });
    if (text === undefined) throw new Error(`${rowsFile()} is too large, or no file`);
    const rows = new Map<string, string>();
    for (const line of text.split("\n")) {
      const [, name, row] = ROW.exec(line) ?? [];
      if (name !== undefined && row !== undefined) rows.set(name, row);
    }
    return rows;
  };
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(() => withFile(work));
    last = done.catch(() => {});
    return done;
  };
  return {
    list: () =>
      withFile(async () => {
        const names = await calls.readdir(folder()).catch(() => []);
        const found: { seq: number; size: number }[] = [];
        for (const name of names) {
          const seq = Number(NAME.exec(name)?.[1] ?? Number.NaN);
          if (Number.isNaN(seq)) continue;
          const stats = await calls.stat(join(folder(), name)).catch(() => undefined);
          // A file that is no snapshot is listed too: whoever reads it is told, and tells.
          found.push({ seq, size: stats?.isFile() === true ? stats.size : 0 });
        }
        return found;
      }),
    read: (seq) =>
      withFile(async () => {
        const text = await calls.readFile(file(seq), MAX_BYTES);
        if (text === undefined) throw new Error(`${file(seq)} is too large, or no file`);
        return text;
      }).catch(async (thrown) => {
        if (codeOf(thrown) !== "ENOENT") throw thrown;
        // A link that leads nowhere is there all the same.
        const names: readonly string[] = await calls.readdir(folder()).catch(() => []);
        if (names.includes(`${seq}.json`)) throw thrown;
        return undefined;
      }),
    write: (seq, text, rows) =>
      inTurn(async () => {
        if (!made) await calls.mkdir(folder());
        made = true;
        if (rows.size > 0) {
          // A line end comes first: what a crash has torn before it is a line by itself.
          await appendText(rowsFile(), `\n${textOf(rows)}`, calls);
        }
        await put(file(seq), text);
        return Buffer.byteLength(text);
      }),
    remove: (seq) => calls.rm(file(seq)),
    rows: () => withFile(readRows),
    keepRows: (names) =>
      inTurn(async () => {
        const kept = [...(await readRows())].filter(([name]) => names.has(name));
        await put(rowsFile(), textOf(new Map(kept)));
      }),
  };
}

const textOf = (rows: ReadonlyMap<string, string>) =>
  [...rows].map(([name, row]) => `${name} ${row}\n`).join("");

async function appendText(path: string, text: string, calls: FileCalls): Promise<void> {
  const fd = await calls.create(path, APPEND);
  try {
    const data = Buffer.from(text);
    for (let at = 0; at < data.length; ) at += calls.write(fd, data.subarray(at));
  } finally {
    calls.close(fd);
  }
}
