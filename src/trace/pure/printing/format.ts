/**
 * Prints events, causal chains, counts and trees of a trace for a terminal and as JSON; events as a table in
 * Markdown, too.
 */

import * as shapes from "../../../core/kernel/shapes.js";
import { inOneLine } from "../../../core/kernel/values/index.js";
import { checkArguments } from "../../../core/kernel/vocabulary/index.js";
import { CHAIN, EVENTS, EVENTS_FORMAT, FORMAT, TREE } from "../argument-shapes.js";
import type { CausalChain } from "../queries/explain.js";
import type { TraceStats } from "../queries/query.js";
import { type DecisionTree, walkTree } from "../queries/session.js";
import { beginning } from "../reading/fields.js";
import type { TraceEvent } from "../trace-event.js";
import { localId, printedIds } from "../trace-id.js";
import { eventSummary } from "./summary.js";

/** The reader of a text: a terminal or a program. */
export type TraceFormat = "terminal" | "json";

/** Characters of what is said of an event in one line. */
const MAX_DETAIL = 120;
/** Deeper levels are not indented any further; their number says how deep they are. */
const MAX_INDENT = 40;

/** A text in one line, cut. */
function line(text: string): string {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length <= MAX_DETAIL ? flat : `${beginning(flat, MAX_DETAIL)}…`;
}

/** An ISO time for people: a space for the T, and no milliseconds. */
function readable(timestamp: string): string {
  return timestamp.replace("T", " ").replace(/\.\d+/, "");
}

/** Returns the subject of an event, without its type and its duration. */
export function detailOf({ type, fields }: Pick<TraceEvent, "type" | "fields">): string {
  const { toolName, model, totalTokens, description, chosen, parentId, childId, error } = fields;
  switch (type) {
    case "tool_call":
      return line(toolName ?? "unknown");
    case "llm_call":
      return line(`${model ?? "unknown"} ${totalTokens ?? "?"}tok`);
    case "decision":
      return line(`${description ?? "unknown"} -> ${chosen ?? "?"}`);
    case "delegation":
      return line(`${parentId ?? "?"} -> ${childId ?? "?"}`);
    case "error":
      return line(error ?? "unknown");
    default:
      return line(eventSummary({ type, fields }).replace(/^\w+: | \(0ms\)$/g, ""));
  }
}

/** Events, one in a line. */
export function formatEvents(
  events: readonly TraceEvent[],
  format: TraceFormat | "markdown",
): string {
  checkArguments("formatEvents", { events, format }, { events: EVENTS, format: EVENTS_FORMAT });
  if (format === "json") return JSON.stringify(events, null, 2);
  if (events.length === 0) return "No events found.";
  if (format === "markdown") return markdownEvents(events);
  const idOf = printedIds(events.map(({ id }) => id));
  return events.map((event) => formatEvent(event, idOf(event.id))).join("\n");
}

/**
 * An event in one line: `[2026-01-31 12:00:00Z] tool_call    Read (45ms)  (tool/0/1)`.
 * @param id how its id is printed: where nothing else is said, without its run
 */
export function formatEvent(event: TraceEvent, id?: string): string {
  const { timestamp, type, durationMs, status } = event;
  const took = durationMs === undefined ? "" : ` (${durationMs}ms)`;
  const how = status === "succeeded" || type === "error" ? "" : ` ${status}`;
  return `[${readable(timestamp)}] ${type.padEnd(12)} ${detailOf(event)}${how}${took}  (${id ?? inOneLine(localId(event.id))})`;
}

/** A table of events, with what would break it escaped. */
function markdownEvents(events: readonly TraceEvent[]): string {
  const head = ["Timestamp", "Type", "Agent", "Detail", "Duration"];
  const row = (cells: readonly string[]) => `| ${cells.map(markdownText).join(" | ")} |`;
  const rows = events.map((event) => {
    const { timestamp, type, agentId, durationMs } = event;
    const took = durationMs === undefined ? "-" : `${durationMs}ms`;
    return row([timestamp, type, agentId, detailOf(event), took]);
  });
  return [row(head), row(head.map(() => "---")), ...rows].join("\n");
}

