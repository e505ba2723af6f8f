/**
 * `journalStore`: journals by id, in the tables of a database, and how they refer to each other: by
 * their ids. It must not know any database.
 */
import { pairKey, ReckonerError } from "../../core/kernel/index.js";
import type { JournalPort } from "../../runtime/for-adapters.js";
import { Appends } from "./appends.js";
import { keyOf } from "./key-of.js";
import { openTables } from "./open-tables.js";
import type { TableDatabase } from "./table-database.js";
import { type Shared, tableJournal } from "./table-journal.js";

/** Ids that are listed with one statement. */
const PAGE = 1_000;

/** Journals in a database. */
export interface JournalStore {
  /** For people: "sqlite". */
  readonly name: string;
  /**
   * Returns the journal of an id, for `journal` of `run` and `resume`; nothing is made of it until it
   * is opened.
   * @throws ReckonerError `option.invalid`
   */
  journal(id: string): JournalPort;
  /** The ids of the journals that hold lines, sorted by their bytes. */
  ids(): AsyncIterable<string>;
}

/** Makes a store over a database. */
export function journalStore(database: TableDatabase): JournalStore {
  let opened: Promise<void> | undefined;
  const shared: Shared = {
    database,
    appends: new Appends(database),
    open: new Map(),
    ready() {
      // A database that could not be opened may be so later.
      opened ??= openTables(database).catch((thrown: unknown) => {
        opened = undefined;
        throw thrown;
      });
      return opened;
    },
  };
  const ids = new WeakMap<JournalPort, string>();
  const portOf = (id: string): JournalPort => {
    const port: JournalPort = {
      ...tableJournal(shared, id),
      fork: (name) => portOf(keyOf(pairKey(id, name))),
      // A journal elsewhere has no id here: the word leads nowhere, which its reader finds.
      link: (to) => ids.get(to) ?? to.name,
      follow: (link) => (fault(link) === undefined ? portOf(link) : undefined),
    };
    ids.set(port, id);
    return port;
  };
  return {
    name: database.name,
    journal(id) {
      const wrong = fault(id);
      if (wrong === undefined) return portOf(id);
      throw new ReckonerError("option.invalid", `The id of a journal ${wrong}.`, { place: "id" });
    },
    async *ids() {
      await shared.ready();
      const page = `SELECT name FROM ${database.prefix}journals WHERE name > $1 AND lines > 0 ORDER BY name LIMIT ${PAGE}`;
      let last = "";
      for (;;) {
        const names = (await database.read(page, last)).map(({ name }) => String(name));
        yield* names;
        if (names.length < PAGE) return;
        last = names.at(-1) as string;
      }
    },
  };
}

/** Returns in words what is wrong with an id; `undefined` where it is one. */
function fault(id: unknown): string | undefined {
  if (typeof id !== "string" || id === "") return "must be a string that is not empty";
  if (keyOf(id) !== id) return "may have 1 000 bytes";
  return /\0|\p{Surrogate}/u.test(id) ? "has a character that no text may have" : undefined;
}
