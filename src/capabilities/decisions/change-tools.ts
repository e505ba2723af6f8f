/**
 * The tools of a decision-tracking agent that change existing nodes: complete a goal, reject an
 * option, supersede a decision, add an edge.
 */
import { type Tool, ToolError } from "../../core/kernel/index.js";
import { adding, confidence, label, rationale } from "./record-tools.js";
import { type Target, writingTool } from "./writing-tool.js";

const id = (what: string) =>
  ({ type: "string", description: `Id of ${what}, or its first characters.` }) as const;

/** What a change of status says beside it. */
function patchOf<Status extends string>(status: Status, why: string | undefined) {
  return { status, ...(why === undefined ? {} : { rationale: why }) };
}

/** Gives an id that is known already before new ones. */
function firstly(id: string, newId: () => string): () => string {
  let first: string | undefined = id;
  return () => {
    const next = first ?? newId();
    first = undefined;
    return next;
  };
}

/** The tools. */
export function changeTools(target: Target): readonly Tool[] {
  return [
    writingTool(target, {
      name: "complete_goal",
      description: "Mark a goal as reached.",
      input: { goal_id: id("the goal"), rationale },
      write: ({ goal_id, rationale }) => [
        { type: "updateNode", id: goal_id, patch: patchOf("completed", rationale) },
      ],
      result: ({ goal_id }, _newId, idOf) => ({ status: "completed", id: idOf(goal_id) }),
    }),
    writingTool(target, {
      name: "reject_option",
      description: "Turn an option down, with the reason.",
      input: { option_id: id("the option"), rationale },
      write: ({ option_id, rationale }) => [
        { type: "updateNode", id: option_id, patch: patchOf("rejected", rationale) },
      ],
      result: ({ option_id }, _newId, idOf) => ({ status: "rejected", id: idOf(option_id) }),
    }),
    writingTool(target, {
      name: "supersede_decision",
      description:
        "Replace a decision that you no longer believe: by one that is recorded already (new_id), or by a new one (label).",
      input: {
        old_id: id("the decision that no longer holds"),
        new_id: { ...id("the decision that takes its place"), optional: true },
        label: { ...label, optional: true },
        parent_id: { ...id("the goal that the new decision serves"), optional: true },
        confidence,
        rationale,
      },
      write({ old_id, new_id, label, parent_id, confidence: sure, rationale: why }, newId) {
        if ((new_id === undefined) === (label === undefined)) {
          throw new ToolError("Give either new_id or label: the decision that takes its place.");
        }
        const supersede = { type: "supersede" as const, oldId: old_id, edgeId: newId() };
        const reason = why === undefined ? {} : { rationale: why };
        if (label === undefined) return [{ ...supersede, newId: new_id ?? "", ...reason }];
        const by = newId();
        const node = {
          label,
          ...(parent_id === undefined ? {} : { parent_id }),
          ...(sure === undefined ? {} : { confidence: sure }),
        };
        return [
          ...adding("decision", node, "leads_to", firstly(by, newId)),
          { ...supersede, newId: by, ...reason },
        ];
      },
      result({ old_id, new_id }, newId, idOf) {
        newId();
        const by = new_id === undefined ? newId() : idOf(new_id);
        return { status: "superseded", id: by, supersedes: idOf(old_id) };
      },
    }),
    writingTool(target, {
      name: "link",
      description: "Say how two nodes have to do with each other.",
      input: {
        from_id: id("the node that the link leads from"),
        to_id: id("the node that it leads to"),
        edge_type: {
          type: "string",
          description: "What the one is to the other.",
          enum: ["leads_to", "chosen", "rejected", "requires", "blocks", "enables"],
        },
      },
      write: ({ from_id, to_id, edge_type }, newId) => [
        {
          type: "addEdge",
          edge: { id: newId(), fromId: from_id, toId: to_id, edgeType: edge_type },
        },
      ],
      result: ({ from_id, to_id, edge_type }, newId, idOf) => ({
        status: "linked",
        id: newId(),
        from_id: idOf(from_id),
        to_id: idOf(to_id),
        edge_type,
      }),
    }),
  ];
}
