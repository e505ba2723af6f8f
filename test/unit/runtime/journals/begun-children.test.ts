// The children that a journal says have begun, and what is said of those that are not in their places.
import { describe, expect, it } from "vitest";
import { agent, agentTool } from "../../../../src/index.js";
import {
  type JournalPort,
  memoryJournal,
  replay,
  run,
  scriptedModel,
} from "../../../../src/runtime/index.js";
import { fork } from "../../../../src/time-travel.js";

const child = agent({ name: "child" });
const tools = [agentTool(child, { name: "ask", description: "Asks." })];
const parent = agent({ name: "parent", tools });

/** A run that asked two children. */
async function asked(runId = "r"): Promise<JournalPort> {
  const ask = { name: "ask", input: { prompt: "p" } };
  const model = scriptedModel(({ tools }, turn) =>
    tools?.length === 1 && turn === 0 ? { calls: [ask, ask] } : "so",
  );
  const journal = memoryJournal(`the journal of ${runId}`);
  expect((await run(parent, "go", { model, journal, runId })).status).toBe("done");
  return journal;
}

describe("children", () => {
  it("that are in their places are not spoken of", async () => {
    const journal = await asked();
    expect(await replay(parent, journal)).toMatchObject({ missing: [], notices: [] });
    expect((await replay(parent, journal, { keepGoing: true })).notices).toEqual([]);
  });

  it("that are gone, another run's or another child's are named, in the order of their ids", async () => {
    const journal = await asked();
    const other = await asked("other");
    const unreadable: JournalPort = {
      ...memoryJournal("half a journal"),
      async *read() {
        yield new TextEncoder().encode("{}\n");
      },
    };
    for (const [childOf, why] of [
      [undefined, " is not there"],
      [() => memoryJournal("nothing"), " nothing is not there"],
      [(id: string) => other.child?.(id), " .* is another run's"],
      [
        (id: string) =>
          journal.child?.(
            id.replace("0/0/0", "0/9/0").replace("0/1/0", "0/0/0").replace("0/9/0", "0/1/0"),
          ),
        " .* is another run's",
      ],
      [() => unreadable, " half a journal cannot be read \\(journal.format\\)"],
    ] as const) {
      const port = { ...journal, child: childOf } as JournalPort;
      const seen = await replay(parent, port);
      expect(seen).toMatchObject({ status: "identical", missing: ["tool/0/0/0", "tool/0/1/0"] });
      const said = ["tool/0/0/0", "tool/0/1/0"].map((id) =>
        expect.stringMatching(
          new RegExp(
            `^The child run ${id} has begun, and its journal${why}: what it did was not checked\\.$`,
          ),
        ),
      );
      expect(seen.notices).toEqual(said);
      expect((await replay(parent, port, { keepGoing: true })).notices).toEqual(said);
    }
  });

  it("cannot be read where their port fails, and are sought beside the journal in which they began", async () => {
    const journal = await asked();
    const fails = () => {
      throw new TypeError("no disk");
    };
    const broken = { ...journal, child: () => ({ ...memoryJournal("x"), read: fails }) };
    expect((await replay(parent, broken as unknown as JournalPort)).notices).toEqual([
      expect.stringContaining("x cannot be read (journal.unreadable)"),
      expect.stringContaining("x cannot be read (journal.unreadable)"),
    ]);
    const placeless = await replay(parent, { ...journal, child: fails });
    expect(placeless.notices).toHaveLength(2);
    expect(placeless.notices[0]).toContain("its journal cannot be read (journal.unreadable)");
    const { journal: forked } = await fork(journal);
    expect(await replay(parent, forked)).toMatchObject({ status: "identical", missing: [] });
  });
});
