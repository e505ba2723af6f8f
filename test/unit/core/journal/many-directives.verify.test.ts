// A step that issues more than fits into a line: its directives stand in lines before it.
import { describe, expect, it } from "vitest";
import {
  type ChainedLine,
  decodeLine,
  encodeLine,
  LineDecoder,
  MAX_LINE_LENGTH,
} from "../../../../src/core/journal/index.js";
import { digestOf } from "../../../../src/core/kernel/values/index.js";
import { memoryJournal, replay, resume, run, viewOf } from "../../../../src/runtime/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { linesIn, textIn } from "../../../support/journal-text.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { refusal } from "../../../support/thrown.js";

const COUNT = 15_000;
const pad = "/".repeat(150);
const approvals = Array.from({ length: COUNT }, (_, i) => ({
  type: "approval",
  id: `${pad}${i}`,
  title: `number ${i}`.padEnd(120, "!"),
  subject: i,
}));
const wide = smallReasoner({
  initial: "a",
  states: {
    a: {
      entry: issue(...approvals),
      on: { go: { actions: issue({ type: "notify", topic: "went" }) } },
    },
  },
});

describe("a step of fifteen thousand directives", () => {
  it("is written, read, resumed from its snapshot and without, ended and replayed", async () => {
    const journal = memoryJournal();
    const end = await run(wide, null, { journal });
    expect(end).toMatchObject({ status: "waiting" });
    const lines = await linesIn(journal);
    const spilled = lines.flatMap((line) => ("more" in line && line.do ? [line.do.length] : []));
    expect(spilled.length).toBeGreaterThan(1);
    expect(spilled.reduce((sum, each) => sum + each, 0)).toBe(COUNT);
    const longest = (await textIn(journal)).split("\n").map((line) => line.length);
    expect(Math.max(...longest)).toBeLessThan(MAX_LINE_LENGTH / 2);

    const went = resume(wide, journal, { events: [{ type: "go" }] });
    expect((await went).status).toBe("waiting");
    for (const { seq } of (await journal.snapshots?.list()) ?? []) {
      await journal.snapshots?.remove(seq);
    }
    const cancelled = resume(wide, journal, { events: [{ type: "cancel" }] });
    expect(await cancelled).toMatchObject({ status: "cancelled", events: 3 });
    expect((await replay(wide, journal)).status).toBe("identical");
    for await (const { line } of viewOf(journal).ownLines()) {
      if (!("event" in line) || (line.event.type as string) === "go") continue;
      expect(line.do).toHaveLength(COUNT);
    }
    // The event's own line says the same without them; it is refused all the same.
    let previous = "";
    const without = (await textIn(journal)).split("\n").flatMap((line) => {
      if (line === "" || line.startsWith('{"do"')) return [];
      const { text, hash } = encodeLine(line.slice(0, line.lastIndexOf(',"hash":"')), previous);
      previous = hash;
      return [`${text}\n`];
    });
    await expect(replay(wide, textJournal(without.join("")))).rejects.toMatchObject({
      code: "journal.format",
      message: expect.stringContaining("does not find its directives"),
    });
  });
});

it("a write that was cut off behind directives does no harm to the next one", async () => {
  const late = smallReasoner({
    initial: "a",
    states: { a: { on: { go: { actions: issue(...approvals) } } } },
  });
  const journal = memoryJournal();
  await run(late, null, { journal });
  const events = [{ type: "go" }];
  await resume(late, journal, { events });
  const texts = (await textIn(journal)).split("\n");
  const kept = texts.slice(0, texts.findIndex((line) => line.startsWith('{"do"')) + 1);
  expect(kept.length).toBeGreaterThan(2);
  const torn = textJournal(`${kept.join("\n")}\n{"do":[`);
  expect(await resume(late, torn, { events })).toMatchObject({ status: "waiting", events: 2 });
  const again = textJournal(torn.text);
  expect(await replay(late, again)).toMatchObject({ status: "identical", events: 2 });
  expect(await resume(late, again)).toMatchObject({ status: "waiting", events: 2 });
});

