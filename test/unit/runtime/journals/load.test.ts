// A run as its journal left it, line by line, with and without a snapshot on the way.
import { describe, expect, it } from "vitest";
import { outstandingOf } from "../../../../src/core/driver/index.js";
import {
  type Configuration,
  configurationOf,
  encodeSnapshot,
  type Recorder,
  recordUpgrade,
  storedSnapshot,
} from "../../../../src/core/journal/index.js";
import { owedBy, type RunState } from "../../../../src/core/kernel/machine/index.js";
import {
  append,
  asJson,
  type Json,
  type List,
  listOf,
  refOf,
} from "../../../../src/core/kernel/values/index.js";
import { type JournalPort, memoryJournal } from "../../../../src/runtime/index.js";
import { loadRun } from "../../../../src/runtime/journals/load.js";
import type { LoadedRun, LoadOptions } from "../../../../src/runtime/journals/loaded-run.js";
import { obedient, promptOf, Recording } from "../../../support/recorded.js";
import { smallReasoner } from "../../../support/small-machine.js";
import { rejection } from "../../../support/thrown.js";

const say = (n: number) => ({ type: "say", to: "a", items: [{ n: `é${n}` }] });
const set = (n: number) => ({ type: "set", fields: { n } });

const bytesOf = (texts: readonly string[]) =>
  texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length + 1, 0);

/** A port over lines, with snapshots beside them. */
async function portOf(
  texts: readonly string[],
  snapshots: Readonly<Record<number, string>> = {},
  rows: ReadonlyMap<string, string> = new Map(),
) {
  const port = memoryJournal("j");
  const writer = await port.open("create");
  await writer.append(texts, { lines: 0, bytes: 0 });
  await writer.close();
  const kept = new Map(Object.entries(snapshots).map(([seq, text]) => [Number(seq), text]));
  const store = {
    list: async () => [...kept].map(([seq, { length }]) => ({ seq, size: length })),
    read: async (seq: number) => kept.get(seq),
    rows: async () => rows,
  };
  return { ...port, snapshots: store } as unknown as JournalPort;
}

/** What a load comes to, as far as it can be told. */
function told(loaded: LoadedRun<unknown>) {
  const { state, place, position, marked, recorder, notices, unfit, snapshots } = loaded;
  return {
    seq: state?.seq,
    context: state?.context,
    place,
    position,
    marked,
    previous: recorder.previous,
    notices: notices.map(({ code, message }) => `${code}: ${message}`),
    unfit,
    snapshots: snapshots.map(({ seq }) => seq),
  };
}

/** A recording with the mark of a snapshot behind each of its events. */
class Snapped extends Recording {
  readonly snapshots: Record<number, string> = {};
  readonly rows = new Map<string, string>();
  place = { seq: 0, lines: 2, bytes: bytesOf(this.texts), hash: this.recorder.previous };
  readonly marks: Record<number, object> = {};

  override step(event: Parameters<Recording["step"]>[0]): number {
    const length = super.step(event);
    this.stand();
    this.snap();
    return length;
  }

  stand(): void {
    const { texts, recorder, state } = this;
    const hash = recorder.previous;
    this.place = { seq: state.seq, lines: texts.length, bytes: bytesOf(texts), hash };
  }

  snap(configuration: Configuration = configurationOf(obedient)): void {
    const { texts, recorder, place } = this;
    const state = this.state as RunState;
    const runs = [{ run: "", configuration, state }];
    const issued = owedBy(state).map(({ id }) => ["", id] as const);
    const { text, mark, rows } = encodeSnapshot({ place, issued, ...recorder.settle(runs) });
    texts.push(recorder.mark(mark).text);
    const at = { lines: texts.length, bytes: bytesOf(texts) };
    this.marks[state.seq] = { bytes: at.bytes, size: mark.size };
    this.snapshots[state.seq] = storedSnapshot(text as string, at, state);
    for (const [name, make] of rows) this.rows.set(name, make());
  }
}

function recorded(...events: readonly object[]): Snapped {
  const run = new Snapped();
  for (const each of events) run.step(each as never);
  return run;
}
const load = async (run: Snapped, kept: readonly number[] = [], options: LoadOptions = {}) => {
  const some = Object.fromEntries(kept.map((seq) => [seq, run.snapshots[seq] as string]));
  return loadRun(obedient as never, await portOf(run.texts, some, run.rows), options);
};

const events = [say(1), set(1), say(2), set(2), set(3)];

