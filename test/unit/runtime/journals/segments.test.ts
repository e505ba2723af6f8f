// Which code a segment of a journal has, and who goes on with a run: by configurations alone.
import { describe, expect, it } from "vitest";
import { differs, outstandingOf } from "../../../../src/core/driver/index.js";
import { type Configuration, noMemory } from "../../../../src/core/journal/index.js";
import type { Reasoner } from "../../../../src/core/kernel/machine/index.js";
import { emptyTable, tableSet } from "../../../../src/core/kernel/values/index.js";
import { noticesOf } from "../../../../src/runtime/journals/loaded-run.js";
import { reasonersOf } from "../../../../src/runtime/journals/reasoners-of.js";
import { Segments } from "../../../../src/runtime/journals/segments.js";
import { carryOver, codeOf } from "../../../../src/runtime/journals/upgrade.js";
import { smallReasoner } from "../../../support/small-machine.js";
import { refusal } from "../../../support/thrown.js";

const small = smallReasoner({});
/** Code of a version and a configuration; it carries states over by noting what it was told. */
const code = (fingerprint: string, version = 1, status = "active") =>
  ({
    ...small,
    fingerprint,
    version,
    configuration: { system: fingerprint },
    migrate: (state: object, over: { differs: (part: string) => boolean }) => ({
      ...state,
      status,
      over: { ...over, differs: over.differs("system") },
    }),
  }) as unknown as Reasoner<unknown, unknown, unknown>;
const of = (fingerprint: string, version = 1): Configuration => ({
  version,
  fingerprint,
  configuration: { system: fingerprint },
});
const [a, b, c2] = [code("a"), code("b"), code("c", 2)];
const header = {
  runId: "r",
  at: 5,
  input: "in",
  budget: "much",
  reasoner: { id: "small" },
} as never;

describe("the code of a configuration", () => {
  it("is the one that has it, or, where less will do, one of its version", () => {
    expect(codeOf([a, b], of("b"), false)).toBe(b);
    expect(codeOf([a, b], of("x"), false)).toBeUndefined();
    expect(codeOf([c2, a, b], of("x"), true)).toBe(a);
    expect(codeOf([c2, a, b], of("b"), true)).toBe(b);
    expect(codeOf([a, b], of("x", 3), true)).toBeUndefined();
  });

  it("is of reasoners, and of one at least", () => {
    expect(reasonersOf(a)).toEqual([a]);
    expect(reasonersOf([a, b])).toEqual([a, b]);
    expect(refusal(() => reasonersOf([])).code).toBe("journal.reasoner");
    expect(refusal(() => reasonersOf([a, {}] as never)).code).toBe("option.invalid");
  });

  it("differs in parts", () => {
    const bare = { version: 1, fingerprint: "x" };
    expect(differs(of("a"), of("b"))("system")).toBe(true);
    expect(differs(of("a"), of("a"))("system")).toBe(false);
    expect(differs(of("a"), of("b"))("other")).toBe(false);
    expect([differs(bare, of("a"))("system"), differs(of("a"), bare)("system")]).toEqual([
      true,
      true,
    ]);
    expect(differs(bare, bare)("system")).toBe(false);
  });
});

describe("who goes on", () => {
  const port = { name: "j" } as never;
  const state = { seq: 3, at: 50, status: "active" } as never;
  const over = (
    reasoners: readonly Reasoner<unknown, unknown, unknown>[],
    at: {
      fingerprint?: string;
      version?: number;
      state?: unknown;
      lost?: boolean;
      left?: readonly string[];
    },
    how: { lenient?: boolean; upgradeAt?: number } = {},
  ) =>
    carryOver(
      reasoners,
      {
        header,
        configuration: {
          ...of(at.fingerprint ?? "a", at.version),
          ...(at.left && { left: at.left }),
        },
        state: ("state" in at ? at.state : state) as never,
        lost: at.lost ?? false,
      },
      how,
      port,
    );

  it("is whoever has the configuration", () => {
    expect(over([b, a], {})).toEqual({ reasoner: a, state, upgrade: undefined });
    const error = refusal(() => over([b], {}));
    expect(error).toMatchObject({ code: "journal.configuration", place: "j" });
    expect(error.message).toContain("configuration of small: system differs. Resume");
  });

  it("is the first, where an upgrade is asked for, and the state is carried over", () => {
    expect(over([a, b], {}, { upgradeAt: 99 })).toEqual({ reasoner: a, state, upgrade: undefined });
    expect(over([b, a], {}, { upgradeAt: 99 })).toEqual({
      reasoner: b,
      state: {
        seq: 3,
        at: 50,
        status: "active",
        over: { at: 99, differs: true, input: "in", budget: "much" },
      },
      upgrade: {
        at: 99,
        from: of("a"),
        to: { ...of("b"), left: ["a"] },
        difference: "system differs",
      },
    });
    // None leads back to one that the run has left, and the next line knows of all.
    const back = refusal(() => over([b], { left: ["0", b.fingerprint] }, { upgradeAt: 99 }));
    expect(back).toMatchObject({ code: "upgrade.refused" });
    expect(back.message).toContain("it has left this configuration for a later one");
    expect(over([b], { left: ["0"] }, { upgradeAt: 99 }).upgrade?.to.left).toEqual(["0", "a"]);
    // A clock that was set back does not turn the run's time back.
    expect(over([b], {}, { upgradeAt: 7 }).upgrade?.at).toBe(50);
    expect(over([b], { state: undefined }, { upgradeAt: 1 })).toMatchObject({
      state: undefined,
      upgrade: { at: 5 },
    });
    // One that has ended is read, and nothing is written.
    expect(over([code("b", 1, "done")], {}, { upgradeAt: 99 })).toMatchObject({
      state: { status: "done" },
      upgrade: undefined,
    });
  });

  it("is whoever is there, for who only reads", () => {
    expect(over([b], {}, { lenient: true })).toEqual({ reasoner: b, state, upgrade: undefined });
    expect(over([b, a], {}, { lenient: true }).reasoner).toBe(a);
    expect(over([c2], {}, { lenient: true })).toEqual({ reasoner: c2, state, upgrade: undefined });
  });

  it("is nobody where events could not be folded", () => {
    const lost = { lost: true };
    for (const how of [{}, { lenient: true }]) {
      expect(refusal(() => over([a], lost, how)).code).toBe("journal.configuration");
    }
    const refused = (more: object) =>
      refusal(() => over([a], { ...lost, ...more }, { upgradeAt: 9 }));
    expect(refused({})).toMatchObject({
      code: "upgrade.refused",
      message: expect.stringMatching(/the events in \S+ behind event 3 were taken/),
    });
    expect(refused({ state: undefined }).message).toContain("behind its header were taken");
  });
});

