// Journals of every released format replay, for ever (J8). They are kept in test/fixtures/journals and
// never rewritten; MAKE_JOURNALS=1 records the ones that are missing.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Reasoner, toArray } from "../../../../src/index.js";
import { fold, replay } from "../../../../src/runtime/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { reasoners, recordings } from "../../../fixtures/journals/reasoners.js";
import { messagesOf, transcriptFault } from "../../../support/agent-events.js";
import { textIn } from "../../../support/journal-text.js";

const folder = new URL("../../../fixtures/journals/", import.meta.url);
const fileOf = (name: string) => new URL(`${name}.jsonl`, folder);
const journalOf = (name: string) => textJournal(readFileSync(fileOf(name), "utf8"));

if (process.env.MAKE_JOURNALS === "1") {
  for (const [name, record] of Object.entries(recordings)) {
    if (!existsSync(fileOf(name))) writeFileSync(fileOf(name), await textIn(await record()));
  }
  if (!existsSync(fileOf("torn"))) {
    writeFileSync(fileOf("torn"), readFileSync(fileOf("desk"), "utf8").slice(0, -200));
  }
}

describe.each(Object.entries(reasoners))("the journal %s", (name, reasoner) => {
  it("replays identically", async () => {
    const report = await replay(
      reasoner as unknown as Reasoner<unknown, unknown, unknown>,
      journalOf(name),
    );
    expect(report).toMatchObject({ status: "identical" });
  });
});

describe("what the journals hold", () => {
  it("desk: parallel tools, a second attempt, an edited approval, context updates", async () => {
    const { state, events } = await fold(reasoners.desk, journalOf("desk"));
    expect([state?.status, events]).toEqual(["done", 8]);
    expect(state?.context.deps).toEqual({ looked: 2, notes: [{ text: "two drawers" }] });
    const calls = toArray(state!.context.toolCalls);
    expect(calls.map(({ status }) => status)).toEqual([
      "succeeded",
      "succeeded",
      "succeeded",
      "failed",
      "succeeded",
    ]);
    expect(calls[4]?.input).toEqual({ thing: "the old bill" });
    expect(readFileSync(fileOf("desk"), "utf8")).toContain('{"mark":');
  });

  it("cancelled: a valid transcript with a result for the tool that never returned", async () => {
    const { state } = await fold(reasoners.cancelled, journalOf("cancelled"));
    expect([state?.status, state?.context.cancelReason]).toEqual([
      "cancelled",
      "it takes too long",
    ]);
    expect(transcriptFault(messagesOf(state!.context))).toBeUndefined();
  });

  it("lamp: a machine of one's own", async () => {
    const { state } = await fold(reasoners.lamp, journalOf("lamp"));
    expect([state?.status, state?.context]).toEqual(["done", { room: "attic", switched: 2 }]);
  });

  it("torn: the last line is dropped with a notice", async () => {
    const { torn, events } = await fold(reasoners.torn, journalOf("torn"));
    expect([torn, events]).toEqual([true, 7]);
  });

  it("every journal of the folder has its reasoner", () => {
    const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
    expect(files.sort()).toEqual(
      Object.keys(reasoners)
        .map((name) => `${name}.jsonl`)
        .sort(),
    );
  });
});
