import { agent, memoryJournal, run, scriptedModel, tool, virtualClock } from "reckoner";
import { beamSearch, thoughts } from "reckoner/thoughts";
import { expect, it } from "vitest";
import { readTree } from "../../../../src/studio/live/index.js";
import { conversationOf, rowsOf } from "../../../../src/studio/model/index.js";
import { BEGUN, paidTree } from "../support.js";

it("is what the conversation has, where no entry has many cards", async () => {
  const entries = conversationOf(await paidTree(), "");
  const { rows, ids, places } = rowsOf(entries);
  expect(rows).toEqual(entries);
  expect(ids.map((id) => places.get(id)?.id)).toEqual(ids.map((_, i) => i));
  // A question about a call stands on the call's card, and is no step of its own.
  expect(ids).not.toContain("r1#approval/2/0");
  expect(places.get("r1#approval/2/0")).toEqual(places.get("r1#tool/2/0"));
});

it("has the cards of one answer in rows of a screen each, none left out", async () => {
  const journal = memoryJournal();
  const look = tool({ name: "look", execute: () => "seen" });
  const calls = Array.from({ length: 99 }, () => ({ name: "look", input: {} }));
  const model = scriptedModel([{ calls }, "Done."]);
  const looker = agent({ name: "looker", tools: [look] });
  await run(looker, "Look.", { model, journal, clock: virtualClock(BEGUN) });
  const { rows, ids, places } = rowsOf(conversationOf(await readTree(journal), ""));
  const more = rows.flatMap((row) => (row.kind === "more" ? [row] : []));
  expect(more.map(({ from, of, calls: own }) => [from, of, own.length])).toEqual([
    [25, 99, 24],
    [49, 99, 24],
    [73, 99, 24],
    [97, 99, 3],
  ]);
  const shown = ids.filter((id) => id.includes("#tool/0/"));
  expect(shown).toHaveLength(99);
  const last = shown.at(-1) ?? "";
  expect(rows[places.get(last)?.row ?? -1]).toBe(more.at(-1));
});

it("says of an operation how many answers it has in all", async () => {
  const journal = memoryJournal();
  const score = { by: ({ content }: { readonly content: string }) => content.length };
  const policy = beamSearch({
    rounds: 1,
    branching: 60,
    beam: 1,
    score,
    aggregate: false,
    connect: false,
  });
  const thinker = thoughts({ name: "thinker", policy, maxNodes: 100 });
  let asked = 0;
  const model = scriptedModel(() => `Thought ${asked++}.`);
  await run(thinker, "Think.", { model, journal, clock: virtualClock(BEGUN) });
  const { rows } = rowsOf(conversationOf(await readTree(journal), ""));
  const shown = rows.flatMap((row) =>
    row.kind === "operation" || row.kind === "more" ? [[row.of, row.answers.length]] : [],
  );
  expect(shown).toEqual([
    [60, 24],
    [60, 24],
    [60, 12],
  ]);
});