describe("the segments of a journal", () => {
  const opened = (...each: readonly (readonly [Configuration, number, number?])[]) => {
    const segments = new Segments<unknown, unknown, unknown>();
    for (const [configuration, events, same = events] of each) {
      segments.open([a, b], configuration);
      Object.assign(segments.last, { events, same });
    }
    return segments;
  };
  const checked = (segments: ReturnType<typeof opened>) =>
    segments.list().map((each) => [each.from, each.events, each.version, each.checked]);

  it("have each the code of their configuration", () => {
    const segments = opened([of("a"), 3], [of("b"), 2]);
    expect(segments.code).toBe(b);
    expect(segments.list()).toEqual([
      { from: 0, events: 3, version: 1, fingerprint: "a", checked: true },
      { from: 3, events: 2, version: 1, fingerprint: "b", checked: true },
    ]);
    expect([segments.identical, segments.notices()]).toEqual([5, []]);
  });

  it("without code are not checked, but for the last, by the best that there is", () => {
    const segments = opened([of("x"), 3], [of("y"), 2, 1]);
    expect(checked(segments)).toEqual([
      [0, 3, 1, false],
      [3, 2, 1, true],
    ]);
    expect([segments.code, segments.identical]).toEqual([a, 1]);
    expect(segments.notices()).toEqual([
      "Not checked: 3 events from 0 on, of version 1, whose code was not given.",
      "The reasoner's configuration is not the one that was recorded: system differs.",
    ]);
  });

  it("of another version are tried from the beginning, and behind an upgrade not at all", () => {
    const first = opened([of("x", 9), 3]);
    expect([first.code, checked(first), first.identical]).toEqual([a, [[0, 3, 9, true]], 3]);
    expect(first.notices()).toEqual([
      "The reasoner's configuration is not the one that was recorded: version 9 became 1, system differs.",
    ]);
    const behind = opened([of("a"), 3], [of("x", 9), 2]);
    expect([behind.code, checked(behind), behind.identical]).toEqual([
      undefined,
      [
        [0, 3, 1, true],
        [3, 2, 9, false],
      ],
      3,
    ]);
    expect(behind.notices()).toEqual([
      "Not checked: 2 events from 3 on, of version 9, whose code was not given.",
    ]);
  });

  it("go on from what was recorded, carried over where the code is another", () => {
    const recorded = { state: { seq: 1 }, memory: "m" } as never;
    const upgrade = { at: 7, from: of("a"), to: of("x") };
    const on = (segments: ReturnType<typeof opened>, from: unknown = recorded) =>
      segments.carriedOn(header, upgrade, from as never);
    expect(on(opened([of("a"), 1]))).toBe(recorded);
    expect(on(opened([of("a"), 1], [of("x", 9), 1]))).toBe(recorded);
    expect(opened([of("x"), 1]).carriedOn(header, upgrade, undefined)).toBeUndefined();
    expect(on(opened([of("x"), 1]))).toEqual({
      memory: "m",
      state: {
        seq: 1,
        status: "active",
        over: { at: 7, differs: true, input: "in", budget: "much" },
      },
    });
  });
});

describe("what of a run had begun", () => {
  it("are attempts of what is outstanding", () => {
    const begun = [["a", 2] as const, ["gone", 1] as const].reduce(
      (table, [id, count]) => tableSet(table, id, count),
      emptyTable<number>(),
    );
    const state = { outstanding: tableSet(tableSet(emptyTable(), "a", 1), "c", 1) } as never;
    const of = (given: never) => [...outstandingOf(given, { ...noMemory, begun }).begun];
    expect(of(state)).toEqual([["a", 2]]);
  });

  it("and how it was loaded is told", () => {
    const upgrade = { difference: "all of it" } as never;
    expect(noticesOf(undefined, 0)).toEqual([]);
    expect(noticesOf(upgrade, 3)).toEqual([
      { code: "journal.torn", message: "The last line was torn (3 bytes) and is left out." },
      {
        code: "journal.upgraded",
        message: "The run goes on under another configuration: all of it.",
      },
    ]);
  });
});
