// Scenarios of machines of one's own.
import { chanceOf, oneOf, whole } from "../chance.js";
import type { Act, Scenario } from "../scenario.js";
import { desk, ledger, party, race, shop } from "./own-machines.js";

/** A machine's scenario. */
export function machines(name: string): Scenario {
  const chance = chanceOf("oracle", name);
  const reasoner = oneOf(chance, [race, shop, ledger, party, desk]);
  const n = reasoner === ledger ? whole(chance, 1, 4) : whole(chance, 2_000, 14_000);
  const concurrency = whole(chance, 1, 4);
  const acts: Act[] = [];
  const at = () => whole(chance, 300, 25_000);
  for (let i = 0; i < whole(chance, 0, 3); i++) {
    acts.push({ at: at(), do: "decide", id: "ok", decision: { approve: chance() < 0.7 } });
  }
  if (reasoner === desk) {
    for (let i = 0; i < whole(chance, 3, 9); i++) {
      const kind = oneOf(chance, ["job", "job", "job", "wait", "undo"]);
      const name = oneOf(chance, ["look", "search", "send", "pay", "nothing"]);
      const more = kind === "job" ? { name } : kind === "undo" ? { target: `job/${n + 1}` } : {};
      acts.push({ at: at(), do: "send", event: { type: kind, ...more } });
    }
    acts.push({ at: 30_000, do: "send", event: { type: "close" } });
  }
  if (chance() < 0.4) acts.push({ at: at(), do: "send", event: { type: "hurry" } });
  if (chance() < 0.3) {
    const graceMs = oneOf(chance, [0, 1_500, 5_000]);
    acts.push({ at: at(), do: "interrupt", reason: "stop", graceMs });
  }
  if (chance() < 0.25) acts.push({ at: at(), do: "drain", ms: oneOf(chance, [0, 2_000]) });
  if (chance() < 0.2) acts.push({ at: at(), do: "cancel", reason: "enough" });
  acts.sort((a, b) => a.at - b.at);
  const timers = oneOf(chance, ["sleep", "sleep", "return"] as const);
  return {
    name,
    about: `${reasoner.id} with ${n}, ${concurrency} slots, timers ${timers}; ${acts.map((act) => act.do).join(", ") || "nobody interferes"}`,
    reasoner,
    input: { n },
    model: { ms: [200, 4_000], turns: 2, calls: 2, busy: 0.1 },
    options: { concurrency, timers, retry: { attempts: 2, delayMs: 700 } },
    ...(chance() < 0.3 ? { approverMs: [500, 6_000] as const } : {}),
    reviews: chance() < 0.8,
    appends: oneOf(chance, ["at once", "a moment later"]),
    acts,
  };
}
