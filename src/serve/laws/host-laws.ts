/**
 * `hostLaws`: the laws that every store of a host must keep, as data for any test runner: who owns a run, which
 * changes are taken, what is listed.
 */
import type { RunRow } from "../../runtime/for-hosts.js";
import type { Change } from "../index.js";
import {
  append,
  appended,
  begun,
  done,
  HOUR,
  type HostLaw,
  keysIn,
  type LawStore,
  LEASE,
  LINES,
  lawsOf,
  mail,
  one,
  ROW,
  RUN,
  refused,
  START,
  same,
  taken,
  text,
} from "./law-store.js";
import { mailLaws } from "./mail-laws.js";

/**
 * The laws of a store of a host.
 * @param make an empty store; called anew for each law
 */
export function hostLaws(make: () => Promise<LawStore> | LawStore): readonly HostLaw[] {
  const law = lawsOf(make);
  return [
    ...mailLaws(law),
    law("a host that leaves a tenant's runs alone is given others'", async ({ store }) => {
      for (const tenant of ["a", "b", "c"]) {
        for (let n = 0; n < 3; n++) await store.post({ tenant, id: `r${n}` }, mail("a"), true);
      }
      const claimed = await store.claim("h1", LEASE, 20, ["a", "c"]);
      same(claimed.map(({ place }) => place.tenant).join(), "b,b,b", "the tenants of the runs");
      same((await store.claim("h2", LEASE, 20)).length, 6, "the runs that are left to others");
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

    law("the head of a run is moved by its owner alone, from where it stands", async (made) => {
      const { store, pass } = made;
      const first = await begun(store, "h1");
      await append(store, "h1", first, LINES.slice(0, 1), "2");
      const heads = async () => ((await store.journal(RUN).notes?.list("head")) ?? []).join();
      await done(store, "h1", first, { token: "3", head: { text: "one" } });
      same(await heads(), "one", "the head");
      await refused("journal.conflict", () =>
        store.commit("h1", first, { token: "4", head: { text: "two" } }),
      );
      await refused("journal.conflict", () =>
        store.commit("h1", first, { token: "5", head: { text: "two", before: "none" } }),
      );
      await done(store, "h1", first, { token: "6", head: { text: "two", before: "one" } });
      await pass(LEASE + 1_000);
      one(await store.claim("h2", LEASE, 1));
      const late = { token: "7", head: { text: "three", before: "two" } };
      same(await store.commit("h1", first, late), false, "what the late owner moves");
      same(await heads(), "two", "the head that stays");
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

    law("a claim tells whether a run is as its last owner left it", async ({ store }) => {
      const first = await begun(store, "h1");
      const claim = async (owner: string) => one(await store.claim(owner, LEASE, 1));
      const release = { wakeIn: 0 };
      await append(store, "h1", first, LINES.slice(0, 1), "2");
      await done(store, "h1", first, { token: "3", release });
      const second = await claim("h2");
      same(second.unchanged, "3", "the last change");
      await append(store, "h2", second, LINES.slice(1, 2), "4", LINES.slice(0, 1));
      await done(store, "h2", second, { token: "5", release });
      const third = await claim("h1");
      same(third.unchanged, "5", "the last change, of another owner");
      await done(store, "h1", third, { token: "6", release });
      const { at } = appended(store, [], LINES.slice(0, 2));
      const writer = await store.journal(RUN).open("append");
      await writer.append(LINES.slice(2), at);
      await writer.close();
      const fourth = await claim("h1");
      same(fourth.unchanged, undefined, "the last change, where somebody else has written since");
      await done(store, "h1", fourth, { token: "7", head: { text: "one" }, release });
      same((await claim("h1")).unchanged, undefined, "the last change of a run that was rewound");
    }),

    law("a run that never began goes with its last answer, unless it is started", async (made) => {
      const { store, pass } = made;
      const start = async (key: string) => {
        same((await store.post(RUN, mail(key), true)).type, "waits", `the start ${key}`);
        return one(await store.claim("h1", LEASE, 1));
      };
      const refuse = async (key: string) => {
        const answers = [{ outcome: "refused", key, code: "run.reasoner", message: "no" } as const];
        await done(store, "h1", await start(key), { token: key, answers, release: { gone: true } });
      };
      await refuse("a");
      same((await store.answer(RUN, "a")).type, "answered", "the answer");
      same((await store.post(RUN, mail("early"), false)).type, "missing", "a word to it");
      await pass(HOUR / 2);
      await refuse("b");
      await pass(HOUR / 2 + 1_000);
      await store.sweep();
      same((await store.answer(RUN, "b")).type, "answered", "the second answer");
      await pass(HOUR / 2);
      same((await store.claim("h1", LEASE, 1)).length, 0, "the runs that are due");
      await store.sweep();
      same((await store.answer(RUN, "b")).type, "missing", "the second answer after its hour");
      same(await store.row(RUN), undefined, "what is left of it");
      await refuse("c");
      const held = await start("d");
      await pass(HOUR + 1_000);
      await store.sweep();
      await append(store, "h1", held, LINES, "e");
      await done(store, "h1", held, { token: "f", answers: [taken("d")], release: {} });
      await pass(HOUR + 1_000);
      await store.sweep();
      same(await text(store), LINES.join(), "the lines of the run that was started");
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
  ];
}
