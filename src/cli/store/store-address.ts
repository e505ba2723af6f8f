/**
 * Parses and makes addresses of databases with journals on the command line: `sqlite:FILE` and
 * `postgres://HOST/DATABASE`, and of what is in them: `STORE#RUN`, of a tenant `STORE#@TENANT/RUN` and
 * `STORE#@TENANT`. An address has no password.
 */
import { usageError } from "../terminal/failure.js";

/** An address, taken apart. */
export interface StoreAddress {
  readonly kind: "sqlite" | "postgres";
  /** The store, as it was written; it names the database in messages. */
  readonly store: string;
  /** "" for none. */
  readonly tenant: string;
  readonly run: string | undefined;
}

const STORE = /^(?:sqlite:|postgres(?:ql)?:\/\/)/i;

/** Returns true for a word that names a store, or a journal in one. */
export function isStoreAddress(word: string): boolean {
  return STORE.test(word);
}

/** Returns true for a word that names a journal in a store. */
export function isJournalAddress(word: string): boolean {
  return isStoreAddress(word) && storeAddress(word).run !== undefined;
}

/** Returns the parts of an address. @throws ReckonerError `cli.usage`: nothing of a password is printed */
export function storeAddress(word: string): StoreAddress {
  const at = word.indexOf("#");
  const store = at < 0 ? word : word.slice(0, at);
  const place = at < 0 ? "" : word.slice(at + 1);
  const kind = /^sqlite:/i.test(store) ? "sqlite" : "postgres";
  if (kind === "sqlite" && fileOf(store) === "") {
    throw usageError("sqlite: names no file; write sqlite:FILE.");
  }
  if (kind === "postgres") checkPostgres(store);
  const [, tenant, run] = /^@([^/]*)\/?(.*)$/s.exec(place) ?? [undefined, "", place];
  return { kind, store, tenant: tenant ?? "", run: run === "" ? undefined : run };
}

/** Returns the path of a SQLite file. */
export function fileOf(store: string): string {
  return store.slice("sqlite:".length);
}

/** Returns the address of a journal in the same store and of the same tenant. */
export function addressOf({ store, tenant }: StoreAddress, run: string): string {
  const isPlain = tenant === "" && !run.startsWith("@");
  return isPlain ? `${store}#${run}` : `${store}#@${tenant}/${run}`;
}

function checkPostgres(store: string): void {
  let url: URL;
  try {
    url = new URL(store);
  } catch {
    throw usageError(
      /^postgres/i.test(store)
        ? "The address of the database is not a URL; write postgres://HOST/DATABASE."
        : "The address names no store; write sqlite:FILE or postgres://HOST/DATABASE.",
    );
  }
  // The list of processes shows it to everybody, and messages repeat what they are about.
  if (url.password === "" && !url.searchParams.has("password")) return;
  throw usageError(
    "The address of the database has a password in it; leave it out, and set PGPASSWORD or PGPASSFILE.",
  );
}

/** Flags whose store is made where it is missing. */
const MAKES = ["journal", "into"];

/** The words that name stores, and whether a store is made there. */
export function storeWords(
  words: readonly unknown[],
): readonly (readonly [word: string, makes: boolean])[] {
  const named = (value: unknown, makes: boolean) =>
    [value]
      .flat()
      .flatMap((word) =>
        typeof word === "string" && isStoreAddress(word) ? [[word, makes] as const] : [],
      );
  return words.flatMap((word) => {
    if (typeof word !== "object" || word === null || Array.isArray(word)) return named(word, false);
    const flags = word as { readonly [flag: string]: unknown };
    return MAKES.flatMap((flag) => named(flags[flag], true));
  });
}
