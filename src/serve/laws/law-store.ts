/**
 * Shares the parts of the laws of stores (`host-laws.ts`, `mail-laws.ts`): a run with its lines and row, what an
 * owner does with it, and assertions.
 */
import { textOfLines } from "../../core/journal/index.js";
import { isReckonerError } from "../../core/kernel/values/index.js";
import type { JournalPosition, RunRow } from "../../runtime/for-hosts.js";
import type { Answer, Appended, Change, Held, HostStore, NewMail, RunPlace } from "../index.js";

/** One law. */
export interface HostLaw {
  /** The law, as a sentence. */
  readonly name: string;
  /** Rejects with an Error that says what does not hold. */
  check(): Promise<void>;
}

/** An empty store, and its time. */
export interface LawStore {
  readonly store: HostStore;
  /** The same store as another process has it. Default: itself. */
  readonly other?: HostStore | undefined;
  /** Has so many milliseconds pass by the store's clock. */
  pass(ms: number): Promise<void> | void;
}

export const RUN: RunPlace = { tenant: "", id: "r1" };
export const LEASE = 10_000;
export const HOUR = 3_600_000;
export const MiB: number = 1024 * 1024;
export const LINES: readonly string[] = ['{"n":1}', '{"n":2,"text":"Grüße 🧪"}', '{"n":3}'];
export const ROW: RunRow = {
  ...{ runId: "r1", reasoner: "desk", version: 1, status: "ready", title: "A title" },
  ...{ startedAt: 1, lastAt: 2, events: 3, approvals: [], timers: 0, children: [] },
  usage: { inputTokens: 0, outputTokens: 0, requests: 0 } as never,
};

/** Makes a law. */
export type MakeLaw = (name: string, check: (made: LawStore) => Promise<void>) => HostLaw;

/** Makes laws, each of an empty store. */
export function lawsOf(make: () => Promise<LawStore> | LawStore): MakeLaw {
  return (name: string, check: (made: LawStore) => Promise<void>): HostLaw => ({
    name,
    async check() {
      const made = await make();
      await made.store.open();
      await check(made);
    },
  });
}

export const START: JournalPosition = { lines: 0, bytes: 0 };

export function mail(key: string, mark = "one"): NewMail {
  return { key, mark, word: { type: "word", text: "Grüße 🧪\u0000", key } };
}

export function taken(key: string): Answer {
  return { outcome: "taken", key, lines: 1 };
}

/** A run that is there and owned. */
export async function begun(store: HostStore, owner: string): Promise<Held> {
  await store.post(RUN, mail("start"), true);
  const held = one(await store.claim(owner, LEASE, 1));
  await done(store, owner, held, { token: "1", answers: [taken("start")] });
  return held;
}

export async function done(
  store: HostStore,
  owner: string,
  held: Held,
  change: Change,
): Promise<void> {
  same(await store.commit(owner, held, change), true, `the change ${change.token}`);
}

export async function append(
  store: HostStore,
  owner: string,
  held: Held,
  lines: readonly string[],
  token: string,
  before: readonly string[] = [],
): Promise<void> {
  await done(store, owner, held, { token, append: appended(store, lines, before), row: ROW });
}

const encoder = new TextEncoder();

export function appended(
  store: HostStore,
  lines: readonly string[],
  before: readonly string[],
): Appended {
  const bytes = encoder.encode(textOfLines(before)).length;
  return { journal: store.journal(RUN), lines, at: { lines: before.length, bytes } };
}

export async function text(store: HostStore): Promise<string> {
  return (await store.lines(store.journal(RUN), 0)).join();
}

export function keysIn(mails: Awaited<ReturnType<HostStore["mail"]>>): string {
  return mails.flatMap(({ mail }) => mail.map(({ key }) => key)).join();
}

export function one(held: readonly Held[]): Held {
  const [first] = held;
  if (first === undefined) throw new Error("no run is due");
  return first;
}

export function same(actual: unknown, expected: unknown, what: string): void {
  if (actual === expected) return;
  throw new Error(`${what}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
}

export async function refused(code: string, act: () => Promise<unknown>): Promise<void> {
  let outcome = "it was done";
  try {
    await act();
  } catch (thrown) {
    if (isReckonerError(thrown) && thrown.code === code) return;
    outcome = String(thrown);
  }
  throw new Error(`${code} was due, but ${outcome}`);
}