describe("a run that is loaded", () => {
  it("is what its last line left, where that ends and what it was", async () => {
    const run = recorded(...events);
    expect(told(await load(run))).toEqual({
      seq: 5,
      context: run.state.context,
      place: run.place,
      position: { lines: 12, bytes: bytesOf(run.texts) },
      marked: { bytes: 0, size: 0 },
      previous: run.recorder.previous,
      notices: [],
      unfit: [],
      snapshots: [],
    });
  });

  it("is the same from every snapshot on the way, and writes the same from there on", async () => {
    const run = recorded(...events);
    const whole = told(await load(run));
    const next = (loaded: LoadedRun<unknown>) => {
      const { recorder, state } = loaded;
      const event = { ...say(3), at: 9 } as never;
      const step = obedient.step(state as never, event);
      return recorder.event(obedient, event, step, []).map(({ text }) => text);
    };
    const lines = next(await load(run));
    expect(lines.join()).toContain(`"after":"${refOf(asJson(run.state.context.a as object))}"`);
    for (const seq of [1, 2, 3, 4, 5]) {
      const loaded = await load(run, [seq]);
      const marked = run.marks[seq];
      expect(told(loaded)).toEqual({ ...whole, marked, snapshots: [seq] });
      expect(next(loaded)).toEqual(lines);
    }
    expect(told(await load(run, [1, 4, 2])).snapshots).toEqual([1, 2, 4]);
  });

  it("is folded up to an event, and no further; nothing behind it is looked at", async () => {
    const run = recorded(...events);
    const short = recorded(...events.slice(0, 3));
    for (const kept of [[], [1], [3], [5]]) {
      const loaded = await load(run, kept, { until: 3 });
      expect(told(loaded)).toMatchObject({
        seq: 3,
        context: short.state.context,
        place: short.place,
        position: { lines: 12, bytes: bytesOf(run.texts) },
        unfit: [],
      });
    }
    expect(told(await load(run, [], { until: -1 })).seq).toBeUndefined();
    const hash = JSON.parse(run.texts[6] as string).hash as string;
    // By its hash alone where that is asked for, whatever number it has.
    expect(told(await load(run, [], { until: 3, untilHash: hash })).seq).toBe(3);
    expect(told(await load(run, [], { untilHash: hash })).seq).toBe(3);
    expect(told(await load(run, [3], { until: 3, untilHash: hash })).seq).toBe(3);
  });

  it("is up to an event what that left: a snapshot with marks behind it is none of that", async () => {
    const run = new Snapped();
    run.step({ type: "do", directives: [{ type: "tool", id: "t", name: "n", input: 1 }] });
    const hash = JSON.parse(run.texts[2] as string).hash as string;
    run.texts.push(run.recorder.mark({ id: "t", attempt: 1 }).text);
    run.snap();
    for (const kept of [[], [1]]) {
      const { recorder, state } = await load(run, kept, { until: 1, untilHash: hash });
      expect(outstandingOf(state as RunState, recorder.memory).begun.size).toBe(0);
      const whole = await load(run, kept);
      expect(outstandingOf(whole.state as RunState, whole.recorder.memory).begun.size).toBe(1);
    }
  });

  it("has what had begun, and says what was torn", async () => {
    const run = recorded({
      type: "do",
      directives: [{ type: "tool", id: "t", name: "n", input: 1 }],
    });
    run.texts.push(run.recorder.mark({ id: "t", attempt: 2 }).text);
    const port = await portOf(run.texts);
    const torn: JournalPort = {
      ...port,
      async *read(from) {
        yield* port.read(from);
        yield new TextEncoder().encode("torn");
      },
    };
    const loaded = await loadRun(obedient as never, torn);
    expect([...outstandingOf(loaded.state as RunState, loaded.recorder.memory).begun]).toEqual([
      ["t", 2],
    ]);
    expect(told(loaded)).toMatchObject({
      seq: 1,
      place: { lines: 3 },
      position: { lines: 5, bytes: bytesOf(run.texts) },
      notices: ["journal.torn: The last line was torn (4 bytes) and is left out."],
    });
  });

  it("is refused where there is nothing, or it is another's", async () => {
    const empty = await portOf([]);
    expect(await rejection(loadRun(obedient as never, empty))).toMatchObject({
      code: "journal.empty",
      place: "j",
    });
    const other = { ...smallReasoner({}), id: "other" };
    const port = await portOf(recorded().texts);
    expect(await rejection(loadRun(other as never, port))).toMatchObject({
      code: "journal.reasoner",
    });
  });
});

describe("an upgrade's line", () => {
  /** The same machine under another configuration. */
  const next = { ...obedient, fingerprint: "next", configuration: { system: "next" } };
  const upgraded = (run: Snapped) => {
    const from = { version: obedient.version, fingerprint: obedient.fingerprint };
    const to = { version: next.version, fingerprint: next.fingerprint };
    const upgrade = { at: 50, from, to };
    const lines = recordUpgrade(run.recorder, [{ run: "", upgrade, state: run.state as never }]);
    run.texts.push(...lines.map(({ text }) => text));
    return run;
  };

  it("is where the run stands until its next event; a snapshot may stand there", async () => {
    const run = upgraded(recorded(...events));
    run.stand();
    const { place } = run;
    run.snap(configurationOf(next));
    for (const kept of [[], [2], [5]]) {
      const some = Object.fromEntries(kept.map((seq) => [seq, run.snapshots[seq] as string]));
      const port = await portOf(run.texts, some);
      const loaded = told(await loadRun([next, obedient] as never, port));
      expect(loaded).toMatchObject({ seq: 5, context: run.state.context, place, unfit: [] });
      // Where the run is asked for as it was behind that event, the snapshot is of later.
      const hash = JSON.parse(run.texts[10] as string).hash as string;
      const before = await loadRun([next, obedient] as never, port, {
        until: 5,
        untilHash: hash,
        lenient: true,
      });
      expect(told(before)).toMatchObject({ seq: 5, place: { lines: 11, hash } });
    }
  });

  it("needs no code of before, and says whose it is from there on", async () => {
    const run = upgraded(recorded(...events));
    run.stand();
    run.snap(configurationOf(next));
    const port = await portOf(run.texts, { 5: run.snapshots[5] as string });
    for (const each of [port, await portOf(run.texts)]) {
      expect(told(await loadRun(next as never, each))).toMatchObject({ seq: 5, unfit: [] });
      expect(await rejection(loadRun(obedient as never, each))).toMatchObject({
        code: "journal.configuration",
      });
    }
  });
});

