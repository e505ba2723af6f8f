/**
 * The tools of a decision-tracking agent that add a node: goals, decisions, options, actions,
 * observations, outcomes.
 */
import type { EdgeType, NewNode, NodeStatus, NodeType } from "../../core/decisions/index.js";
import type { JsonObject, Tool } from "../../core/kernel/index.js";
import { type OpenOperation, type Target, writingTool } from "./writing-tool.js";

export const label = { type: "string", description: "What it is, in a few words." } as const;
export const rationale = {
  type: "string",
  description: "Why; the reasons in a sentence or two.",
  optional: true,
} as const;
export const confidence = {
  type: "number",
  description: "How sure you are, from 0.0 to 1.0.",
  minimum: 0,
  maximum: 1,
  optional: true,
} as const;
const parent = "Id of the node that it belongs below, or the id's first characters.";
const parentId = { type: "string", description: parent } as const;
const maybeParentId = { ...parentId, optional: true } as const;

/** A node as the tools add it. */
export interface Added {
  readonly label: string;
  readonly status?: NodeStatus;
  readonly confidence?: number;
  readonly rationale?: string;
  readonly parent_id?: string;
}

/** A node, and the edge from its parent where it has one. */
export function adding(
  type: NodeType,
  { parent_id, label, status, confidence, rationale }: Added,
  edgeType: EdgeType,
  newId: () => string,
): readonly OpenOperation[] {
  const id = newId();
  const node: NewNode = {
    id,
    type,
    label,
    ...(status === undefined ? {} : { status }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(rationale === undefined ? {} : { rationale }),
  };
  if (parent_id === undefined) return [{ type: "addNode", node }];
  const edge = { id: newId(), fromId: parent_id, toId: id, edgeType };
  return [
    { type: "addNode", node },
    { type: "addEdge", edge },
  ];
}

const added =
  (status: "added" | "recorded", type: NodeType) =>
  ({ label }: Pick<Added, "label">, newId: () => string): JsonObject => ({
    status,
    id: newId(),
    type,
    label,
  });

/** The tools. */
export function recordTools(target: Target): readonly Tool[] {
  return [
    writingTool(target, {
      name: "add_goal",
      description: "Record a new goal or objective. Do so when a complex task begins.",
      input: { label, confidence, rationale },
      write: (input, newId) => adding("goal", input, "leads_to", newId),
      result: added("added", "goal"),
    }),
    writingTool(target, {
      name: "record_decision",
      description: "Record a decision as you make it, and link it to the goal that it serves.",
      input: {
        label,
        parent_id: maybeParentId,
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
      result: added("recorded", "decision"),
    }),
    writingTool(target, {
      name: "record_outcome",
      description: "Record what came of a decision or an action, when you observe it.",
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
      result: added("recorded", "outcome"),
    }),
    writingTool(target, {
      name: "record_option",
      description:
        "Record an option that you weigh, below the goal or the decision that it is for.",
      input: {
        label,
        parent_id: maybeParentId,
        edge_type: {
          type: "string",
          description:
            "Whether it was chosen or rejected there, if that is known. Default leads_to.",
          enum: ["leads_to", "chosen", "rejected"],
          optional: true,
        },
        confidence,
        rationale,
      },
      write: ({ edge_type = "leads_to", ...input }, newId) =>
        adding(
          "option",
          { ...input, ...(edge_type === "rejected" ? { status: "rejected" } : {}) },
          edge_type,
          newId,
        ),
      result: added("recorded", "option"),
    }),
    writingTool(target, {
      name: "record_action",
      description: "Record something that you do, below the decision that it carries out.",
      input: {
        label,
        parent_id: maybeParentId,
        status: {
          type: "string",
          description: "Default active: it is under way.",
          enum: ["active", "completed", "rejected"],
          optional: true,
        },
        rationale,
      },
      write: (input, newId) => adding("action", input, "leads_to", newId),
      result: added("recorded", "action"),
    }),
    writingTool(target, {
      name: "record_observation",
      description: "Record something that you found out, below what it has to do with.",
      input: { label, parent_id: maybeParentId, confidence, rationale },
      write: (input, newId) => adding("observation", input, "leads_to", newId),
      result: added("recorded", "observation"),
    }),
  ];
}