describe("directives in lines of their own", () => {
  const directive = { type: "cancel", target: '"a"' };
  const event = (issued: unknown) =>
    `{"seq":1,"event":{"type":"go","at":1},"value":"a","do":${JSON.stringify(issued)},"state":"s"`;
  const lines = (...opens: readonly string[]): readonly ChainedLine[] => {
    let previous = "";
    return opens.map((open, i) => {
      const { text, hash } = encodeLine(open, previous);
      previous = hash;
      return { text, hash, number: i + 2 };
    });
  };
  const before = `{"do":[${JSON.stringify(directive)}],"more":true`;

  it.each([
    ["of which the event knows nothing", [before, event([])], undefined],
    ["that are not there", [event("#none")], /does not find its directives/],
    ["that are others", [before, event("#none")], /does not find its directives/],
    ["that are none", ['{"do":[1],"more":true'], /has invalid directives/],
    ["that are no list", ['{"do":"#a","more":true'], /has invalid directives/],
    ["beside values", [`{"values":{},"do":[],"more":true`], /has invalid directives/],
    ["with more behind", ['{"do":[],"more":true,"x":1'], /has invalid directives/],
  ])("%s", (_name, opens, fault) => {
    const decoder = new LineDecoder();
    const read = () => lines(...opens).map((line) => decoder.decode(line).line);
    if (fault === undefined) expect(read().at(-1)).toMatchObject({ do: [] });
    else expect(refusal(read)).toMatchObject({ code: "journal.format", message: fault });
  });

  it("are those that the event names, whatever a write that was cut off left before them", () => {
    const own = JSON.stringify({ ...directive, target: '"b"' });
    const named = event(`#${digestOf(own)}`);
    const decoder = new LineDecoder();
    const read = lines(before, before, `{"do":[${own}],"more":true`, named).map(
      (line) => decoder.decode(line).line,
    );
    expect(read.at(-1)).toMatchObject({ do: [JSON.parse(own)] });
    const nothing = lines(event(`#${digestOf("")}`));
    expect(refusal(() => decoder.decode(nothing[0] as ChainedLine).line).code).toBe(
      "journal.format",
    );
  });

  it("are looked for behind so many lines, since each of them costs a digest of all", () => {
    const own = JSON.stringify(directive);
    const read = (cutOff: number) => {
      const decoder = new LineDecoder();
      const other = before.replace('\\"a\\"', '\\"c\\"');
      const all = lines(...Array(cutOff).fill(other), before, event(`#${digestOf(own)}`));
      return all.map((line) => decoder.decode(line).line);
    };
    expect(read(64).at(-1)).toMatchObject({ do: [directive] });
    expect(refusal(() => read(65)).code).toBe("journal.format");
  });

  it("are no later event's, of however many events there were some", () => {
    const named = event(`#${digestOf(JSON.stringify(directive))}`);
    const decoder = new LineDecoder();
    const numbered = (at: number) => named.replace('"seq":1', `"seq":${at + 1}`);
    const all = lines(...Array.from({ length: 70 }, (_, at) => [before, numbered(at)]).flat());
    const read = all.map((line) => decoder.decode(line).line);
    expect(read.filter((line) => "event" in line && Array.isArray(line.do))).toHaveLength(70);
  });

  it("do not wait for the event after the next", () => {
    const decoder = new LineDecoder();
    const all = lines(before, '{"mark":{"id":"a","attempt":1}', event("#none"));
    decoder.decode(all[0] as ChainedLine);
    decoder.decode(all[1] as ChainedLine);
    expect(refusal(() => decoder.decode(all[2] as ChainedLine).line).code).toBe("journal.format");
    expect(decodeLine(all[2] as ChainedLine).line).toMatchObject({ do: "#none" });
  });
});
