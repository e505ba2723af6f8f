/** The six tools that write to a decision graph. Each call is one transaction. */

import { type Tool, ToolError } from "../../core/kernel/vocabulary/index.js";
import {
  type EdgeType,
  type NewNode,
  type NodeStatus,
  type NodeType,
  optionOutcomes,
} from "../pure/index.js";
import { type OpenOperation, type Target, writingTool } from "./writing-tool.js";

const label = { type: "string", description: "What it is, in a few words." } as const;
const rationale = {
  type: "string",
  description: "Why; the reasons in a sentence or two.",
  optional: true,
} as const;
const confidence = {
  type: "number",
  description: "How sure you are, from 0.0 to 1.0.",
  minimum: 0,
  maximum: 1,
  optional: true,
} as const;
const id = (what: string) => ({ type: "string", description: `The whole id of ${what}.` }) as const;
const parentId = id("the node that it belongs below");
const maybe = <T extends object>(field: T) => ({ ...field, optional: true }) as const;

/** The fields of a node that a tool adds. */
interface Added {
  readonly label: string;
  readonly status?: NodeStatus;
  readonly confidence?: number;
  readonly rationale?: string;
  readonly parent_id?: string;
}

/** A node, and the edge from its parent if it has one. */
function adding(
  type: NodeType,
  { parent_id: fromId, ...about }: Added,
  edgeType: EdgeType,
  newId: () => string,
): readonly OpenOperation[] {
  const node: NewNode = { id: newId(), type, ...about };
  if (fromId === undefined) return [{ type: "addNode", node }];
  const edge = { id: newId(), fromId, toId: node.id, edgeType };
  return [
    { type: "addNode", node },
    { type: "addEdge", edge },
  ];
}

/** The result of a tool that adds a node. */
const recorded =
  (type: NodeType, status = "recorded") =>
  ({ label }: { readonly label: string }, newId: () => string) => ({
    status,
    id: newId(),
    type,
    label,
  });

/** The tools. */
export function writingTools(target: Target): readonly Tool[] {
  return [
    writingTool(target, {
      name: "add_goal",
      description: "Record a new goal or objective.",
      input: { label, confidence, rationale },
      write: (input, newId) => adding("goal", input, "leads_to", newId),
      result: recorded("goal", "added"),
    }),
    writingTool(target, {
      name: "record_decision",
      description: "Record a decision as you make it, and link it to the goal that it serves.",
      input: {
        label,
        parent_id: maybe(parentId),
        edge_type: {
          type: "string",
          description: "How it follows from its parent. Default leads_to.",
          enum: ["leads_to", "chosen", "rejected", "requires", "enables"],
          optional: true,
        },
        confidence,
        rationale,
      },
      write: ({ edge_type = "leads_to", ...input }, newId) =>
        adding("decision", input, edge_type, newId),
      result: recorded("decision"),
    }),
    writingTool(target, {
      name: "record_outcome",
      description: "Record what came of a decision, when you observe it.",
      input: {
        label,
        parent_id: parentId,
        status: {
          type: "string",
          description: "Default completed.",
          enum: ["active", "completed", "rejected"],
          optional: true,
        },
        rationale,
      },
      write: ({ status = "completed", ...input }, newId) =>
        adding("outcome", { ...input, status }, "leads_to", newId),
      result: recorded("outcome"),
    }),
    optionTool(target),
    supersedeTool(target),
    writingTool(target, {
      name: "complete_goal",
      description: "Mark a goal as reached.",
      input: { goal_id: id("the goal"), rationale },
      write: ({ goal_id: id, ...why }) => [
        { type: "updateNode", id, patch: { status: "completed", ...why }, nodeType: "goal" },
      ],
      result: ({ goal_id: id }) => ({ status: "completed", id }),
    }),
  ];
}

function optionTool(target: Target): Tool {
  return writingTool(target, {
    name: "record_option",
    description:
      "Record an option that you weigh, below the goal or the decision that it is for (label); or say what became of one that is recorded (id, outcome), with the reason.",
    input: {
      label: maybe(label),
      id: maybe(id("a recorded option")),
      parent_id: maybe(parentId),
      outcome: {
        type: "string",
        description: "Default open.",
        enum: ["open", "chosen", "rejected"],
        optional: true,
      },
      confidence,
      rationale,
    },
    write({ id, label, outcome = "open", ...more }, newId) {
      if (id === undefined && label !== undefined) {
        const { status, edgeType } = optionOutcomes[outcome];
        return adding("option", { ...more, label, status }, edgeType, newId);
      }
      const { rationale: why, ...others } = more;
      if (id !== undefined && label === undefined && Object.keys(others).length === 0) {
        return [
          { type: "decideOption", id, outcome, ...(why !== undefined && { rationale: why }) },
        ];
      }
      throw new ToolError(
        "Give a label to record a new option; or the id of a recorded one, with its outcome and the rationale alone.",
      );
    },
    result: ({ id, label = "", outcome = "open" }, newId) =>
      id === undefined ? recorded("option")({ label }, newId) : { status: outcome, id },
  });
}

function supersedeTool(target: Target): Tool {
  return writingTool(target, {
    name: "supersede_decision",
    description:
      "Replace a decision that you no longer believe: by one that is recorded already (new_id), or by a new one (label).",
    input: {
      old_id: id("the decision that no longer holds"),
      new_id: maybe(id("the decision that takes its place")),
      label: maybe(label),
      parent_id: maybe(id("the goal that the new decision serves")),
      confidence,
      rationale,
    },
    write({ old_id: oldId, new_id, label, rationale: why, ...more }, newId) {
      if ((new_id === undefined) === (label === undefined)) {
        throw new ToolError("Give either new_id or label: the decision that takes its place.");
      }
      const by = new_id ?? newId();
      const added =
        label === undefined
          ? []
          : adding("decision", { label, ...more }, "leads_to", first(by, newId));
      const reason = why === undefined ? {} : { rationale: why };
      const ends = { oldId, newId: by, edgeId: newId(), nodeType: "decision" } as const;
      return [...added, { type: "supersede", ...ends, ...reason }];
    },
    result: ({ old_id, new_id }, newId) => ({
      status: "superseded",
      id: new_id ?? newId(),
      supersedes: old_id,
    }),
  });
}

/** Gives one id before the new ones. */
function first(id: string, newId: () => string): () => string {
  const ids = [id];
  return () => ids.pop() ?? newId();
}
