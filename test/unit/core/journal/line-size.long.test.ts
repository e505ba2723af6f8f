// No line is longer than a reader takes, whatever arrives together.
import { describe, expect, it } from "vitest";
import { MAX_LINE_LENGTH, RecordedValues } from "../../../../src/core/journal/index.js";
import { agent, replay, resume, run, scriptedModel, tool } from "../../../../src/index.js";
import { memoryJournal } from "../../../../src/runtime/index.js";
import { linesIn, textIn } from "../../../support/journal-text.js";
import { Recording } from "../../../support/recorded.js";

const MIB = 1024 * 1024;

const longest = (texts: readonly string[]) =>
  texts.reduce((max, { length }) => Math.max(max, length), 0);

describe("what is large together", () => {
  it("five parallel results of 4.7 MiB and a prompt of 7 MiB resume and replay", async () => {
    const make = () =>
      agent({
        name: "a",
        system: "p".repeat(7 * MIB),
        tools: [
          tool({
            name: "big",
            jsonSchema: {},
            execute: (_input, { id }) => id.repeat(Math.floor((4.7 * MIB) / id.length)),
          }),
          tool({ name: "asks", jsonSchema: {}, needsApproval: true, execute: () => "asked" }),
        ],
      });
    const model = scriptedModel([
      { calls: Array.from({ length: 5 }, () => ({ name: "big" })) },
      { calls: [{ name: "asks" }] },
      "done",
    ]);
    const journal = memoryJournal();
    const end = await run(make(), "go", { model, journal });
    expect(end.status).toBe("waiting");
    const before = (await textIn(journal)).split("\n");
    expect(longest(before)).toBeLessThan(MAX_LINE_LENGTH);
    // Each result once: in its event.
    expect(before.join("").length).toBeLessThan((5 * 4.7 + 7 + 1) * MIB);
    for (const { seq } of (await journal.snapshots?.list()) ?? [])
      await journal.snapshots?.remove(seq);
    const approvals = { "approval/1/0": { approve: true } };
    expect(await resume(make(), journal, { model, approvals })).toMatchObject({ status: "done" });
    expect((await replay(make(), journal)).status).toBe("identical");
    const stored = (await linesIn(journal)).flatMap((line) =>
      Object.keys(("values" in line && line.values) || {}),
    );
    expect(new Set(stored).size).toBe(stored.length);
  });

  const cases = [
    { sizes: [7], event: 7.9 },
    { sizes: [7.9, 1], event: 7.9 },
    { sizes: [3, 3, 0, 3], event: 1 },
  ];
  it.each(cases)("values $sizes and an event $event", ({ sizes, event }) => {
    const run = new Recording();
    sizes.forEach((size, i) => {
      const text = `${i}`.repeat(size * MIB);
      run.step({ type: "set", fields: { [`large${i}`]: text } });
    });
    // What the events said is forgotten at a List: from here on the lines themselves must hold it.
    run.step({ type: "say", to: "a", items: [{ role: "user", content: "x" }] });
    run.step({ type: "give", pad: "e".repeat(event * MIB) });
    expect(longest(run.texts)).toBeLessThan(MAX_LINE_LENGTH);
    const read = new RecordedValues();
    let last: ReturnType<RecordedValues["take"]> = [];
    for (const line of run.lines) last = read.take(line);
    const given = last.map(({ parts }) => read.value(parts.get("input") as never));
    expect(given.map((each) => (each as { text: string }).text.length)).toEqual(
      sizes.map((size) => Math.floor(size * MIB)),
    );
  });

  it("values stand together as far as a line has room", () => {
    const run = new Recording();
    [3, 0.5, 3, 3].forEach((size, i) => {
      run.step({ type: "set", fields: { [`large${i}`]: `${i}`.repeat(size * MIB) } });
    });
    run.step({ type: "say", to: "a", items: [{ role: "user", content: "x" }] });
    const before = run.texts.length;
    run.step({ type: "give" });
    const stored = (run.lines.slice(before) as readonly { values?: object }[])
      .map(({ values }) => Object.values(values ?? {}))
      .map((values) => values.map((value) => JSON.stringify(value).length / MIB));
    expect(stored.map((sizes) => sizes.map(Math.round))).toEqual([[3, 1], [3], [3]]);
  });

  it("a value stands in the line of its event where both have room in it, and else before it", () => {
    for (const [value, event, lines] of [
      [2, 1, 1],
      [2, 3, 2],
    ] as const) {
      const run = new Recording();
      run.step({ type: "set", fields: { large: "v".repeat(value * MIB) } });
      run.step({ type: "say", to: "a", items: [{ role: "user", content: "x" }] });
      const before = run.texts.length;
      run.step({ type: "give", pad: "e".repeat(event * MIB) });
      expect(run.texts.length - before).toBe(lines);
    }
  });

  it("items of a List stand together as far as half a line has room", () => {
    const run = new Recording();
    // Short texts stand as themselves, however many there are.
    const rows = Array.from({ length: 4_500 }, (_, i) => [`${i}`, "t".repeat(200)]);
    const items = Array.from({ length: 5 }, (_, i) => ({ i, ...Object.fromEntries(rows) }));
    run.step({ type: "set", fields: { kept: items } });
    run.step({ type: "say", to: "a", items });
    const added = (run.lines as readonly { items?: readonly { add: readonly unknown[] }[] }[])
      .flatMap((line) => line.items ?? [])
      .map(({ add }) => add.length);
    expect(added).toEqual([2, 2, 1]);
  });
});
