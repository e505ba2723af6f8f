// The corpus, its layer of machines: the journals of agents as earlier builds wrote them replay and go on under every
// build. Those of the machine's present version are the layer of the format; each earlier one has a folder.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
// @ts-expect-error a plain script over the built package
import { goOn, journalIn, machines, replayed, runs } from "../../scripts/corpus-runs.mjs";
import { summaryOf } from "../../src/index.js";
import { rejection } from "../support/thrown.js";
import { aFolder } from "../unit/cli/support.js";

/** The versions of the agent's machine that were. */
const EARLIER = ["agent-6"];
/** Runs that never waited have no state that later code could begin at. */
const NEVER_WAITED = new Set(["killed", "torn"]);

interface Machine {
  readonly status: string;
}

function journalOf(name: string, layer = "format") {
  const folder = aFolder();
  cpSync(join(import.meta.dirname, layer, name), folder, { recursive: true });
  return journalIn(folder);
}

it("has the code of each run", () => {
  expect(Object.keys(machines).sort()).toEqual(Object.keys(runs).sort());
});

describe.each(Object.entries(machines as Record<string, Machine>))("the run %s", (name, of) => {
  it("replays, and again when it has gone on", async () => {
    const journal = journalOf(name);
    expect((await replayed(name, journal)).status).toBe("identical");
    const { status } = await goOn(name, journal);
    expect(status).toBe(of.status);
    expect((await replayed(name, journal)).status).toBe("identical");
  });
});

describe.each(EARLIER)("the machine %s", (layer) => {
  it.each(Object.entries(machines as Record<string, Machine>))(
    "has left %s: it replays, and goes on once it is upgraded",
    async (name, { status }) => {
      const journal = journalOf(name, layer);
      expect((await replayed(name, journal)).status).toBe("identical");
      const before = await summaryOf(journal);
      if (before.status !== "done") {
        expect((await rejection(goOn(name, journal))).code).toBe("journal.configuration");
      }
      if (NEVER_WAITED.has(name)) {
        const error = await rejection(goOn(name, journal, { upgrade: true }));
        expect(error.code).toBe("upgrade.refused");
        expect((await replayed(name, journal)).status).toBe("identical");
        return;
      }
      expect((await goOn(name, journal, { upgrade: true })).status).toBe(status);
      const { status: again } = await replayed(name, journal);
      expect(again).not.toBe("diverged");
    },
  );
});