/** A text in one line of Markdown, in which nothing is markup: no table, code, link, picture or HTML. */
function markdownText(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*[\]<|~&#$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\$&");
}

/** Writes the chain that led to an event, root first. */
export function formatChain(causes: CausalChain, format: TraceFormat): string {
  checkArguments("formatChain", { causes, format }, { causes: CHAIN, format: FORMAT });
  const { chain } = causes;
  if (format === "json") return JSON.stringify({ chain }, null, 2);
  if (chain.length === 0) return "No causal chain found.";
  const idOf = printedIds(chain.map(({ eventId }) => eventId));
  const links = chain.map(({ summary, eventId }, i) => {
    const arrow = i === 0 ? "" : "-> ";
    return `${indent(i)}${arrow}${line(summary)}  (${idOf(eventId)})`;
  });
  return ["Causal Chain:", "", ...links].join("\n");
}

function indent(level: number): string {
  return "  ".repeat(Math.min(level, MAX_INDENT));
}

/** Counts. */
export function formatStats(stats: TraceStats, format: TraceFormat): string {
  checkArguments("formatStats", { stats, format }, { stats: shapes.OBJECT, format: FORMAT });
  if (format === "json") return JSON.stringify(stats, null, 2);
  const { agentId, totalEvents, toolCalls, llmCalls, decisions, delegations, errors } = stats;
  const { avgToolDurationMs, avgLLMDurationMs } = stats;
  const agent = agentId === "" ? "all" : agentId;
  const rows: readonly (readonly [string, string])[] = [
    ["Tool Calls:", `${toolCalls}  (avg ${avgToolDurationMs}ms)`],
    ["LLM Calls:", `${llmCalls}  (avg ${avgLLMDurationMs}ms)`],
    ["Decisions:", String(decisions)],
    ["Delegations:", String(delegations)],
    ["Errors:", String(errors)],
  ];
  return [
    `Agent: ${agent}`,
    `Total Events: ${totalEvents}`,
    ...rows.map(([label, value]) => `  ${label.padEnd(14)}${value}`),
  ].join("\n");
}

/** A session's tree. */
export function formatTree(session: string, tree: DecisionTree, format: TraceFormat): string {
  checkArguments("formatTree", { tree, format }, { tree: TREE, format: FORMAT });
  if (format === "json") return treeJson(session, tree);
  const { events, depth, defects } = tree;
  const lines = [
    `Session: ${inOneLine(session)}`,
    `Events: ${events.length} root(s), depth: ${depth}`,
  ];
  for (const { node, level } of walkTree(events)) {
    const deep = level > MAX_INDENT ? `[${level}] ` : "";
    const how = node.status === "succeeded" ? "" : ` [${node.status}]`;
    lines.push(`${indent(level)}├─ ${deep}${line(eventSummary(node))}${how}`);
  }
  for (const defect of defects) lines.push(formatDefect(defect));
  return lines.join("\n");
}

/** Describes the parts that do not fit together. */
export function formatDefect(defect: DecisionTree["defects"][number]): string {
  switch (defect.kind) {
    case "duplicate":
      return `! ${defect.id} came ${defect.count} times; the first is shown`;
    case "cycle":
      return `! causes form a cycle: ${defect.ids.join(" <- ")}`;
    case "missing":
      return `! ${defect.id} came from ${defect.cause}, which is not in the trace`;
  }
}

/** A tree as JSON, written without recursion: a long conversation is deeper than a stack. */
function treeJson(session: string, { events, rootEventId, depth, defects }: DecisionTree): string {
  const parts: string[] = [];
  let last = -1;
  for (const { node, level } of walkTree(events)) {
    if (level > last && last >= 0) parts.push(`\n${indent(level)}`);
    else if (last >= 0) parts.push(`]}${"]}".repeat(last - level)},\n${indent(level)}`);
    const { children: _children, ...own } = node;
    parts.push(`${JSON.stringify(own).slice(0, -1)},"children":[`);
    last = level;
  }
  if (last >= 0) parts.push("]}".repeat(last + 1));
  const head = JSON.stringify({ session, rootEventId, depth, defects }).slice(0, -1);
  return `${head},"events":[${parts.join("")}]}`;
}
