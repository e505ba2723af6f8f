/**
 * `journalStore`: a store of journals by id, in the tables of a database: opens, lists and removes them.
 * Journals refer to each other by their ids. It must not know any database.
 */

import { ReckonerError } from "../../core/kernel/values/index.js";
import { pairKey } from "../../core/kernel/vocabulary/index.js";
import {
  type BlobPort,
  checkArgument,
  type JournalPort,
  LABEL,
} from "../../runtime/for-adapters.js";
import { Appends } from "./appends.js";
import { keyOf } from "./key-of.js";
import { openTables } from "./migrations.js";
import { type ForgetOptions, type Pruned, type PruneOptions, Retention } from "./retention.js";
import { type ListOptions, RunIndex, type RunPage } from "./run-index.js";
import { tableBlobs } from "./table-blobs.js";
import type { TableDatabase, TablePlace } from "./table-database.js";
import { openKey, type Shared, tableJournal } from "./table-journal.js";

/** Texts that are listed with one statement. */
const PAGE = 1_000;

/** Journals in a database: those of one tenant, or of none. */
export interface JournalStore {
  /** For people: "sqlite". */
  readonly name: string;
  /** The store of these runs' files, for the option `blobs`. */
  readonly blobs: BlobPort;
  /**
   * Returns the journal of an id, for `journal` of `run` and `resume`; nothing is made of it until it
   * is opened.
   * @throws ReckonerError `option.invalid`
   */
  journal(id: string): JournalPort;
  /** The ids of the journals that hold lines, sorted by their bytes. */
  ids(): AsyncIterable<string>;
  /** Lists runs by their rows, which are written with their lines. @throws ReckonerError `option.invalid` */
  list(options?: ListOptions): Promise<RunPage>;
  /**
   * Removes runs: without `ids` those that have ended and that all conditions hold for. One that another
   * run needs is kept, or all of it but what that one shares.
   * @throws ReckonerError `option.invalid`, `journal.missing`
   */
  prune(options: PruneOptions): Promise<Pruned>;
  /**
   * Removes the runs of a person, or of the whole tenant, whatever their status.
   * @throws ReckonerError `option.invalid`
   */
  forget(options?: ForgetOptions): Promise<Pruned>;
  /**
   * Returns the store of a tenant: no other tenant's journals are listed or found in it, by whatever id.
   * A run in it has the tenant in its header.
   * @throws ReckonerError `option.invalid`
   */
  tenant(name: string): JournalStore;
  /** The tenants that have journals, sorted by their bytes. */
  tenants(): AsyncIterable<string>;
}

/** The places of ports that stores have given. */
const places = new WeakMap<JournalPort, TablePlace>();

/** Returns the place of a journal, where its port is one of such a store. */
export function placeOf(port: JournalPort): TablePlace | undefined {
  return places.get(port);
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
  return storeOf(shared, "");
}

/** The journals of a tenant; of none where it is "". */
function storeOf(shared: Shared, tenant: string): JournalStore {
  const { database, ready } = shared;
  const ids = new WeakMap<JournalPort, string>();
  const portOf = (id: string): JournalPort => {
    const port: JournalPort = {
      ...tableJournal(shared, { tenant, id }),
      fork: (name) => portOf(keyOf(pairKey(id, name))),
      // A journal elsewhere has no id here: the word leads nowhere, which its reader finds.
      link: (to) => ids.get(to) ?? to.name,
      follow: (link) => (fault(link) === undefined ? portOf(link) : undefined),
    };
    ids.set(port, id);
    places.set(port, { tenant, id });
    return port;
  };
  const index = new RunIndex(database, tenant, portOf);
  const isOpen = (id: string) => shared.open.has(openKey({ tenant, id }));
  const retention = new Retention(database, index, { tenant, portOf, isOpen });
  const journals = `${database.prefix}journals`;
  return {
    name: database.name,
    blobs: tableBlobs({ database, ready, placeOf }),
    journal(id) {
      const wrong = fault(id);
      if (wrong === undefined) return portOf(id);
      throw new ReckonerError("option.invalid", `The id of a journal ${wrong}.`, { place: "id" });
    },
    ids: () =>
      texts(shared, (last) => [
        `SELECT name AS text FROM ${journals} WHERE tenant = $1 AND name > $2 AND lines > 0 AND status <> 'detached' ORDER BY name LIMIT ${PAGE}`,
        tenant,
        last,
      ]),
    async list(options = {}) {
      await ready();
      return index.list(options);
    },
    async prune(options) {
      await ready();
      return retention.prune(options);
    },
    async forget(options = {}) {
      await ready();
      return retention.forget(options);
    },
    tenant(name) {
      checkArgument("The tenant", name, LABEL);
      return storeOf(shared, name);
    },
    tenants: () =>
      texts(shared, (last) => [
        `SELECT DISTINCT tenant AS text FROM ${journals} WHERE tenant > $1 ORDER BY tenant LIMIT ${PAGE}`,
        last,
      ]),
  };
}

/** Texts in the order of their bytes, a page at a time, each behind the last one. */
async function* texts(
  { database, ready }: Shared,
  pageBehind: (last: string) => Parameters<TableDatabase["read"]>,
): AsyncGenerator<string> {
  await ready();
  for (let last = ""; ; ) {
    const page = (await database.read(...pageBehind(last))).map(({ text }) => String(text));
    yield* page;
    if (page.length < PAGE) return;
    last = page.at(-1) as string;
  }
}

/** Returns in words what is wrong with an id; `undefined` where it is one. */
function fault(id: unknown): string | undefined {
  if (typeof id !== "string" || id === "") return "must be a string that is not empty";
  if (keyOf(id) !== id) return "may have 1 000 bytes";
  return /\0|\p{Surrogate}/u.test(id) ? "has a character that no text may have" : undefined;
}
