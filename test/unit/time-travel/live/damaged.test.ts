/** Journals that are cut off, grow while they are read, are damaged or hostile, or linked in a circle. */
import { describe, expect, test } from "vitest";
import { encodeLine, type HeaderLine } from "../../../../src/core/journal/index.js";
import {
  agent,
  type JournalPort,
  memoryJournal,
  run,
  scriptedModel,
  tool,
} from "../../../../src/index.js";
import { replay } from "../../../../src/runtime/index.js";
import { diff, fork, Timeline } from "../../../../src/time-travel/live/index.js";
import { journalTraces } from "../../../../src/trace/live/index.js";
import { marksSnapshot, textIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";
import { contentsOf } from "../../../support/traced.js";
import { rechained } from "../../../support/tree-lines.js";

const look = tool({ name: "look", execute: () => "seen" });
const clerk = agent({ name: "clerk", tools: [look] });

async function aRun(): Promise<{ readonly journal: JournalPort; readonly text: string }> {
  const journal = memoryJournal("whole");
  const model = scriptedModel([{ calls: [{ name: "look" }] }, "Done."]);
  await run(clerk, "go", { model, journal, runId: "one" });
  return { journal, text: await textIn(journal) };
}

/** A journal of a text, that leads wherever it says. */
function journalOf(
  text: string,
  follow: (link: string) => JournalPort | undefined = () => undefined,
) {
  const bytes = new TextEncoder().encode(text);
  const read: JournalPort["read"] = async function* (from = 0) {
    yield bytes.subarray(from);
  };
  return { ...memoryJournal("made"), read, follow };
}

/** What reads journals, and how many events it saw. */
const readers: Record<string, (journal: JournalPort) => Promise<number>> = {
  check: async (journal) => (await replay(clerk as never, journal, { keepGoing: true })).events,
  timeline: async (journal) => {
    const { events, fault } = await Timeline.open(clerk as never, journal);
    if (fault !== undefined) throw fault;
    return events;
  },
  diff: async (journal) => {
    const { rows } = await diff(journal, (await aRun()).journal);
    return rows.filter(({ what, seqA }) => what === "event" && seqA !== undefined).length;
  },
  fork: async (journal) => (await fork(journal, { to: memoryJournal("to") })).from.seq + 1,
};

describe.each(Object.keys(readers))("%s", (name) => {
  const reader = readers[name] as (journal: JournalPort) => Promise<number>;

  test("leaves a last line out that is being written, wherever it was cut", async () => {
    const whole = (await aRun()).text.trimEnd().split("\n");
    const lines = whole.filter((line) => !marksSnapshot(line));
    const text = `${lines.join("\n")}\n`;
    const last = `${lines.at(-1)}\n`;
    expect(await reader(journalOf(text))).toBe(4);
    for (const length of [1, last.length >> 1, last.length - 1]) {
      const cut = text.slice(0, text.length - last.length + length);
      expect(await reader(journalOf(cut))).toBe(3);
    }
  });

  test("reads what is there where the journal grows meanwhile", async () => {
    const { text } = await aRun();
    const bytes = new TextEncoder().encode(text);
    const end = new TextEncoder().encode(text.split("\n").slice(0, 3).join("\n")).length + 1;
    let most = end;
    const growing: JournalPort = {
      ...memoryJournal("growing"),
      async *read(from = 0) {
        const upTo = most;
        most = bytes.length;
        for (let at = from; at < upTo; at += 7) yield bytes.subarray(at, Math.min(upTo, at + 7));
      },
    };
    const events = await reader(growing);
    expect(events).toBeGreaterThanOrEqual(2);
    expect(events).toBeLessThanOrEqual(4);
  });

  test("refuses what is damaged in any line, with the line", async () => {
    const { text } = await aRun();
    const lines = text.trimEnd().split("\n");
    for (const i of lines.keys()) {
      const damaged = lines.map((line, at) =>
        at === i ? line.replace(/"at":\d/, '"at":7') : line,
      );
      if (damaged.join() === lines.join()) continue;
      const error = await rejection(reader(journalOf(`${damaged.join("\n")}\n`)));
      expect(error).toMatchObject({ code: "journal.chain", place: `line ${i + 1}` });
    }
  });

  test("refuses what is hostile, and what holds nothing", async () => {
    const { text } = await aRun();
    const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
    const hash = /"hash":"([^"]+)"/.exec(text.split("\n")[0] as string)?.[1] as string;
    const open = `{"seq":0,"event":{"type":"start","at":0,"deep":${deep}}`;
    const hostile = journalOf(`${text.split("\n")[0]}\n${encodeLine(open, hash).text}\n`);
    expect((await rejection(reader(hostile))).code).toBe("journal.hostile");
    expect((await rejection(reader(journalOf("")))).code).toBe("journal.empty");
  });

  test("refuses forks that lead round in a circle", async () => {
    const { text } = await aRun();
    const header = JSON.parse(text.split("\n")[0] as string) as HeaderLine & { hash: string };
    const { hash, ...own } = header;
    const link = { runId: "one", seq: 0, hash, journal: "round" };
    const round: JournalPort = journalOf(
      `${encodeLine(JSON.stringify({ ...own, fork: link }).slice(0, -1), "").text}\n`,
      () => round,
    );
    const error = await rejection(reader(round));
    expect(error).toMatchObject({ code: "journal.link" });
    expect(error.message).toContain("cycle");
  });
});

test("traces tell of what cannot be read, and of the rest all the same", async () => {
  const { text } = await aRun();
  const cut = journalTraces(journalOf(text.slice(0, -5)));
  const { events, unread } = await contentsOf(cut);
  expect(unread).toEqual([]);
  expect(events.map(({ type }) => type)).toEqual(["input", "llm_call", "tool_call", "llm_call"]);
  const damaged = await contentsOf(journalTraces(journalOf(text.replace('"at":', '"at":9'))));
  expect(damaged.events).toEqual([]);
  expect(damaged.unread).toMatchObject([{ name: "made", error: { code: "journal.chain" } }]);
});

test("a diff says which of the two lacks lines that somebody has taken out, hashed anew", async () => {
  const { journal, text } = await aRun();
  const short = rechained(text, (line) =>
    line.event?.type === "llm.succeeded" ? undefined : line,
  );
  const error = await rejection(diff(journal, { ...journalOf(short), name: "short" }));
  expect(error).toMatchObject({
    code: "journal.format",
    place: expect.stringMatching(/^line \d+$/),
  });
  expect(error.message).toMatch(/^short: Line \d+ is of event \d+, where event \d+ comes next/);
});
