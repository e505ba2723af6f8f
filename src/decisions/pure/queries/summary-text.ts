/**
 * Writes the result of a decision graph's query `summary` as the text that an agent is shown in its prompt,
 * within a budget of characters. Ids are written whole, since a write takes nothing less.
 */

import * as shapes from "../../../core/kernel/shapes.js";
import { ReckonerError } from "../../../core/kernel/values/index.js";
import { checkArguments } from "../../../core/kernel/vocabulary/index.js";
import { DEFAULT_BUDGET, LEAST_BUDGET } from "../validation/config.js";
import type { EdgeType } from "../vocabulary/edge.js";
import type { DecisionNode } from "../vocabulary/node.js";
import type { FoundSummary } from "../vocabulary/query-result.js";

/** The limit of the text. */
export interface ContextOptions {
  /** At most so many characters; default {@link DEFAULT_BUDGET}, at least {@link LEAST_BUDGET}. */
  readonly budget?: number | undefined;
}

/** One line of the text, which may be left out. */
interface Line {
  readonly text: string;
  shown: boolean;
}

/** A goal's line and those of its children. */
interface Goal extends Line {
  readonly children: readonly Line[];
}

const SUMMARY: shapes.Shape = [
  (value) => {
    const { goals, decisions } = (value ?? {}) as {
      readonly goals?: unknown;
      readonly decisions?: unknown;
    };
    return Array.isArray(goals) && Array.isArray(decisions);
  },
  "a summary of decisions, as a store answers it",
];

/**
 * The text, or null where there are neither goals nor decisions. Lines without room are left out: the
 * oldest decisions first, then children (those of the oldest goals first), then the oldest goals; a
 * last line says how many.
 * @throws ReckonerError `decisions.config` where the budget is too small or no whole number
 */
export function buildContext(summary: FoundSummary, options: ContextOptions = {}): string | null {
  const args = { summary, options };
  checkArguments("buildContext", args, { summary: SUMMARY, options: shapes.OBJECT });
  const { budget = DEFAULT_BUDGET } = options;
  if (!Number.isInteger(budget) || budget < LEAST_BUDGET) {
    const words = typeof budget === "number" ? budget : `a ${typeof budget}`;
    throw new ReckonerError(
      "decisions.config",
      `budget is ${words}; give a whole number of characters, ${LEAST_BUDGET} at least.`,
      { place: "budget" },
    );
  }
  if (summary.goals.length === 0 && summary.decisions.length === 0) return null;
  const name = ({ id, label }: DecisionNode) => `[${id}] ${oneLine(label)}`;
  const goals = summary.goals.map(({ node, children }): Goal => {
    const { confidence, status } = node;
    const sure = confidence === null ? "" : `, confidence: ${confidence}`;
    return {
      text: `- ${name(node)} (status: ${status}${sure})`,
      shown: true,
      children: children.map((child) => ({
        text: `  └─ ${name(child.node)} (${tagOf(child)})`,
        shown: true,
      })),
    };
  });
  const decisions = summary.decisions.map((node): Line => {
    const why = node.rationale === null ? "" : ` -- ${oneLine(node.rationale)}`;
    return { text: `- ${name(node)}${why}`, shown: true };
  });
  // Decisions are newest first, goals and children oldest first.
  const leftOutFirst = [
    ...[...decisions].reverse(),
    ...goals.flatMap((goal) => goal.children),
    ...goals,
  ];
  const missing = {
    goals: summary.goalCount - summary.goals.length,
    children: summary.goals.reduce((sum, goal) => sum + goal.childCount - goal.children.length, 0),
  };
  let text = textOf(goals, decisions, missing);
  let size = text.length;
  for (const line of leftOutFirst) {
    if (size <= budget) break;
    line.shown = false;
    // Its line break goes too; what that does to headings and to the last line is seen below.
    size -= line.text.length + 1;
    if (size > budget) continue;
    text = textOf(goals, decisions, missing);
    size = text.length;
  }
  return text;
}

function textOf(
  goals: readonly Goal[],
  decisions: readonly Line[],
  missing: { readonly goals: number; readonly children: number },
): string {
  const shownGoals = goals.filter((goal) => goal.shown);
  const lines = shownGoals.flatMap((goal) => [goal, ...goal.children.filter((line) => line.shown)]);
  const shownDecisions = decisions.filter((line) => line.shown);
  const section = (heading: string, shown: readonly Line[]) =>
    shown.length === 0 ? [] : [[heading, ...shown.map((line) => line.text)].join("\n")];
  const children = goals.flatMap((goal) => goal.children);
  const left = [
    count(missing.goals + goals.length - shownGoals.length, "goal", "goals"),
    count(
      missing.children + children.filter((line) => !line.shown).length,
      "node below a goal",
      "nodes below goals",
    ),
    count(decisions.length - shownDecisions.length, "decision", "decisions"),
  ].filter((part) => part !== "");
  return [
    ...section("## Active Goals", lines),
    ...section("## Recent Decisions", shownDecisions),
    ...(left.length === 0 ? [] : [`(not shown: ${left.join(", ")})`]),
  ].join("\n\n");
}

function tagOf({ edgeType, node }: { readonly edgeType: EdgeType; readonly node: DecisionNode }) {
  return edgeType === "chosen" || edgeType === "rejected" ? edgeType : node.status;
}

function count(number: number, one: string, many: string): string {
  return number === 0 ? "" : `${number} ${number === 1 ? one : many}`;
}

/** Makes a text one line, so that what a model wrote cannot look like a heading or another node. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ").trim();
}
