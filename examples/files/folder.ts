/**
 * A folder that cannot be left. Paths come from a model, so each is resolved, symbolic links and
 * all, and refused where it ends up outside.
 */
import { appendFile, mkdir, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

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
  /** The real place of something that is there. */
  const inside = async (path: string): Promise<string> => {
    const top = await realpath(root);
    const place = await realpath(resolve(top, path));
    if (!holds(top, place)) throw leaves(path);
    return place;
  };

  /** The real place of something that may not be there yet. */
  const forWriting = async (path: string): Promise<string> => {
    await mkdir(root, { recursive: true });
    const top = await realpath(root);
    const wanted = resolve(top, path);
    if (!holds(top, wanted)) throw leaves(path);
    const folder = await realpath(dirname(wanted));
    // A link that is there already may lead anywhere, also to nothing yet.
    const name = basename(wanted);
    const link = (await readdir(folder, { withFileTypes: true })).find(
      (each) => each.name === name,
    );
    if (!holds(top, folder) || link?.isSymbolicLink()) throw leaves(path);
    return join(folder, name);
  };

  async function* filesUnder(place: string): AsyncGenerator<string> {
    const entries = await readdir(place, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith(".") || SKIPPED.has(entry.name)) continue;
      const path = join(place, entry.name);
      if (entry.isDirectory()) yield* filesUnder(path);
      else if (entry.isFile()) yield path;
    }
  }

  return {
    async list(path) {
      const entries = await readdir(await inside(path), { withFileTypes: true });
      return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
    },
    async read(path, from = 1, count = 200) {
      const lines = (await readFile(await inside(path), "utf8")).split("\n");
      return lines.slice(from - 1, from - 1 + count).join("\n");
    },
    async search(text, path) {
      const top = await realpath(root);
      const matches: Match[] = [];
      for await (const file of filesUnder(await inside(path))) {
        const lines = (await readFile(file, "utf8")).split("\n");
        for (const [i, line] of lines.entries()) {
          if (!line.includes(text)) continue;
          const found = relative(top, file).split(sep).join("/");
          matches.push({ path: found, line: i + 1, text: line.trim() });
          if (matches.length === MAX_MATCHES) return matches;
        }
      }
      return matches;
    },
    async append(path, text) {
      await appendFile(await forWriting(path), text);
    },
    async write(path, text) {
      await writeFile(await forWriting(path), text);
    },
  };
}

function holds(top: string, place: string): boolean {
  const way = relative(top, place);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function leaves(path: string): Error {
  return new Error(`${path} lies outside the folder`);
}
