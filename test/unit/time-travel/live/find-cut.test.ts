// Where a journal is cut, told from lines that nobody ran: what is owed there, what was written behind it,
// and what is said where there is no such place.
import { describe, expect, it, vi } from "vitest";
import { encodeLine } from "../../../../src/core/journal/index.js";
import { agent, tool } from "../../../../src/index.js";
import {
  type JournalPort,
  memoryJournal,
  run,
  scriptedModel,
} from "../../../../src/runtime/index.js";
import {
  behindAnswers,
  behindEvent,
  behindTime,
  lookThrough,
} from "../../../../src/time-travel/live/find-cut.js";
import { findPoint } from "../../../../src/time-travel/live/fork.js";
import { diff, fork, Timeline } from "../../../../src/time-travel/live/index.js";
import { forged, forgedEvent } from "../../../support/forged.js";
import { linesIn, textIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";

const write = (id: string, store: string) => ({ type: "write", id, store, operations: [] });
const told = (id: string) => ({ type: "write.succeeded", id, value: null });

const written = () =>
  forged(
    {},
    forgedEvent(0, { type: "start" }, { do: [write("a", "s")] }),
    forgedEvent(1, told("a"), {
      do: [write("b", "s"), { type: "read", id: "r", store: "s", query: 1 }],
    }),
    forgedEvent(2, told("a"), { ignored: "stale" }),
    forgedEvent(3, told("b"), { do: [write("c", "t"), write("d", "s"), { type: "notify" }] }),
    forgedEvent(4, { type: "go" }, { end: { status: "done" } }),
  );

describe("a journal that is looked through", () => {
  it("has a small part of its text parsed: results and answers are hashed alone", async () => {
    const look = tool({ name: "look", execute: () => "A long result. ".repeat(100) });
    const model = scriptedModel([
      ...Array.from({ length: 50 }, () => ({ calls: [{ name: "look" }] })),
      "Done.",
    ]);
    const port = memoryJournal("many");
    await run(agent({ name: "clerk", tools: [look], maxIterations: 99 }), "go", {
      model,
      journal: port,
    });
    const { length } = await textIn(port);
    const parse = vi.spyOn(JSON, "parse");
    const { cut, effects } = await lookThrough(port, behindEvent(50));
    const parsed = parse.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
    parse.mockRestore();
    expect([cut?.seq, effects.length]).toEqual([50, 25]);
    expect(parsed).toBeLessThan(length / 6);
  });

  it("is cut before the first event that is behind", async () => {
    const port = await written();
    const at = async (isBehind: Parameters<typeof lookThrough>[1]) => {
      const { cut, behind, events, writes } = await lookThrough(port, isBehind);
      return [cut?.seq, behind && "seq" in behind && behind.seq, events, writes];
    };
    expect(await at(behindEvent(1))).toEqual([1, 2, 5, { s: 1, t: 1 }]);
    expect(await at(behindEvent(0))).toEqual([0, 1, 5, { s: 2, t: 1 }]);
    expect(await at(behindEvent(4))).toEqual([4, undefined, 5, {}]);
    expect(await at(behindTime(2))).toEqual([2, 3, 5, { s: 1, t: 1 }]);
    expect(await at(behindTime(-1))).toEqual([undefined, 0, 5, expect.anything()]);
    // An answer that came too late is none, and others are not looked for.
    expect(await at(behindAnswers(new Set(["a"])))).toEqual([0, 1, 5, expect.anything()]);
    expect(await at(behindAnswers(new Set(["b", "a"])))).toEqual([0, 1, 5, expect.anything()]);
    expect(await at(behindAnswers(new Set(["b"])))).toEqual([2, 3, 5, expect.anything()]);
    expect(await at(behindAnswers(new Set(["x"])))).toEqual([4, undefined, 5, {}]);
  });

  it("says what is owed at the cut, whose line it is and when it was", async () => {
    const port = await written();
    const { cut, header, settled } = await lookThrough(port, behindEvent(1));
    expect([...(cut?.owed.keys() ?? [])]).toEqual(["b", "r"]);
    // What the run itself was told later is not what a fork of it has been told since.
    expect(settled).toEqual([]);
    const lines = (await linesIn(port)) as never as readonly { readonly hash: string }[];
    expect(cut).toMatchObject({ port, runId: "r", seq: 1, at: 1, hash: lines[2]?.hash, header });
    const empty = await forged({});
    expect(await lookThrough(empty, behindEvent(0))).toMatchObject({ cut: undefined, events: 0 });
  });

  it("counts writes by their stores, whichever step asked for them", async () => {
    const start = forgedEvent(0, { type: "start" });
    const last = { do: [write("a", "notes"), write("b", "notes")], end: { status: "done" } };
    const port = await forged({}, start, forgedEvent(1, { type: "go" }, last));
    expect((await lookThrough(port, behindEvent(0))).writes).toEqual({ notes: 2 });
    // One that is cancelled in the step that asks for it is of its store as well.
    const taken = { do: [write("a", "notes"), { type: "cancel", target: "a" }] };
    const cancelled = await forged({}, start, forgedEvent(1, { type: "go" }, taken));
    expect((await lookThrough(cancelled, behindEvent(0))).writes).toEqual({ notes: 1 });
  });

  it("has the configuration of the last upgrade before the cut", async () => {
    const upgrade = {
      at: 1,
      from: { version: 1, fingerprint: "f" },
      to: { version: 2, fingerprint: "g" },
    };
    const port = await forged(
      {},
      forgedEvent(0, { type: "start" }),
      { upgrade },
      forgedEvent(1, { type: "go" }),
    );
    const of = async (seq: number) => {
      const { cut, header } = await lookThrough(port, behindEvent(seq));
      expect(header).toMatchObject({ fingerprint: "f" });
      return [cut?.header.fingerprint, cut?.header.reasoner];
    };
    expect(await of(0)).toEqual(["f", { id: "stranger", version: 1 }]);
    expect(await of(1)).toEqual(["g", { id: "stranger", version: 2 }]);
  });
});

describe("a place to fork at", () => {
  const refused = async (port: JournalPort, options: Parameters<typeof findPoint>[1]) => {
    const error = await rejection(findPoint(port, options));
    expect(error).toMatchObject({ code: "fork.point", place: "text" });
    return error.message;
  };

  it("that is not there is refused, with what there is", async () => {
    const port = await written();
    expect(await refused(port, { at: 9 })).toBe("The journal text has no event 9; its last is 4.");
    expect(await refused(port, { at: -1 })).toBe("The journal text has no event before that.");
    expect(await refused(port, { time: -1 })).toBe("The journal text has no event before that.");
    expect(await refused(await forged({}), {})).toBe("The journal text has no event before that.");
    expect(await refused(port, { set: { x: 1 } })).toBe(
      "The journal text asks for no x that is open; reckoner show lists the ids.",
    );
    expect(await refused(port, { set: { b: 1, x: 1 } })).toBe(
      "The journal text asks for no x that is open at event 2; reckoner show lists the ids.",
    );
  });

  it("has what is set there, with the time of the answer that it stands in for", async () => {
    const port = await written();
    const { looked, set } = await findPoint(port, { set: { b: "other", r: "read" } });
    expect(looked.cut.seq).toBe(2);
    expect(set).toMatchObject([
      { event: { type: "write.succeeded", id: "b", value: "other", at: 3 } },
      { event: { type: "read.succeeded", id: "r", value: "read", at: 2 } },
    ]);
  });
});

const talker = agent({ name: "talker" });
const model = scriptedModel(() => "Well.");

describe("a timeline", () => {
  it("has the records that it has, and says which those are", async () => {
    const journal = memoryJournal("j");
    await run(talker, "go", { journal, model, runId: "r" });
    const timeline = await Timeline.open(talker, journal);
    for (const seq of [-1, 2, 0.5, Number.NaN]) {
      for (const work of [timeline.at(seq), timeline.stateAt(seq)]) {
        expect(await rejection(work)).toMatchObject({
          code: "fork.point",
          place: `event ${seq}`,
          message: `The journal j has events 0 to 1, and no ${seq}.`,
        });
      }
    }
    expect(timeline.position).toBe(-1);
    expect(await timeline.at(0)).not.toHaveProperty("ignored");
    const [header] = await linesIn(journal);
    const begun = memoryJournal("begun");
    const writer = await begun.open("create");
    await writer.append([JSON.stringify(header)], { lines: 0, bytes: 0 });
    await writer.close();
    const empty = await Timeline.open(talker, begun);
    expect([empty.events, await empty.next()]).toEqual([0, undefined]);
    expect((await rejection(empty.at(0))).message).toBe(
      "The journal begun has no events, and no 0.",
    );
  });

  it("of a fork is refused where its cut is not in the run that it names", async () => {
    const journal = memoryJournal("j");
    await run(talker, "go", { journal, model, runId: "r" });
    const forked = await fork(journal, { at: 1 });
    const [header] = await linesIn(forked.journal);
    const { hash: _hash, ...own } = header as unknown as {
      readonly hash: string;
      readonly fork: { readonly seq: number; readonly runId: string; readonly hash: string };
    };
    const opened = async (link: object) => {
      const { text } = encodeLine(
        JSON.stringify({ ...own, fork: { ...own.fork, ...link } }).slice(0, -1),
        "",
      );
      const copy = memoryJournal("copy");
      const writer = await copy.open("create");
      await writer.append([text], { lines: 0, bytes: 0 });
      await writer.close();
      return Timeline.open(talker, { ...copy, follow: () => journal });
    };
    expect((await opened({})).events).toBe(2);
    for (const link of [
      { runId: "x" },
      { hash: "x" },
      { seq: 2 },
      { seq: 9 },
      { seq: -1 },
      { seq: 0 },
    ]) {
      expect(await rejection(opened(link))).toMatchObject({ code: "journal.link", place: "j" });
    }
    const [first] = (await linesIn(journal)).slice(1) as unknown as readonly { hash: string }[];
    expect((await opened({ seq: 0, hash: first?.hash })).events).toBe(1);
  });

  it("says of a record why it was ignored", async () => {
    const journal = memoryJournal("j");
    const live = run(talker, "go", { journal, model, runId: "r" });
    live.send({ type: "unheard of" } as never);
    await live;
    const timeline = await Timeline.open(talker, journal);
    const reasons: unknown[] = [];
    for (let at = await timeline.next(); at !== undefined; at = await timeline.next()) {
      reasons.push(at.ignored?.reason);
    }
    expect(reasons).toEqual([undefined, "unhandled", undefined]);
  });
});

describe("two runs that part by a child", () => {
  it("say so where neither has a line of it, and nothing of the child", async () => {
    const parent = (output: unknown) =>
      forged(
        {},
        forgedEvent(
          0,
          { type: "start" },
          { do: [{ type: "run", id: "c", reasoner: "x", input: 1 }] },
        ),
        forgedEvent(1, { type: "run.succeeded", id: "c", runId: "r:c", output }),
      );
    const [a, b] = [await parent(1), await parent(2)];
    const { parting } = await diff(a, b);
    expect(parting).toMatchObject({ kind: "child run", cause: "c", a: 1, b: 2, path: "c.output" });
    expect(parting).not.toHaveProperty("child");
    // One that was answered in one of them alone has none to compare.
    const open = await forged(
      {},
      forgedEvent(
        0,
        { type: "start" },
        { do: [{ type: "run", id: "c", reasoner: "x", input: 1 }] },
      ),
    );
    expect((await diff(a, open)).parting).toMatchObject({ kind: "child run", cause: "c", seqA: 1 });
    expect((await diff(open, a)).parting).toMatchObject({ kind: "child run", cause: "c", seqB: 1 });
    expect(await rejection(diff(memoryJournal("none"), a))).toMatchObject({
      code: "journal.missing",
    });
  });
});
