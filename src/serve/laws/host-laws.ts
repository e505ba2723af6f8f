/** `hostLaws`: what every store of a host must do, as data, for any test runner. */
import { isReckonerError } from "../../core/kernel/index.js";
import type { RunRow } from "../../runtime/for-hosts.js";
import type { Answer, Change, Held, HostStore, RunPlace } from "../index.js";

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
  /** Has so many milliseconds pass by the store's clock. */
  pass(ms: number): Promise<void> | void;
}

const RUN: RunPlace = { tenant: "", id: "r1" };
const LEASE = 10_000;
const HOUR = 3_600_000;
const LINES: readonly string[] = ['{"n":1}', '{"n":2,"text":"Grüße 🧪"}', '{"n":3}'];
const ROW: RunRow = {
  ...{ runId: "r1", reasoner: "desk", version: 1, status: "resting", title: "A title" },
  ...{ startedAt: 1, lastAt: 2, events: 3, approvals: [], timers: 0, children: [] },
  usage: { inputTokens: 0, outputTokens: 0, requests: 0 } as never,
};

/**
 * The laws of a store of a host.
 * @param make an empty store; called anew for each law
 */
export function hostLaws(make: () => Promise<LawStore> | LawStore): readonly HostLaw[] {
  const law = (name: string, check: (made: LawStore) => Promise<void>): HostLaw => ({
    name,
    async check() {
      const made = await make();
      await made.store.open();
      await check(made);
    },
  });

  return [
    law("what is said to no run is missing, and a start makes one", async ({ store }) => {
      same((await store.post(RUN, mail("a"), false)).type, "missing", "a word to no run");
      same((await store.claim("h1", LEASE, 10)).length, 0, "the runs that are due");
      same((await store.post(RUN, mail("a"), true)).type, "waits", "a start");
      same((await store.answer(RUN, "a")).type, "waits", "its answer");
      same((await store.answer(RUN, "b")).type, "missing", "the answer of an unknown key");
      same(
        (await store.answer({ tenant: "t", id: "r1" }, "a")).type,
        "missing",
        "another tenant's",
      );
    }),

    law("the same key is kept once, and answered alike for an hour", async ({ store, pass }) => {
      const held = await begun(store, "h1");
      await store.post(RUN, mail("a"), false);
      await store.post(RUN, mail("a"), false);
      same(keysIn(await store.mail("h1")), "a", "what waits");
      await done(store, "h1", held, { token: "2", answers: [taken("a")] });
      same(keysIn(await store.mail("h1")), "", "what waits behind the answer");
      const again = await store.post(RUN, mail("a"), false);
      same(
        JSON.stringify(again),
        JSON.stringify({ type: "answered", answer: taken("a") }),
        "again",
      );
      await pass(HOUR - 1_000);
      await store.sweep();
      same((await store.answer(RUN, "a")).type, "answered", "the answer within the hour");
      await pass(2_000);
      await store.sweep();
      same((await store.answer(RUN, "a")).type, "missing", "the answer after the hour");
    }),

    law("what is said is handed over in its order, to the owner alone", async ({ store }) => {
      await begun(store, "h1");
      const keys = Array.from({ length: 70 }, (_, n) => `k${n}`);
      for (const key of keys) await store.post(RUN, mail(key), false);
      const of = keysIn(await store.mail("h1"));
      same(of, keys.slice(0, of.split(",").length).join(), "what waits");
      if (of.split(",").length > 64) throw new Error("more than 64 are handed over at once");
      same(keysIn(await store.mail("h2")), "", "what another host is handed");
    }),

    law("a run that is due has one owner, however many ask at once", async ({ store }) => {
      for (let n = 0; n < 8; n++) await store.post({ tenant: "", id: `r${n}` }, mail("a"), true);
      const hosts = ["h1", "h2", "h3", "h4"];
      for (let round = 0; round < 8; round++) {
        await Promise.all(hosts.map((host) => store.claim(host, LEASE, 3)));
      }
      const owned = await Promise.all(hosts.map((host) => store.renew(host, LEASE)));
      const ids = owned.flat().map(({ place }) => place.id);
      same([...ids].sort().join(), "r0,r1,r2,r3,r4,r5,r6,r7", "the runs that are owned");
    }),

    law("an owner whose time is over is replaced, and can change nothing", async (made) => {
      const { store, pass } = made;
      const first = await begun(store, "h1");
      same((await store.claim("h2", LEASE, 1)).length, 0, "the runs that are due before");
      await pass(LEASE + 1_000);
      const [second] = await store.claim("h2", LEASE, 1);
      if (second === undefined || second.epoch <= first.epoch) throw new Error("no new owner");
      same(second.tries, 1, "the owners that were gone");
      await append(store, "h2", second, LINES.slice(0, 1), "2");
      const late = { token: "3", append: appended(store, LINES.slice(1, 2), LINES.slice(0, 1)) };
      same(await store.commit("h1", first, late), false, "what the late owner changes");
      same(await store.commit("h1", first, { token: "4", release: {} }), false, "its release");
      same(await text(store), LINES.slice(0, 1).join(), "the lines");
      same((await store.renew("h1", LEASE)).length, 0, "what the late owner still owns");
    }),

    law("an owner that says so keeps its run", async ({ store, pass }) => {
      await begun(store, "h1");
      for (let n = 0; n < 3; n++) {
        await pass(LEASE / 2);
        same((await store.renew("h1", LEASE)).length, 1, "the runs that are prolonged");
      }
      same((await store.claim("h2", LEASE, 1)).length, 0, "the runs that are due");
    }),

    law(
      "lines, row and answers are changed together, at the place that is expected",
      async (made) => {
        const { store } = made;
        const held = await begun(store, "h1");
        await append(store, "h1", held, LINES.slice(0, 2), "2");
        await store.post(RUN, mail("a"), false);
        const wrong: Change = {
          token: "3",
          append: appended(store, LINES.slice(2), LINES.slice(0, 1)),
          row: { ...ROW, title: "Another" },
          answers: [taken("a")],
        };
        await refused("journal.conflict", () => store.commit("h1", held, wrong));
        same(await text(store), LINES.slice(0, 2).join(), "the lines");
        same((await store.row(RUN))?.row?.title, "A title", "the row");
        same(keysIn(await store.mail("h1")), "a", "what waits");
        await append(store, "h1", held, LINES.slice(2), "4", LINES.slice(0, 2));
        same(await text(store), LINES.join(), "the lines at the right place");
      },
    ),

    law("a change that is asked for again is done once", async ({ store }) => {
      const held = await begun(store, "h1");
      const change = { token: "2", append: appended(store, LINES.slice(0, 1), []), row: ROW };
      same(await store.commit("h1", held, change), true, "the change");
      same(await store.commit("h1", held, change), true, "the change, asked for again");
      same(await text(store), LINES.slice(0, 1).join(), "the lines");
      const spent = { token: "3", spent: { day: "2026-01-31", amount: 0.5 } };
      await store.commit("h1", held, spent);
      await store.commit("h1", held, spent);
      same(await store.spent("", "2026-01-31"), 0.5, "the money");
      same(await store.spent("", "2026-02-01"), 0, "the money of the day after");
    }),

    law("what is said while its owner lets go of a run makes it due", async ({ store }) => {
      const held = await begun(store, "h1");
      await append(store, "h1", held, LINES.slice(0, 1), "2");
      // The owner has looked for the last time; now a decision comes, and then the owner lets go.
      same(keysIn(await store.mail("h1")), "", "what waits");
      await store.post(RUN, mail("late"), false);
      await done(store, "h1", held, { token: "3", release: {} });
      const [next] = await store.claim("h2", LEASE, 1);
      if (next === undefined) throw new Error("the run is not due: the wake is lost");
      same(keysIn(await store.mail("h2")), "late", "what waits");
    }),

    law(
      "a run that was let go of is due at its moment, and not before",
      async ({ store, pass }) => {
        const held = await begun(store, "h1");
        await done(store, "h1", held, { token: "2", release: { wakeIn: 5_000 } });
        await pass(3_000);
        same((await store.claim("h2", LEASE, 1)).length, 0, "the runs that are due before");
        await pass(3_000);
        const [next] = await store.claim("h2", LEASE, 1);
        if (next === undefined) throw new Error("the run is not due at its moment");
        await done(store, "h2", next, { token: "3", release: {} });
        await pass(HOUR);
        same((await store.claim("h1", LEASE, 1)).length, 0, "the runs that are due behind it");
      },
    ),

    law(
      "a run that failed is tried again, and a parked one is not, until it is unparked",
      async (made) => {
        const { store, pass } = made;
        const fault = { code: "tool.threw", message: "no" };
        let held = await begun(store, "h1");
        await done(store, "h1", held, { token: "2", release: { fault, wakeIn: 5_000 } });
        await store.post(RUN, mail("early"), false);
        const early = await store.claim("h1", LEASE, 1);
        same(early.length, 0, "the runs that are due before its moment");
        await pass(6_000);
        held = one(await store.claim("h1", LEASE, 1));
        same(held.tries, 1, "the tries");
        same(held.fault?.message, "no", "the reason");
        await store.post(RUN, mail("a"), false);
        await done(store, "h1", held, { token: "3", release: { fault, park: true } });
        await pass(HOUR);
        same((await store.claim("h1", LEASE, 1)).length, 0, "the runs that are due");
        same((await store.post(RUN, mail("b"), false)).type, "parked", "a word to it");
        same((await store.answer(RUN, "a")).type, "parked", "the answer to a word before");
        same((await store.row(RUN))?.parked, true, "it is parked");
        same(await store.unpark(RUN), true, "it is unparked");
        held = one(await store.claim("h1", LEASE, 1));
        same(held.tries, 0, "the tries behind it");
        same(keysIn(await store.mail("h1")), "early,a", "what waits");
      },
    ),

    law("the tries are counted anew where something has come of one", async ({ store, pass }) => {
      await begun(store, "h1");
      await pass(LEASE + 1_000);
      const held = one(await store.claim("h2", LEASE, 1));
      same(held.tries, 1, "the tries");
      await done(store, "h2", held, { token: "2", progress: true });
      await pass(LEASE + 1_000);
      same(one(await store.claim("h1", LEASE, 1)).tries, 1, "the tries behind progress");
    }),

    law("tenants have runs of their own", async ({ store }) => {
      const other = { tenant: "acme", id: "r1" };
      const held = await begun(store, "h1");
      await append(store, "h1", held, LINES.slice(0, 1), "2");
      same((await store.post(other, mail("a"), false)).type, "missing", "another tenant's run");
      same(await store.row(other), undefined, "its row");
      same((await store.list("acme", {})).runs.length, 0, "its list");
      same((await store.list("", {})).runs.map(({ id }) => id).join(), "r1", "the list");
      same(await store.unpark(other), false, "its unparking");
    }),

    law("runs are listed by page, the newest first", async ({ store }) => {
      for (let n = 0; n < 5; n++) {
        const place = { tenant: "", id: `r${n}` };
        await store.post(place, mail("a"), true);
        const held = one(await store.claim("h1", LEASE, 1));
        const row: RunRow = { ...ROW, runId: place.id, lastAt: n, title: n % 2 ? "odd" : "even" };
        const append = { journal: store.journal(place), lines: LINES.slice(0, 1), at: START };
        await done(store, "h1", held, { token: "2", append, row, answers: [taken("a")] });
      }
      const first = await store.list("", { limit: 2 });
      same(first.runs.map(({ id }) => id).join(), "r4,r3", "the first page");
      const second = await store.list("", { limit: 2, after: first.next });
      same(second.runs.map(({ id }) => id).join(), "r2,r1", "the second page");
      const odd = await store.list("", { search: "ODD" });
      same(odd.runs.map(({ id }) => id).join(), "r3,r1", "what is found");
      same((await store.list("", { status: "done" })).runs.length, 0, "what has another status");
    }),

    law("whoever listens is told, and stops when it is asked to", async ({ store }) => {
      const heard: string[] = [];
      let tell = () => {};
      const first = new Promise<void>((resolve) => {
        tell = resolve;
      });
      const leave = store.listen((hint) => {
        heard.push(hint.type);
        tell();
      });
      // A word may be lost while a connection is made: it is said until it is heard.
      for (let n = 0; n < 100 && heard.length === 0; n++) {
        store.tell({ type: "mail", place: RUN });
        await Promise.race([first, store.answer(RUN, "none")]);
      }
      await first;
      leave();
    }),
  ];
}

