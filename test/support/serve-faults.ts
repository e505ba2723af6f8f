// Faults that are planted in the store of a simulation: each has to be found.
import type { Change, Held, HostStore, RunPlace } from "reckoner/serve";
import { storeWith } from "./serve.js";

const nameOf = ({ tenant, id }: RunPlace) => `${tenant}/${id}`;

/** A store with a fault; `pause` takes a while of the simulation. */
type Plant = (store: HostStore, pause: () => Promise<void>) => HostStore;

/** The faults, by what is wrong. */
export const plantedFaults: Readonly<Record<string, Plant>> = {
  "a wake that is lost where an owner lets go": (store) =>
    storeWith(store, {
      async commit(owner, held, change) {
        // What waits at a release is taken for seen.
        const lost = change.release === undefined ? [] : await store.mail(owner);
        const own = lost.filter(({ place }) => place.id === held.place.id);
        const answers = own.flatMap(({ mail }) =>
          mail.map(({ key }) => ({ outcome: "taken", key, lines: 0 }) as const),
        );
        const all = [...(change.answers ?? []), ...answers];
        return store.commit(owner, held, { ...change, answers: all });
      },
    }),

  "something said that is kept twice": (store) =>
    storeWith(store, {
      post: async (place, mail, begins) => {
        // Under another key as well.
        const other = { ...mail, key: `${mail.key}/again` };
        await store.post(place, other, begins);
        return store.post(place, mail, begins);
      },
    }),

  "an owner that was replaced and still writes": (store) => {
    const owners = new Map<string, { readonly owner: string; readonly held: Held }>();
    return storeWith(store, {
      async claim(owner, leaseMs, most) {
        const claimed = await store.claim(owner, leaseMs, most);
        for (const held of claimed) owners.set(nameOf(held.place), { owner, held });
        return claimed;
      },
      // In the name of whoever owns the run now.
      commit(owner, held, change) {
        const now = owners.get(nameOf(held.place));
        return store.commit(now?.owner ?? owner, now?.held ?? held, change);
      },
    });
  },

  "a head that anybody moves": (store) =>
    storeWith(store, {
      // Each owner opens its run, which takes long enough for others to replace it before it edits.
      async claim(...given) {
        return (await store.claim(...given)).map(({ unchanged: _, ...held }) => held);
      },
      async commit(owner, held, change) {
        const { head, ...rest } = change;
        if (head === undefined) return store.commit(owner, held, change);
        const { notes } = store.journal(held.place);
        const [before] = (await notes?.list("head")) ?? [];
        await notes?.write("head", "head", head.text, before);
        await store.commit(owner, held, rest as Change);
        return true;
      },
    }),

  "a drained run that nobody goes on with": (store) =>
    storeWith(store, {
      commit: (owner, held, change) =>
        store.commit(
          owner,
          held,
          change.release?.wakeIn === undefined ? change : { ...change, release: {} },
        ),
    }),

  "a run whose owner is gone and that nobody takes over": (store) =>
    storeWith(store, {
      claim: (owner, _leaseMs, most) => store.claim(owner, 3_600_000, most),
      renew: (owner) => store.renew(owner, 3_600_000),
    }),

  "lines that are written again where their answer was lost": (store) => {
    const asked = new Set<string>();
    return storeWith(store, {
      async commit(owner, held, change) {
        const { append, token } = change;
        if (append === undefined || !asked.has(token)) {
          asked.add(token);
          return store.commit(owner, held, change);
        }
        // Behind the last line, whichever that is.
        const before = await store.lines(append.journal, 0);
        const bytes = before.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
        const writer = await append.journal.open("append");
        await writer.append(append.lines, { lines: before.length, bytes });
        await writer.close();
        return true;
      },
    });
  },

  "an answer that is not written with its lines": (store, pause) =>
    storeWith(store, {
      async commit(owner, held, change) {
        const { answers = [], ...rest } = change;
        if (change.append === undefined || answers.length === 0) {
          return store.commit(owner, held, change);
        }
        const token = `${change.token}/answers`;
        const isOurs = await store.commit(owner, held, { token, answers });
        // The lines come later.
        await pause();
        return isOurs && store.commit(owner, held, rest as Change);
      },
    }),
};
