// The texts of traces, to the letter.
import { describe, expect, it } from "vitest";
import {
  eventSummary,
  formatChain,
  formatDefect,
  formatEvents,
  formatStats,
  formatTree,
  statsOf,
  type TraceEvent,
} from "../../../../src/trace/pure/index.js";
import { detailOf } from "../../../../src/trace/pure/printing/format.js";
import { cutAt } from "../../../../src/trace/pure/reading/fields.js";
import { refusal } from "../../../support/thrown.js";
import { event } from "../../../support/traced.js";

const at = Date.UTC(2026, 0, 31, 12, 0, 0, 123);
const made = (type: TraceEvent["type"], fields: object, durationMs?: number) =>
  event("run#x", {
    type,
    at,
    fields: fields as TraceEvent["fields"],
    ...(durationMs === undefined ? {} : { durationMs }),
  });

describe("summaries", () => {
  it.each([
    ["tool_call", { toolName: "Read" }, 45, "Tool call: Read (45ms)"],
    ["tool_call", {}, undefined, "Tool call: unknown (0ms)"],
    [
      "llm_call",
      { model: "claude-sonnet-4-6", totalTokens: "1200" },
      350,
      "LLM call: claude-sonnet-4-6 (1200 tokens, 350ms)",
    ],
    ["llm_call", {}, undefined, "LLM call: unknown (? tokens, 0ms)"],
    [
      "decision",
      { description: "use vitest or jest", chosen: "vitest" },
      undefined,
      "Decision: use vitest or jest -> vitest",
    ],
    ["decision", {}, undefined, "Decision: unknown -> ?"],
    [
      "delegation",
      { parentId: "orchestrator", childId: "reviewer", task: "code review" },
      undefined,
      "Delegation: orchestrator -> reviewer (code review)",
    ],
    ["delegation", {}, undefined, "Delegation: ? -> ? (?)"],
    ["error", { error: "ENOENT: no such file" }, undefined, "Error: ENOENT: no such file"],
    ["error", {}, undefined, "Error: unknown"],
    ["input", { kind: "message", content: "hi" }, undefined, "Input: message (hi)"],
    ["read", { store: "notes" }, 3, "Read: notes (3ms)"],
    ["write", { store: "notes" }, 3, "Write: notes (3ms)"],
    ["approval", { title: "Run x?" }, undefined, "Approval: Run x? -> waiting"],
    ["timer", { until: "5" }, undefined, "Timer: until 5"],
    ["whatever", {}, undefined, "Event: whatever"],
  ] as const)("%s %j", (type, fields, durationMs, summary) => {
    expect(eventSummary(made(type as TraceEvent["type"], fields, durationMs))).toBe(summary);
  });
});

describe("events", () => {
  it("are one in a line on a terminal", () => {
    const events = [
      made("tool_call", { toolName: "Read" }, 45),
      made("llm_call", { model: "m", totalTokens: "450" }, 350),
      made("decision", { description: "d", chosen: "c" }),
      { ...made("tool_call", { toolName: "two\n lines" }), status: "failed" as const },
    ];
    expect(formatEvents(events, "terminal").split("\n")).toEqual([
      "[2026-01-31 12:00:00Z] tool_call    Read (45ms)  (x)",
      "[2026-01-31 12:00:00Z] llm_call     m 450tok (350ms)  (x)",
      "[2026-01-31 12:00:00Z] decision     d -> c  (x)",
      "[2026-01-31 12:00:00Z] tool_call    two lines failed  (x)",
    ]);
    expect(formatEvents([], "terminal")).toBe("No events found.");
    expect(formatEvents([], "markdown")).toBe("No events found.");
  });

  it("have their run's id where several runs have the same ones", () => {
    const ids = (...runs: string[]) =>
      formatEvents(
        runs.map((run) => ({ ...made("read", { store: "notes" }), id: `${run}#read/0` })),
        "terminal",
      ).match(/\(\S*\)$/gm);
    expect(ids("r", "r")).toEqual(["(read/0)", "(read/0)"]);
    expect(ids("r", "r:tool/0/0")).toEqual(["(r#read/0)", "(r:tool/0/0#read/0)"]);
  });

  it("are a table in Markdown that nothing breaks", () => {
    const events = [made("tool_call", { toolName: "a|b\\c\nd" }), made("timer", { until: "5" }, 7)];
    expect(formatEvents(events, "markdown")).toBe(
      [
        "| Timestamp | Type | Agent | Detail | Duration |",
        "| --- | --- | --- | --- | --- |",
        "| 2026-01-31T12:00:00.123Z | tool_call | a | a\\|b\\\\c d | - |",
        "| 2026-01-31T12:00:00.123Z | timer | a | until 5 | 7ms |",
      ].join("\n"),
    );
  });

  it("are themselves as JSON", () => {
    const events = [made("error", { error: "x" })];
    expect(formatEvents(events, "json")).toBe(JSON.stringify(events, null, 2));
    expect(formatEvents([], "json")).toBe("[]");
  });
});

