// Questions to events: trees, chains, counts, errors. What does not fit together is told of.
import { describe, expect, it } from "vitest";
import {
  assemble,
  buildFromSession,
  explain,
  explainAction,
  findErrors,
  findSlowOps,
  formatTree,
  queryEvents,
  statsOf,
  Trace,
  type TracedRun,
  traceId,
  walkTree,
} from "../../../../src/trace/pure/index.js";
import { refusal } from "../../../support/thrown.js";
import { event } from "../../../support/traced.js";

const chainOf = (n: number) =>
  Array.from({ length: n }, (_, i) =>
    event(`e${i}`, { at: i, ...(i === 0 ? {} : { parentEvent: `e${i - 1}` }) }),
  );

describe("a session's tree", () => {
  it("is the forest of its events by time, with its depth and first root", () => {
    const trace = new Trace([
      event("c", { at: 3, parentEvent: "a" }),
      event("a", { at: 1 }),
      event("b", { at: 2, parentEvent: "a" }),
      event("d", { at: 4, parentEvent: "c" }),
      event("e", { at: 5, parentEvent: "elsewhere" }),
      event("other", { at: 0, session: "t" }),
    ]);
    const tree = buildFromSession(trace, "s");
    expect(tree).toMatchObject({ rootEventId: "a", depth: 3 });
    expect([...walkTree(tree?.events ?? [])].map(({ node, level }) => [node.id, level])).toEqual([
      ["a", 0],
      ["b", 1],
      ["c", 1],
      ["d", 2],
      ["e", 0],
    ]);
    expect(tree?.defects).toEqual([{ kind: "missing", id: "e", cause: "elsewhere" }]);
  });

  it("of a session that nobody knows is not the same as of one in which nothing has happened", () => {
    const trace = new Trace([]);
    expect(buildFromSession(trace, "s")).toBeUndefined();
    const begun = { runId: "r", agentId: "a", session: "s", startedAt: 0, events: 0, ended: false };
    expect(buildFromSession(new Trace([], [begun]), "s")).toEqual({
      rootEventId: "",
      events: [],
      depth: 0,
      defects: [],
    });
  });

  it("keeps every event of a circle, and tells of it", () => {
    const trace = new Trace([
      event("a", { at: 1, parentEvent: "c" }),
      event("b", { at: 2, parentEvent: "a" }),
      event("c", { at: 3, parentEvent: "b" }),
      event("self", { at: 4, parentEvent: "self" }),
      event("tail", { at: 5, parentEvent: "b" }),
    ]);
    const tree = buildFromSession(trace, "s");
    const ids = [...walkTree(tree?.events ?? [])].map(({ node }) => node.id);
    expect(ids.sort()).toEqual(["a", "b", "c", "self", "tail"]);
    expect(tree?.events.map(({ id }) => id)).toEqual(["a", "self"]);
    const circles = trace.defects.filter(({ kind }) => kind === "cycle");
    expect(circles.map((each) => [...(each.kind === "cycle" ? each.ids : [])].sort())).toEqual([
      ["a", "b", "c"],
      ["self"],
    ]);
  });

  it("shows an id that came twice once, and tells of it", () => {
    const trace = new Trace([event("a", { at: 1 }), event("a", { at: 2 }), event("a", { at: 3 })]);
    expect(trace.events.map(({ at }) => at)).toEqual([1]);
    expect(trace.defects).toEqual([{ kind: "duplicate", id: "a", count: 3 }]);
  });

  it("may be deeper than any stack, to its JSON", () => {
    const deep = 30_000;
    const trace = new Trace(chainOf(deep));
    const tree = buildFromSession(trace, "s");
    expect(tree?.depth).toBe(deep);
    expect(explainAction(trace, `e${deep - 1}`).chain).toHaveLength(deep);
    const text = formatTree("s", tree as never, "json");
    expect(text.match(/"id":/g)).toHaveLength(deep);
    expect(text.match(/[[{]/g)?.length).toBe(text.match(/[\]}]/g)?.length);
    expect(formatTree("s", tree as never, "terminal").split("\n")).toHaveLength(deep + 2);
  });

  it("is JSON that says the same as the tree", () => {
    const trace = new Trace([
      event("a"),
      event("b", { at: 1, parentEvent: "a" }),
      event("c", { at: 2, parentEvent: "b" }),
      event("d", { at: 3, parentEvent: "a" }),
      event("e", { at: 4 }),
    ]);
    const tree = buildFromSession(trace, "s");
    const { session, ...rest } = JSON.parse(formatTree("s", tree as never, "json"));
    expect(session).toBe("s");
    expect(rest).toEqual(tree);
    const empty = { rootEventId: "", events: [], depth: 0, defects: [] };
    expect(JSON.parse(formatTree("s", empty, "json"))).toEqual({ session: "s", ...empty });
  });
});

