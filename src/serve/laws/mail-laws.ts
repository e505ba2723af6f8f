/**
 * Laws of a store's mailbox: what is sent to runs, its order, its answers, and the hints that other processes
 * get.
 */
import type { Json } from "../../core/kernel/values/index.js";
import type { RunPlace } from "../index.js";
import {
  append,
  begun,
  done,
  HOUR,
  type HostLaw,
  keysIn,
  LEASE,
  type MakeLaw,
  MiB,
  mail,
  one,
  RUN,
  same,
  taken,
} from "./law-store.js";

const WORD_A = JSON.stringify(mail("a").word);

/** Returns these laws. */
export function mailLaws(law: MakeLaw): readonly HostLaw[] {
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

    law("a key with another mark is another's, as long as it is known", async (made) => {
      const { store, pass } = made;
      const other = async (key: string, when: string) => {
        const posted = await store.post(RUN, mail(key, "two"), false);
        same(posted.type, "other", `something else ${when}`);
        same((await store.answer(RUN, key, "two")).type, "other", `its answer ${when}`);
      };
      const own = async (key: string, type: string, when: string) => {
        same((await store.post(RUN, mail(key), false)).type, type, `the same ${when}`);
        same((await store.answer(RUN, key, "one")).type, type, `its answer ${when}`);
        same((await store.answer(RUN, key)).type, type, `whatever has the key ${when}`);
      };
      const refusal = { outcome: "refused", key: "b", code: "run.ended", message: "no" } as const;
      let held = await begun(store, "h1");
      for (const key of ["a", "b", "c"]) {
        await store.post(RUN, mail(key), false);
        await other(key, "while it waits");
        await own(key, "waits", "while it waits");
      }
      same(JSON.stringify((await store.mail("h1"))[0]?.mail[0]?.word), WORD_A, "what waits");
      same(keysIn(await store.mail("h1")), "a,b,c", "what waits");
      await done(store, "h1", held, { token: "2", answers: [taken("a"), refusal] });
      for (const key of ["a", "b"]) {
        await other(key, "behind its answer");
        await own(key, "answered", "behind its answer");
      }
      const fault = { code: "tool.threw", message: "no" };
      await done(store, "h1", held, { token: "3", release: { fault, park: true } });
      await other("c", "at a parked run");
      same((await store.post(RUN, mail("c"), false)).type, "parked", "the same at a parked run");
      await store.unpark(RUN);
      held = one(await store.claim("h1", LEASE, 1));
      await done(store, "h1", held, { token: "4", answers: [taken("c")] });
      await pass(HOUR + 1_000);
      await store.sweep();
      const late = await store.post(RUN, mail("a", "two"), false);
      same(late.type, "waits", "something else after the hour");
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

    law("a run at which much waits is in no other's way", async ({ store }) => {
      const other: RunPlace = { tenant: "t", id: "r2" };
      await begun(store, "h1");
      const keys = Array.from({ length: 1_100 }, (_, n) => `k${n}`);
      await Promise.all(keys.map((key) => store.post(RUN, mail(key), false)));
      await store.post(other, mail("a"), true);
      await store.claim("h1", LEASE, 10);
      const waits = await store.mail("h1");
      const own = waits.find(({ place }) => place.id === other.id);
      same(own?.mail.map(({ key }) => key).join(), "a", "what waits at the other");
    }),

    law("what is large is handed over bit by bit, and small before it", async ({ store }) => {
      const other: RunPlace = { tenant: "t", id: "r2" };
      const held = await begun(store, "h1");
      const large = "x".repeat(7 * MiB);
      const keys = ["a", "b", "c", "d"];
      for (const key of keys) await store.post(RUN, { ...mail(key), word: { large } }, false);
      await store.post(other, mail("small"), true);
      await store.claim("h1", LEASE, 10);
      // Each is handed over as long as what comes before it is less than 16 MiB.
      same(keysIn(await store.mail("h1")), "small,a,b,c", "what is handed over at once");
      await done(store, "h1", held, { token: "2", answers: [taken("a"), taken("b")] });
      same(keysIn(await store.mail("h1")), "small,c,d", "what is handed over behind the answers");
      const lines = keys.map((key) => JSON.stringify({ key, large }));
      await append(store, "h1", held, lines, "3");
      const seen: string[] = [];
      for (let some = ["none"] as readonly string[]; some.length > 0; ) {
        some = await store.lines(store.journal(RUN), seen.length);
        const size = some.reduce((sum, line) => sum + line.length, 0);
        if (size > 24 * MiB) throw new Error(`${size} characters of lines are read at once`);
        seen.push(...some);
      }
      same(seen.join() === lines.join(), true, "all lines are read");
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

    law("what streams in is heard as it was told, in another process too", async (made) => {
      const { store, other = store } = made;
      await other.open();
      const heard = new Map<number, Json>();
      let wake = () => {};
      const leave = other.listen((hint) => {
        if (hint.type !== "delta" || hint.place.id !== RUN.id) return;
        heard.set((hint.delta as { readonly n: number }).n, hint.delta);
        wake();
      });
      for (const [n, text] of ["a", "Grüße 🧪\u0000'\"$1", "🧪".repeat(20_000)].entries()) {
        const delta = { type: "piece", n, text };
        // It may be lost: it is told until it is heard.
        while (!heard.has(n)) {
          const next = new Promise<void>((resolve) => {
            wake = resolve;
          });
          store.tell({ type: "delta", place: RUN, delta });
          await Promise.race([next, store.answer(RUN, "none")]);
        }
        same(JSON.stringify(heard.get(n)), JSON.stringify(delta), "what is heard");
      }
      leave();
    }),
  ];
}
