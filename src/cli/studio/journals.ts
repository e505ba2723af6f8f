/**
 * `StudioJournals`: lists and opens the journals that a studio shows: one file, a folder of them, a store or one
 * of its runs.
 */
import { join } from "node:path";
import type { JournalStore } from "../../adapters/journal-tables/index.js";
import { ReckonerError } from "../../core/kernel/values/index.js";
import type { JournalPort } from "../../runtime/index.js";
import type { About, Decide, Listed } from "../../studio/live/index.js";
import type { RunItem, UnreadItem } from "../../studio/model/index.js";
import { expandJournals, folderJournals, journalFile, statsOf } from "../files/journal-files.js";
import { runFolder } from "../files/listed-runs.js";
import { type FoundJournal, RunFolder } from "../files/run-folder.js";
import { addressOf, isStoreAddress, storeAddress } from "../store/store-address.js";
import type { Io } from "../terminal/io.js";
import { itemOf, unreadItem } from "./run-items.js";

/** The journals of a studio. */
export interface StudioJournals {
  readonly kind: About["kind"];
  /** The name of the journal, where it is one alone. */
  readonly only?: string;
  list(): Promise<Listed>;
  /** The journal of that name. @throws ReckonerError `journal.missing` where it is none of these */
  open(name: string): JournalPort;
  /** The names of all. */
  names(): Promise<readonly string[]>;
  /** Gives a decision, where there is a door for it. @throws ReckonerError what it is refused for */
  decide?(decision: Decide): Promise<void>;
}

/** The journals that a word names. @throws ReckonerError `journal.missing`, `cli.usage` */
export function studioJournals(io: Io, word: string): StudioJournals {
  const store = io.stores?.stores.get(word);
  const isWhole = isStoreAddress(word) && storeAddress(word).run === undefined;
  if (store !== undefined && isWhole) return storeJournals(word, store);
  return fileJournals(io, word);
}

/**
 * Journals that are read for the first answer: of a folder of thousands a page shows the first at once. Each further
 * answer reads twice as many, up to the most: all rows that are known are sent with each.
 */
const FIRST_READ = 25;
const MOST_READ = 200;

function fileJournals(io: Io, word: string): StudioJournals {
  const isFolder = statsOf(io, word)?.isDirectory() === true;
  const pathOf = (name: string) => (isFolder ? join(word, name) : name);
  const folder = isFolder
    ? runFolder(io, word)
    : new RunFolder(io.cwd, (name) => journalFile(io, name), false);
  let names = new Set(expandJournals(io, word));
  let most = FIRST_READ;
  const found = () => {
    const journals = isFolder ? foundIn(io, word) : [{ name: word, stats: statsOf(io, word) }];
    names = new Set(journals.map(({ name }) => pathOf(name)));
    return journals;
  };
  return {
    kind: isStoreAddress(word) ? "store" : isFolder ? "folder" : "journal",
    ...(isFolder ? {} : { only: word }),
    async names() {
      found();
      return [...names];
    },
    open(name) {
      if (names.has(name)) return journalFile(io, name);
      throw notShown(name);
    },
    async list() {
      const { rows, unreadable, pending } = await folder.list(found(), most);
      most = pending === 0 ? FIRST_READ : Math.min(2 * most, MOST_READ);
      return {
        runs: rows.map(({ journal, row, fingerprint }) =>
          itemOf(pathOf(journal), row, { fingerprint }),
        ),
        unread: unreadable.map(({ name, error }) => unreadItem(pathOf(name), error)),
        ...(pending === 0 ? {} : { pending }),
      };
    },
  };
}

/** A folder that is empty for a moment, while runs are moved, is a folder without runs. */
function foundIn(io: Io, word: string): readonly FoundJournal[] {
  try {
    return folderJournals(io, word) ?? [];
  } catch {
    return [];
  }
}

function storeJournals(word: string, store: JournalStore): StudioJournals {
  const address = storeAddress(word);
  const journal = (name: string) => store.journal(storeAddress(name).run ?? "");
  const isOwn = (name: string) =>
    name.startsWith(`${address.store}#`) &&
    addressOf(address, storeAddress(name).run ?? "") === name;
  return {
    kind: "store",
    async names() {
      const ids: string[] = [];
      for await (const id of store.ids()) ids.push(addressOf(address, id));
      return ids;
    },
    open(name) {
      if (isOwn(name)) return journal(name);
      throw notShown(name);
    },
    async list() {
      const runs: RunItem[] = [];
      const unread: UnreadItem[] = [];
      for (let after: string | undefined; ; ) {
        const page = await store.list({ after, limit: 1_000 });
        for (const { id, ...row } of page.runs) {
          // A row tells no fingerprint: its version stands for it.
          const configuration = { fingerprint: `version ${row.version}` };
          runs.push(itemOf(addressOf(address, id), row, configuration));
        }
        for (const { id, ...why } of page.unreadable) {
          unread.push({ journal: addressOf(address, id), ...why });
        }
        after = page.next;
        if (after === undefined) return { runs, unread };
      }
    },
  };
}

/** Makes the error of a name that is none of the journals shown: a page gets no other file. */
export function notShown(name: string): ReckonerError {
  return new ReckonerError("journal.missing", `The studio does not show a journal ${name}.`, {
    place: name,
  });
}
