/**
 * A folder that cannot be left. Paths come from a model, so each is resolved, symbolic links and
 * all, and refused where it ends up outside; what is then opened is looked at once more.
 */
import { mkdir, readdir, realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import {
  appending,
  holds,
  leaves,
  reading,
  withFile,
  withFileIn,
  withFolder,
  writing,
} from "./opened.js";

/** A line in which a text was found. */
export interface Match {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** A folder as tools use it: a live handle, given to a run as one of its services. */
export interface Folder {
  /** Names in a folder, those of folders with a slash behind them. */
  list(path: string): Promise<string[]>;
  /** Some lines of a file. */
  read(path: string, from?: number, count?: number): Promise<string>;
  /** The first twenty lines that hold a text; links are not followed. */
  search(text: string, path: string): Promise<Match[]>;
  append(path: string, text: string): Promise<void>;
  write(path: string, text: string): Promise<void>;
}

const MAX_MATCHES = 20;
/** What was not written by hand is not searched. */
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", "dist", "coverage"]);

/** The folder at a path. It is made when something is first written to it. */
export function openFolder(root: string): Folder {
  /** The folder's own real place, and that of something in it that is there. */
  const find = async (path: string): Promise<readonly [top: string, place: string]> => {
    const top = await realpath(root);
    const place = await realpath(resolve(top, path));
    if (!holds(top, place)) throw leaves(path);
    return [top, place];
  };

  /** Files below a folder, in the order of their names, each with its lines. */
  async function* linesUnder(top: string, place: string): AsyncGenerator<[string, string[]]> {
    const entries = await withFolder(top, place, (way) => readdir(way, { withFileTypes: true }));
    for (const { name, ...entry } of sorted(entries)) {
      const path = join(place, name);
      if (entry.isFolder) yield* linesUnder(top, path);
      if (!entry.isFile) continue;
      try {
        yield [path, (await withFile(top, path, reading, text)).split("\n")];
      } catch {
        // It went away, or is not the folder's own: as if it were not there.
      }
    }
  }

  /** Opens a file that may not be there yet, in its folder, and hands it to `use`. */
  const change = async (path: string, flags: number, body: string): Promise<void> => {
    await mkdir(root, { recursive: true });
    const top = await realpath(root);
    const wanted = resolve(top, path);
    if (!holds(top, wanted)) throw leaves(path);
    const folder = await realpath(dirname(wanted));
    if (!holds(top, folder)) throw leaves(path);
    await withFolder(top, folder, (way) =>
      withFileIn(top, [way, folder], basename(wanted), flags, async (file) => {
        if (flags === writing) await file.truncate(0);
        await file.writeFile(body);
      }),
    );
  };

  return {
    async list(path) {
      const [top, place] = await find(path);
      const entries = await withFolder(top, place, (way) => readdir(way, { withFileTypes: true }));
      return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
    },
    async read(path, from = 1, count = 200) {
      const [top, place] = await find(path);
      const lines = (await withFile(top, place, reading, text)).split("\n");
      return lines.slice(from - 1, from - 1 + count).join("\n");
    },
    async search(sought, path) {
      const [top, place] = await find(path);
      const matches: Match[] = [];
      for await (const [file, lines] of linesUnder(top, place)) {
        for (const [i, line] of lines.entries()) {
          if (!line.includes(sought)) continue;
          const found = relative(top, file).split(sep).join("/");
          matches.push({ path: found, line: i + 1, text: line.trim() });
          if (matches.length === MAX_MATCHES) return matches;
        }
      }
      return matches;
    },
    append: (path, body) => change(path, appending, body),
    write: (path, body) => change(path, writing, body),
  };
}

const text = (file: { readFile(encoding: "utf8"): Promise<string> }) => file.readFile("utf8");

interface Entry {
  readonly name: string;
  isDirectory(): boolean;
  isFile(): boolean;
}

function sorted(entries: readonly Entry[]) {
  return entries
    .filter(({ name }) => !name.startsWith(".") && !SKIPPED.has(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory(),
      isFile: entry.isFile(),
    }));
}
