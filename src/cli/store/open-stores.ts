/**
 * Opens the databases with journals (`sqlite:…`, `postgres://…`) that the words of a command name, and closes
 * them when it is over.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { JournalStore } from "../../adapters/journal-tables/index.js";
import { postgresJournals } from "../../adapters/postgres/index.js";
import { type SqliteDatabase, sqliteJournals } from "../../adapters/sqlite/index.js";
import { isReckonerError, messageOf, ReckonerError } from "../../core/kernel/values/index.js";
import { maskCredentials } from "../../core/kernel/vocabulary/index.js";
import { usageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import type { OpenStores } from "./opened-stores.js";
import { postgresPool } from "./postgres-pool.js";
import { addressOf, fileOf, type StoreAddress, storeAddress, storeWords } from "./store-address.js";

interface Opened {
  readonly store: JournalStore;
  close(): unknown;
}

/** The packages that open a SQLite file; the first that is there does. */
const SQLITES: readonly [name: string, of: (loaded: never) => SqliteClass][] = [
  ["better-sqlite3", ({ default: own }: { readonly default: SqliteClass }) => own],
  ["libsql", ({ default: own }: { readonly default: SqliteClass }) => own],
  ["node:sqlite", ({ DatabaseSync }: { readonly DatabaseSync: SqliteClass }) => DatabaseSync],
];
type SqliteClass = new (path: string) => SqliteDatabase & { close(): unknown };

/** Commands that look at a store as a whole. */
const WHOLE: ReadonlySet<string> = new Set(["list", "prune", "forget"]);

/**
 * Opens the stores that the words and the flags of a command name.
 * @param words its arguments and flags
 * @throws ReckonerError `cli.usage`, `store.driver`, `journal.missing`, `journal.unreadable`
 */
export async function openStores(
  io: Io,
  command: string,
  words: readonly unknown[],
): Promise<OpenStores & { close(): Promise<void> }> {
  const found = { journals: new Map(), stores: new Map(), names: new Map() };
  const opened = new Map<string, Opened>();
  const close = async () => {
    for (const each of opened.values()) await each.close();
  };
  try {
    for (const [word, makes] of storeWords(words)) {
      const address = storeAddress(word);
      const { store: name, tenant, run } = address;
      const database = opened.get(name) ?? (await open(io, address, makes));
      opened.set(name, database);
      const store = tenant === "" ? database.store : database.store.tenant(tenant);
      found.stores.set(tenant === "" ? name : `${name}#@${tenant}`, store);
      if (run !== undefined) {
        found.journals.set(word, store.journal(run));
        continue;
      }
      found.stores.set(word, store);
      if (WHOLE.has(command) || makes) continue;
      const names: string[] = [];
      for await (const id of store.ids()) {
        names.push(addressOf(address, id));
        found.journals.set(names.at(-1), store.journal(id));
      }
      found.names.set(word, names);
    }
    return { ...found, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

async function open(io: Io, address: StoreAddress, makes: boolean): Promise<Opened> {
  const { kind, store: name } = address;
  const opened =
    kind === "sqlite" ? await openSqlite(io, name, makes) : await openPostgres(io, name);
  try {
    // A store that cannot be read is refused before the command begins.
    for await (const _ of opened.store.tenants()) break;
    return opened;
  } catch (thrown) {
    await opened.close();
    if (isReckonerError(thrown)) throw thrown;
    const message = `The store ${name} cannot be read: ${maskCredentials(messageOf(thrown))}.`;
    throw new ReckonerError("journal.unreadable", message, { place: name, cause: thrown });
  }
}

async function openSqlite({ cwd }: Io, name: string, makes: boolean): Promise<Opened> {
  const path = resolve(cwd, fileOf(name));
  if (!makes && !existsSync(path)) {
    throw new ReckonerError("journal.missing", `The store ${name} does not exist.`, {
      place: name,
    });
  }
  for (const [pack, of] of SQLITES) {
    const loaded = await import(pack).catch(() => undefined);
    if (loaded === undefined) continue;
    try {
      const database = new (of(loaded as never))(path);
      return { store: sqliteJournals(database), close: () => database.close() };
    } catch (cause) {
      const message = `The store ${name} cannot be opened: ${messageOf(cause)}.`;
      throw new ReckonerError("journal.unreadable", message, { place: name, cause });
    }
  }
  const message = "No package for SQLite can be loaded; install one: npm install better-sqlite3";
  throw new ReckonerError("store.driver", message, { place: name });
}

async function openPostgres(io: Io, name: string): Promise<Opened> {
  const { client, schema } = await postgresPool(io, name, { max: 4 });
  return { store: postgresJournals({ client, schema }), close: () => client.end() };
}

/** Returns the store that a word names. @throws ReckonerError `cli.usage` where it names none, or a journal */
export function storeNamed({ stores }: Io, word: string): JournalStore {
  const store = stores?.stores.get(word);
  if (store !== undefined) return store;
  throw usageError(`${word} is no store; write sqlite:FILE or postgres://HOST/DATABASE.`);
}