const START = { lines: 0, bytes: 0 };

function mail(key: string) {
  return { key, word: { type: "word", text: "Grüße 🧪\u0000", key } };
}

function taken(key: string): Answer {
  return { outcome: "taken", key, lines: 1 };
}

/** A run that is there and owned. */
async function begun(store: HostStore, owner: string): Promise<Held> {
  await store.post(RUN, mail("start"), true);
  const held = one(await store.claim(owner, LEASE, 1));
  await done(store, owner, held, { token: "1", answers: [taken("start")] });
  return held;
}

async function done(store: HostStore, owner: string, held: Held, change: Change): Promise<void> {
  same(await store.commit(owner, held, change), true, `the change ${change.token}`);
}

async function append(
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

function appended(store: HostStore, lines: readonly string[], before: readonly string[]) {
  const bytes = encoder.encode(before.map((line) => `${line}\n`).join("")).length;
  return { journal: store.journal(RUN), lines, at: { lines: before.length, bytes } };
}

async function text(store: HostStore): Promise<string> {
  return (await store.lines(store.journal(RUN), 0)).join();
}

function keysIn(mails: Awaited<ReturnType<HostStore["mail"]>>): string {
  return mails.flatMap(({ mail }) => mail.map(({ key }) => key)).join();
}

function one(held: readonly Held[]): Held {
  const [first] = held;
  if (first === undefined) throw new Error("no run is due");
  return first;
}

function same(actual: unknown, expected: unknown, what: string): void {
  if (actual === expected) return;
  throw new Error(`${what}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
}

async function refused(code: string, act: () => Promise<unknown>): Promise<void> {
  let outcome = "it was done";
  try {
    await act();
  } catch (thrown) {
    if (isReckonerError(thrown) && thrown.code === code) return;
    outcome = String(thrown);
  }
  throw new Error(`${code} was due, but ${outcome}`);
}
