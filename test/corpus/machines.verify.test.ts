// The corpus, its layer of machines: the journals of agents as earlier builds wrote them replay and go on under every
// build. It begins with version 6 of the agent's machine.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
// @ts-expect-error a plain script over the built package
import { goOn, journalIn, machines, replayed, runs } from "../../scripts/corpus-runs.mjs";
import { aFolder } from "../unit/cli/support.js";

const FORMAT = join(import.meta.dirname, "format");

interface Machine {
  readonly status: string;
}

function journalOf(name: string) {
  const folder = aFolder();
  cpSync(join(FORMAT, name), folder, { recursive: true });
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