describe("a snapshot that is none", () => {
  const changed = (run: Snapped, seq: number, change: (claim: object) => object) => {
    const [head, text] = (run.snapshots[seq] as string).split("\n") as [string, string];
    return `${JSON.stringify({ ...JSON.parse(head), ...change(JSON.parse(head)) })}\n${text}`;
  };
  const tried = async (run: Snapped, texts: Record<number, string>) => {
    const { seq, notices, unfit, snapshots } = told(
      await loadRun(obedient as never, await portOf(run.texts, texts)),
    );
    expect(seq).toBe(5);
    return [unfit, snapshots, notices.map((each) => each.replace(/^.* was not used: /, ""))];
  };
  const placeOf = (run: Snapped, seq: number) =>
    JSON.parse((run.snapshots[seq] as string).split("\n")[0] as string) as object;

  it.each<[string, (run: Snapped) => object, string]>([
    ["of another line", (run) => placeOf(run, 3), "the journal has no mark of it."],
    ["at an event's line", ({ place }) => place, "the journal has no mark of it."],
    ["behind the journal's end", () => ({ bytes: 1e9 }), "the journal ends before it."],
    ["in the middle of a line", () => ({ bytes: 500 }), "the journal ends before it."],
  ])("since it is %s is told of, and an older one is used", async (_name, change, why) => {
    const run = recorded(...events);
    const { format, runId, at } = placeOf(run, 4) as Record<string, unknown>;
    const bad = changed(run, 4, () => ({ ...change(run), format, runId, at }));
    expect(await tried(run, { 4: bad, 2: run.snapshots[2] as string })).toEqual([[4], [2], [why]]);
  });

  it("says what is not so is none, and an older one is used: another state, another number", async () => {
    const run = recorded(...events);
    for (const [from, to] of [
      ['"value":"a"', '"value":"b"'],
      ['"runId":"r"', '"runId":"x"'],
      ['"count":', '"kount":'],
    ] as const) {
      const [head, text] = (run.snapshots[4] as string).split("\n") as [string, string];
      const bad = `${head}\n${text.replace(from, to)}`;
      expect(bad).not.toBe(run.snapshots[4]);
      expect(await tried(run, { 4: bad, 2: run.snapshots[2] as string })).toEqual([
        [4],
        [2],
        ["the journal has no mark of it."],
      ]);
    }
  });

  it("is tried four times, and then all is folded", async () => {
    const run = recorded(...events);
    const texts = Object.fromEntries([1, 2, 3, 4, 5].map((seq) => [seq, "none"]));
    const [unfit, snapshots] = await tried(run, texts);
    expect([unfit, snapshots]).toEqual([[5, 4, 3, 2], [1]]);
  });

  it("that is gone when it is asked for is nobody's", async () => {
    const run = recorded(...events);
    const port = await portOf(run.texts, { 4: "none" });
    const gone = { ...port, snapshots: { ...port.snapshots, read: async () => undefined } };
    const loaded = told(await loadRun(obedient as never, gone as never));
    expect([loaded.unfit, loaded.snapshots, loaded.notices]).toEqual([[], [4], []]);
  });
});

describe("what was written before a snapshot", () => {
  it("is not written again: whoever goes on from it knows what whoever wrote it knows", async () => {
    const long = "x".repeat(400);
    const input = { of: long };
    const give = { type: "do", directives: [{ type: "tool", id: "t1", name: "n", input }] };
    const prompted = recorded({ ...say(1), prompt: 1 }, say(2), set(1));
    for (const kept of [[], [1], [3]]) {
      const { recorder } = await load(prompted, kept);
      expect(recorder.written.has(refOf(promptOf(1)), promptOf(1))).toBe(true);
    }
    const run = recorded(say(1), give, set(1));
    const knows = ({ written }: Recorder) => {
      const list = append(run.state.context.a as List<Json>, { more: 1 });
      return [
        written.has(refOf(long), long),
        written.list(list).base?.size,
        written.list(listOf([{ other: 1 }])).base?.size,
      ];
    };
    for (const kept of [[], [1], [2], [3]]) {
      const { recorder } = await load(run, kept);
      expect(knows(recorder)).toEqual(knows(run.recorder));
    }
    expect(knows(run.recorder)).toEqual([true, 1, undefined]);
  });
});