describe("chains", () => {
  const link = (n: number) => ({
    eventId: `r#${n}`,
    type: "tool_call" as const,
    agentId: "a",
    timestamp: "t",
    summary: `S${n}`,
  });

  it("go in by two spaces a level", () => {
    expect(formatChain({ chain: [link(0), link(1), link(2)] }, "terminal")).toBe(
      ["Causal Chain:", "", "S0  (0)", "  -> S1  (1)", "    -> S2  (2)"].join("\n"),
    );
    expect(formatChain({ chain: [] }, "terminal")).toBe("No causal chain found.");
    const across = [link(0), { ...link(0), eventId: "s#0" }];
    expect(formatChain({ chain: across }, "terminal")).toContain("S0  (r#0)\n  -> S0  (s#0)");
    expect(JSON.parse(formatChain({ chain: [link(0)] }, "json"))).toEqual({ chain: [link(0)] });
  });

  it("go in no further than a screen is wide", () => {
    const chain = Array.from({ length: 100 }, (_, i) => link(i));
    const lines = formatChain({ chain }, "terminal").split("\n");
    expect(lines.at(-1)).toBe(`${"  ".repeat(40)}-> S99  (99)`);
  });
});

describe("counts", () => {
  const stats = statsOf([event("1", { durationMs: 45 }), event("2", { type: "llm_call" })], "a");

  it("stand in columns", () => {
    expect(formatStats(stats, "terminal")).toBe(
      [
        "Agent: a",
        "Total Events: 2",
        "  Tool Calls:   1  (avg 45ms)",
        "  LLM Calls:    1  (avg 0ms)",
        "  Decisions:    0",
        "  Delegations:  0",
        "  Errors:       0",
      ].join("\n"),
    );
    expect(formatStats(stats, "json")).toBe(JSON.stringify(stats, null, 2));
    expect(formatStats(statsOf([]), "terminal")).toContain("Agent: all\n");
    expect(refusal(() => formatStats(stats, "markdown" as never)).code).toBe("option.invalid");
  });
});

describe("trees", () => {
  it("have the session's key, its roots and its depth first", () => {
    const node = (id: string, children: object[] = []) => ({
      ...made("tool_call", { toolName: id }, 1),
      id,
      children,
    });
    const tree = {
      rootEventId: "a",
      events: [node("a", [node("b")]), node("c")],
      depth: 2,
      defects: [{ kind: "missing", id: "c", cause: "z" }],
    };
    expect(formatTree("k", tree as never, "terminal")).toBe(
      [
        "Session: k",
        "Events: 2 root(s), depth: 2",
        "├─ Tool call: a (1ms)",
        "  ├─ Tool call: b (1ms)",
        "├─ Tool call: c (1ms)",
        "! c came from z, which is not in the trace",
      ].join("\n"),
    );
    expect(formatDefect({ kind: "cycle", ids: ["a", "b"] })).toContain("a <- b");
    expect(formatDefect({ kind: "duplicate", id: "a", count: 2 })).toContain("2 times");
  });
});

describe("a text that is cut", () => {
  it("has no half of a letter at its end", () => {
    const cut = cutAt(4);
    expect([cut("abcd"), cut("abc🧪"), cut("ab🧪🧪")]).toEqual([
      "abcd",
      "abc… (5 characters)",
      "ab🧪… (6 characters)",
    ]);
    const name = "x".repeat(119);
    expect(detailOf(made("tool_call", { toolName: `${name}🧪` }))).toBe(`${name}…`);
  });
});

it("has no markup of others in its Markdown", () => {
  const said = "**b** `c` <script> [l](u) | ~~s~~ &lt; # $x$ _i_ a_b \\ -> 1";
  const plain =
    "\\*\\*b\\*\\* \\`c\\` \\<script> \\[l\\](u) \\| \\~\\~s\\~\\~ \\&lt; \\# \\$x\\$ \\_i\\_ a_b \\\\ -> 1";
  const events = [event("r#a", { type: "error", fields: { error: said } })];
  expect(formatEvents(events, "markdown")).toContain(`| ${plain} |`);
  expect(formatEvents(events, "terminal")).toContain(said);
});