describe("why", () => {
  const trace = new Trace([
    event("in", { type: "input" }),
    event("a", { at: 1, parentEvent: "in" }),
    event("b", { at: 1, parentEvent: "in" }),
    event("c", { at: 2, parentEvent: "b", causes: ["b", "a", "gone"] }),
    event("d", { at: 3, parentEvent: "c" }),
  ]);

  it("is the chain of parents, root first", () => {
    const { chain } = explainAction(trace, "d");
    expect(chain.map(({ eventId }) => eventId)).toEqual(["in", "b", "c", "d"]);
    expect(chain[0]).toEqual({
      eventId: "in",
      type: "input",
      agentId: "a",
      timestamp: "1970-01-01T00:00:00.000Z",
      summary: "Input: ?",
    });
    expect(explainAction(trace, "nobody")).toEqual({ chain: [] });
  });

  it("is all that led there as well, what followed, and what is not at hand", () => {
    const ids = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id);
    const why = explain(trace, "c");
    expect(ids(why.ledHere)).toEqual(["in", "a", "b"]);
    expect(ids(why.followed)).toEqual(["d"]);
    expect(ids(why.inputs)).toEqual(["in"]);
    expect(why.missing).toEqual(["gone"]);
    expect(ids(explain(trace, "in").followed)).toEqual(["a", "b", "c", "d"]);
    expect(ids(explain(trace, "in").inputs)).toEqual(["in"]);
  });

  it("ends in circles too", () => {
    const round = new Trace([
      event("a", { parentEvent: "b" }),
      event("b", { at: 1, parentEvent: "a" }),
    ]);
    expect(explainAction(round, "b").chain.map(({ eventId }) => eventId)).toEqual(["a", "b"]);
    expect(explain(round, "a").followed.map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("takes an id by its end or its beginning, as long as it is one alone", () => {
    const runs = new Trace([event("r1#llm/0"), event("r2#llm/0"), event("r2#tool/0/1")]);
    expect(runs.find("r1#llm/0").id).toBe("r1#llm/0");
    expect(runs.find("tool/0/1").id).toBe("r2#tool/0/1");
    expect(runs.find("tool").id).toBe("r2#tool/0/1");
    expect(runs.find("r1").id).toBe("r1#llm/0");
    expect(refusal(() => runs.find("llm/0"))).toMatchObject({ code: "trace.ambiguous" });
    expect(refusal(() => runs.find("x"))).toMatchObject({ code: "trace.missing" });
    expect(refusal(() => runs.find(""))).toMatchObject({ code: "trace.missing" });
  });
});

describe("which", () => {
  const events = [
    event("1", { at: 10, agentId: "a", type: "llm_call" }),
    event("2", { at: 20, agentId: "b", type: "tool_call", runId: "q", session: "t" }),
    event("3", { at: 30, agentId: "a", type: "error" }),
  ];
  const ids = (filter: object) => queryEvents(events, filter).map(({ id }) => id);

  it("is by agent, time, type, run and session, and the last so many", () => {
    expect(ids({})).toEqual(["1", "2", "3"]);
    expect(ids({ agentId: "a" })).toEqual(["1", "3"]);
    expect(ids({ from: 20 })).toEqual(["2", "3"]);
    expect(ids({ to: "1970-01-01T00:00:00.020Z" })).toEqual(["1", "2"]);
    expect(ids({ types: ["error", "tool_call"] })).toEqual(["2", "3"]);
    expect(ids({ runId: "q" })).toEqual(["2"]);
    expect(ids({ session: "t" })).toEqual(["2"]);
    expect(ids({ limit: 1 })).toEqual(["3"]);
    expect(ids({ limit: 0 })).toEqual([]);
    expect(ids({ agentId: "nobody" })).toEqual([]);
  });

  it("is refused where it makes no sense", () => {
    for (const filter of [{ from: "soon" }, { to: Number.NaN }, { types: ["x"] }, { limit: -1 }]) {
      expect(refusal(() => ids(filter))).toMatchObject({ code: "trace.query" });
    }
    const refused = [
      [{ runid: "r" }, "runid is not a part of it; agentId, session,"],
      [{ types: "input" }, 'types must be a list, each "input", "llm_call",'],
      [{ limit: 1.5 }, "limit must be a whole number, 0 or more"],
      [{ agentId: 5 }, "agentId must be a string; it is 5"],
      [{ from: null }, "from must be a string or a number"],
      [{ from: "17000000000000000" }, "from 17000000000000000 is not a time"],
      [5, "A question to a trace takes an object"],
      [[], "A question to a trace takes an object"],
    ] as const;
    for (const [filter, what] of refused) {
      const { code, message } = refusal(() => ids(filter as never));
      expect([code, message]).toEqual(["trace.query", expect.stringContaining(what)]);
    }
    expect(ids({ from: "1700000000000" })).toEqual([]);
  });
});

describe("how many, how long, how often", () => {
  it("counts, and means the calls of which a duration is known", () => {
    const events = [
      event("1", { durationMs: 45 }),
      event("2", { durationMs: 46 }),
      event("3", {}),
      event("4", { type: "llm_call", durationMs: 350 }),
      event("5", { type: "decision" }),
      event("6", { type: "delegation" }),
      event("7", { type: "error" }),
      event("8", { type: "input" }),
    ];
    expect(statsOf(events, "a")).toEqual({
      agentId: "a",
      totalEvents: 8,
      toolCalls: 3,
      llmCalls: 1,
      decisions: 1,
      delegations: 1,
      errors: 1,
      avgToolDurationMs: 46,
      avgLLMDurationMs: 350,
    });
    expect(statsOf([], "a")).toMatchObject({ totalEvents: 0, avgToolDurationMs: 0 });
  });

  it("finds the calls that took longer than a time, the longest first", () => {
    const events = [
      event("1", { durationMs: 100 }),
      event("2", { durationMs: 101 }),
      event("3", { durationMs: 500, type: "llm_call" }),
      event("4", { durationMs: 900, type: "approval" }),
    ];
    expect(findSlowOps(events, 100).map(({ id }) => id)).toEqual(["3", "2"]);
    for (const given of ["abc", -1, Number.NaN]) {
      const { message } = refusal(() => findSlowOps(events, given as never));
      expect(message).toContain("findSlowOps: thresholdMs must be a number, 0 or more");
    }
  });

  it("groups errors by their texts, the most frequent first", () => {
    const error = (id: string, at: number, text: string, agentId = "a") =>
      event(id, { type: "error", at, agentId, fields: { error: text } });
    const errors = [error("1", 5, "x"), error("2", 1, "y"), error("3", 9, "y", "b")];
    expect(findErrors(errors)).toEqual([
      { error: "y", count: 2, lastSeen: "1970-01-01T00:00:00.009Z", agentId: "b" },
      { error: "x", count: 1, lastSeen: "1970-01-01T00:00:00.005Z", agentId: "a" },
    ]);
    expect(findErrors(errors, 1)).toHaveLength(1);
    const many = Array.from({ length: 30 }, (_, i) => error(`e${i}`, i, `text ${i}`));
    expect(findErrors(many)).toHaveLength(20);
    expect(findErrors(many, 0)).toEqual([]);
    expect(refusal(() => findErrors(many, -1)).message).toContain("findErrors: limit must be");
  });
});

describe("several runs", () => {
  const run = (runId: string, header: object, events: TracedRun["events"] = []): TracedRun => ({
    header: { runId, at: 0, reasoner: { id: "a", version: 1 }, ...header },
    events,
    ended: true,
  });
  const link = (runId: string, seq = 1) => ({ journal: "j", runId, seq, hash: "h" });

  it("are of the session of the first that they go on from, children of their parent's", () => {
    const { runs } = assemble([
      run("third", { from: link("second") }),
      run("second", { from: link("first") }),
      run("first", {}),
      { ...run("child", {}), parent: "third" },
      run("fork", { fork: link("first") }),
      run("alone", {}),
      run("after", { from: link("not at hand") }),
    ]);
    expect(Object.fromEntries(runs.map(({ runId, session }) => [runId, session]))).toEqual({
      third: "first",
      second: "first",
      first: "first",
      child: "first",
      fork: "first",
      alone: "alone",
      after: "not at hand",
    });
  });

  it("that go on from one another in a circle have one session, whichever comes first", () => {
    const circle = [
      run("b", { from: link("c") }),
      run("c", { from: link("a") }),
      run("a", { from: link("b") }),
      run("tail", { from: link("c") }),
    ];
    for (const runs of [circle, [...circle].reverse()]) {
      const sessions = assemble(runs).runs.map(({ session }) => session);
      expect(new Set(sessions)).toEqual(new Set(["a"]));
    }
  });

  it("have the start of one come from what happened last in the other", () => {
    const start = (runId: string) =>
      event(`${runId}#@0`, { type: "input", runId, session: runId, seq: 0, endSeq: 0 });
    const settled = event("one#llm/0", { runId: "one", seq: 0, endSeq: 4 });
    const error = event("one#@4/error", { type: "error", runId: "one", seq: 4, endSeq: 4 });
    const trace = assemble([
      run("two", { from: link("one", 4) }, [start("two")]),
      run("one", {}, [start("one"), error, settled]),
    ]);
    expect(trace.get("two#@0")).toMatchObject({
      session: "one",
      parentEvent: "one#llm/0",
      causes: ["one#llm/0"],
    });
    expect(trace.get("one#@0")).not.toHaveProperty("parentEvent");
  });
});

describe("ids", () => {
  it("of two directives of two runs never meet", () => {
    const parts = ["a", "a#b", "b", "#", "@0", "%40", "%", "%23", "@0/error", "a%23b"];
    const ids = parts.flatMap((run) => parts.map((id) => traceId(run, id)));
    expect(new Set(ids).size).toBe(parts.length ** 2);
    for (const run of parts) expect(ids).not.toContain(`${run}#@0`);
    expect(traceId("r", "@50%#@a")).toBe("r#%4050%25%23@a");
  });
});
