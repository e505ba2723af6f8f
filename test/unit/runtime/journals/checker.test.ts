// What a replay says of the segments of a journal: of a fork's, and of an upgrade that the code at
// hand would have come out of with something else.
import { describe, expect, it } from "vitest";
import { type HeaderLine, Recorder, type RunLink } from "../../../../src/core/journal/index.js";
import { agent } from "../../../../src/index.js";
import {
  type JournalPort,
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
} from "../../../../src/runtime/index.js";
import { fork } from "../../../../src/time-travel/live/index.js";
import { linesIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";

const chat = (system: string) => agent({ name: "chat", system, conversation: true });
const [old, now, later] = [chat("old"), chat("new"), chat("later")];
const model = scriptedModel(({ system }) => `I am ${system}`);
const more = { model, messages: ["again"] };

async function waitingRun(): Promise<JournalPort> {
  const journal = memoryJournal();
  await run(old, "hello", { model, journal });
  return journal;
}

describe("a fork", () => {
  /** A fork of a waiting run whose header says what it is to be begun under, and that has gone on. */
  async function forkUnder(reasoner: typeof old): Promise<JournalPort> {
    const original = await waitingRun();
    const [line] = await linesIn((await fork(original)).journal);
    const { hash: _, ...header } = line as unknown as HeaderLine & { hash: string };
    const place = memoryJournal("other");
    const link = { ...header.fork, journal: place.link?.(original) } as RunLink;
    const { fingerprint, configuration } = reasoner;
    const { text } = new Recorder().header({ ...header, fork: link, fingerprint, configuration });
    const writer = await place.open("create");
    await writer.append([text], { lines: 0, bytes: 0 });
    await writer.close();
    await resume(reasoner, place, more);
    return place;
  }
  const segmentsOf = async (reasoner: typeof old) => {
    const report = await replay([now, old], await forkUnder(reasoner));
    expect(report).toMatchObject({ status: "identical", events: 4, notices: [] });
    return report.segments.map(({ from, events, fingerprint }) => [from, events, fingerprint]);
  };

  it("of the same configuration is one segment with what it shares", async () => {
    expect(await segmentsOf(old)).toEqual([[0, 4, old.fingerprint]]);
  });

  it("of another configuration begins a segment, with the code that has it", async () => {
    expect(await segmentsOf(now)).toEqual([
      [0, 2, old.fingerprint],
      [2, 2, now.fingerprint],
    ]);
  });
});

describe("who is told of each step", () => {
  const of = (version: number) => agent({ name: "chat", version, conversation: true });
  async function upgraded(): Promise<JournalPort> {
    const journal = memoryJournal();
    await run(of(1), "hello", { model, journal });
    for (const version of [2, 3]) await resume(of(version), journal, { ...more, upgrade: true });
    return journal;
  }

  it("is told of none in a segment whose code was not given", async () => {
    const told: number[] = [];
    const onStep = ({ step }: { step: { state: { seq: number } } }) =>
      void told.push(step.state.seq);
    await replay([of(3), of(1)], await upgraded(), { onStep });
    expect(told).toEqual([0, 1, 4, 5]);
  });

  it("is heard where that fails, whichever code the segment has", async () => {
    const onStep = ({ before }: { before?: unknown }) => {
      if (before === undefined) throw new Error("no");
    };
    for (const code of [of(3), [of(3), of(1)]]) {
      const error = await rejection(replay(code as never, await upgraded(), { onStep }));
      expect(error).toMatchObject({ code: "hook.failed", place: "onStep" });
    }
  });
});

describe("an upgrade that the present code carries over otherwise", () => {
  /** A run that was upgraded, and once more. */
  async function upgraded(): Promise<JournalPort> {
    const journal = await waitingRun();
    await resume(now, journal, { ...more, upgrade: true });
    await resume([later, now], journal, { ...more, upgrade: true });
    return journal;
  }
  type Migrate = typeof now.migrate;
  const differenceOf = async (change: (state: ReturnType<Migrate>) => unknown) => {
    const migrate: Migrate = (...given) => change(now.migrate(...given)) as ReturnType<Migrate>;
    const report = await replay([{ ...now, migrate }, old, later], await upgraded());
    expect(report).toMatchObject({ status: "diverged", events: 2 });
    return report.status === "diverged" ? report.difference : undefined;
  };
  const at = { seq: 1, event: "upgrade", cause: expect.anything() };

  it("is shown by the values of both, or of the one that has one", async () => {
    const context = (fields: object) => (state: ReturnType<Migrate>) => {
      const both: Record<string, unknown> = { ...state.context, ...fields };
      for (const key of Object.keys(both)) if (both[key] === undefined) delete both[key];
      return { ...state, context: both };
    };
    expect(await differenceOf(context({ systemPrompt: "odd" }))).toStrictEqual({
      ...at,
      path: "context.systemPrompt",
      recorded: "new",
      computed: "odd",
    });
    expect(await differenceOf(context({ extra: 1 }))).toStrictEqual({
      ...at,
      path: "context.extra",
      computed: 1,
    });
    expect(await differenceOf(context({ systemPrompt: undefined }))).toStrictEqual({
      ...at,
      path: "context.systemPrompt",
      recorded: "new",
    });
  });

  it("is shown by what it throws", async () => {
    const thrown = await differenceOf(() => {
      throw new Error("no such state");
    });
    expect(thrown).toStrictEqual({ ...at, path: "upgrade", computed: "no such state" });
  });
});
