/**
 * The tool `query_decisions`: five queries of the decision graph, with the fields of each node that
 * a model needs.
 */
import { fields } from "../../core/agent/index.js";
import { asJson, type Json } from "../../core/kernel/values/index.js";
import { builtInTool, type Tool, tool } from "../../core/kernel/vocabulary/index.js";
import type { DecisionNode, DecisionQuery } from "../pure/index.js";
import { failure } from "./texts.js";
import type { Target } from "./writing-tool.js";

const queries = {
  active_goals: "activeGoals",
  recent_decisions: "recentDecisions",
  path_between: "pathBetween",
  descendants: "descendants",
  ancestors: "ancestors",
} as const satisfies Record<string, DecisionQuery["type"]>;
type QueryName = keyof typeof queries;

/** The default limit, except for paths. */
const DEFAULT_LIMIT = 5;

const input = fields({
  query_type: {
    type: "string",
    description: "What to ask for.",
    enum: Object.keys(queries) as QueryName[],
  },
  node_id: {
    type: "string",
    description: "For descendants and ancestors: a node's id, or the first characters of it.",
    optional: true,
  },
  from_id: { type: "string", description: "For path_between: where it begins.", optional: true },
  to_id: { type: "string", description: "For path_between: where it ends.", optional: true },
  limit: {
    type: "integer",
    description:
      "At most so many nodes: of goals and decisions the newest. Default 5; a path is whole.",
    minimum: 1,
    optional: true,
  },
});

/** Makes the tool. */
export function queryTool({ store, scope }: Target): Tool {
  const made = tool({
    name: "query_decisions",
    description: "Query active goals, recent decisions, or what leads to what in the graph.",
    ...input,
    issue({ query_type, node_id, from_id, to_id, limit }) {
      if (store === undefined) return [];
      const type = queries[query_type];
      const isPath = type === "pathBetween";
      const isList = type === "activeGoals" || type === "recentDecisions";
      // Half a path says nothing.
      const most = limit ?? (isPath ? undefined : DEFAULT_LIMIT);
      const ends = isPath ? { fromId: from_id, toId: to_id } : { nodeId: node_id };
      const query = {
        type,
        ...(isList ? {} : { ...ends, prefix: true }),
        ...(most === undefined ? {} : { limit: most }),
        ...(scope === undefined ? {} : { scope }),
      };
      return [{ type: "read", store, query: asJson(query) }];
    },
    settle(_input, _run, [settled]) {
      if (settled?.type !== "read.succeeded") return failure(settled);
      const { nodes, truncated } = settled.value as unknown as {
        readonly nodes: readonly DecisionNode[];
        readonly truncated: boolean;
      };
      return {
        status: "found",
        count: nodes.length,
        nodes: nodes.map(
          ({ id, type, label, status, confidence }): Json => ({
            id,
            type,
            label,
            status,
            confidence,
          }),
        ),
        ...(truncated === true ? { truncated } : {}),
      };
    },
  });
  return builtInTool(made);
}
