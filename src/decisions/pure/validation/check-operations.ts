/**
 * Validates operations on a decision graph, from a caller, a model or another process, field by field, before
 * anything is changed. Every backend uses it, so that all refuse alike. The transaction checks what depends
 * on the graph (does the node exist?).
 */
import * as shapes from "../../../core/kernel/shapes.js";
import {
  type Json,
  type JsonObject,
  ReckonerError,
  toJson,
} from "../../../core/kernel/values/index.js";
import { digestOf } from "../transactions/key.js";
import { edgeTypes, type NewEdge } from "../vocabulary/edge.js";
import {
  type NewNode,
  type NodePatch,
  type NodeStatus,
  nodeStatuses,
  nodeTypes,
} from "../vocabulary/node.js";
import { type CheckedOperation, type Operation, optionOutcomes } from "../vocabulary/operation.js";
import { CONFIDENCE, checkShape, ID, LABEL, OBJECT, TEXT_OR_NULL, TIME } from "./fields.js";
import { checkScope } from "./scope.js";

/** A transaction that has been checked. */
export interface CheckedTransaction {
  /** The scope of all its operations; the empty text where the store has none. */
  readonly scope: string;
  readonly operations: readonly CheckedOperation[];
  /** Tells whether a write repeats another one: see `digestOf`. */
  readonly digest: string;
}

const EMPTY: JsonObject = Object.freeze({});

const STATUS = /* @__PURE__ */ shapes.oneOf(...nodeStatuses);
const NODE_TYPE = /* @__PURE__ */ shapes.oneOf(...nodeTypes);

const nodeParts: shapes.Shapes<NewNode> = {
  id: ID,
  type: NODE_TYPE,
  label: LABEL,
  status: STATUS,
  confidence: CONFIDENCE,
  rationale: TEXT_OR_NULL,
  metadata: OBJECT,
  createdAt: TIME,
  updatedAt: TIME,
};
const NODE = /* @__PURE__ */ shapes.optionsOf(nodeParts, "id", "type", "label");

const edgeParts: shapes.Shapes<NewEdge> = {
  id: ID,
  fromId: ID,
  toId: ID,
  edgeType: /* @__PURE__ */ shapes.oneOf(...edgeTypes),
  metadata: OBJECT,
  createdAt: TIME,
};
const EDGE = /* @__PURE__ */ shapes.optionsOf(edgeParts, "id", "fromId", "toId", "edgeType");

const { label, status, confidence, rationale, metadata } = nodeParts;
const patchParts: shapes.Shapes<NodePatch> = { label, status, confidence, rationale, metadata };
const PATCH: shapes.Shape = [
  (value) => shapes.OBJECT[0](value) && Object.keys(value as object).length > 0,
  `an object with one of ${Object.keys(patchParts).join(", ")}`,
  /* @__PURE__ */ shapes.optionsOf(patchParts)[2],
];

/** An operation: its type and its time, with the scope where the store has some, and parts of its own. */
/* @__NO_SIDE_EFFECTS__ */
function operation(required: shapes.Shapes<object>, optional: shapes.Shapes<object> = {}) {
  const parts = { type: shapes.TEXT, at: TIME, scope: ID, ...required, ...optional };
  return shapes.optionsOf(parts, "type", "at", ...Object.keys(required));
}

const OUTCOME = /* @__PURE__ */ shapes.oneOf(...Object.keys(optionOutcomes));
const WHY = { rationale: TEXT_OR_NULL };

const operations: { readonly [Type in Operation["type"]]: shapes.Shape } = {
  addNode: operation({ node: NODE }),
  addEdge: operation({ edge: EDGE }),
  updateNode: operation({ id: ID, patch: PATCH }, { nodeType: NODE_TYPE }),
  deleteNode: operation({ id: ID }),
  supersede: operation({ oldId: ID, newId: ID, edgeId: ID }, { ...WHY, nodeType: NODE_TYPE }),
  decideOption: operation({ id: ID, outcome: OUTCOME }, WHY),
};
const OPERATION = /* @__PURE__ */ shapes.tagged("type", operations);

/**
 * Checks the operations of one transaction.
 * @param operations whatever was given
 * @param options `scoped`: every operation has to name a scope (true) or must not (false)
 * @throws ReckonerError `decisions.invalid`, `decisions.superseded`, `decisions.scope`,
 * `json.refused`, with the path of the field (`operations[0].node.confidence`) as `place`
 */
export function checkOperations(
  operations: unknown,
  { scoped }: { readonly scoped: boolean },
): CheckedTransaction {
  if (!Array.isArray(operations) || operations.length === 0) {
    const what = Array.isArray(operations) ? "empty; give one at least" : "not a list; give a list";
    throw new ReckonerError("decisions.invalid", `operations is ${what}.`, { place: "operations" });
  }
  const json = toJson<readonly Json[]>(operations, "operations");
  let scope: string | undefined;
  const checked = json.map((value, i) => {
    const path = `operations[${i}]`;
    checkShape(value, OPERATION, path, "decisions.invalid");
    const { scope: own, ...operation } = value as object as Unscoped & { readonly scope?: string };
    scope = checkScope(own, path, scoped, scope);
    return Object.freeze(completed(operation as Unscoped, path));
  });
  return { scope: scope ?? "", operations: checked, digest: digestOf(json) };
}

type Unscoped = Operation extends infer O ? (O extends O ? Omit<O, "scope"> : never) : never;

/** An operation with what it leaves out; a node and an edge have its time by default. */
function completed(operation: Unscoped, path: string): CheckedOperation {
  const { at } = operation;
  switch (operation.type) {
    case "addNode": {
      const { id, type, label, createdAt = at, updatedAt = createdAt } = operation.node;
      const { status = "active", confidence = null, rationale = null } = operation.node;
      const { metadata = EMPTY } = operation.node;
      refuseSuperseded(status, `${path}.node`);
      const place = `${path}.node.updatedAt`;
      if (updatedAt < createdAt) {
        const message = `${place} is ${updatedAt}; give no time before createdAt, ${createdAt}.`;
        throw new ReckonerError("decisions.invalid", message, { place });
      }
      const words = { label, status, confidence, rationale, metadata };
      return {
        type: "addNode",
        at,
        node: Object.freeze({ id, type, ...words, createdAt, updatedAt }),
      };
    }
    case "addEdge": {
      const { id, fromId, toId, edgeType, metadata = EMPTY, createdAt = at } = operation.edge;
      const edge = { id, fromId, toId, edgeType, metadata, createdAt };
      return { type: "addEdge", at, edge: Object.freeze(edge) };
    }
    case "updateNode":
      refuseSuperseded(operation.patch.status, `${path}.patch`);
      return operation;
    case "supersede":
    case "decideOption":
      return { ...operation, rationale: operation.rationale ?? null };
    default:
      return operation;
  }
}

/** Only a supersession makes a node `superseded`. */
function refuseSuperseded(status: NodeStatus | undefined, path: string): void {
  if (status !== "superseded") return;
  const place = `${path}.status`;
  throw new ReckonerError(
    "decisions.superseded",
    `${place} is "superseded", which only the operation supersede makes of a node; use that.`,
    { place },
  );
}

/**
 * Checks an idempotency key: 1 to 1 000 characters, U+0000 not among them.
 * @throws ReckonerError `decisions.invalid`
 */
export function checkKey(value: unknown): string {
  // Half a character is U+FFFD, as in all JSON: no store can keep it otherwise.
  const key = typeof value === "string" ? toJson<string>(value) : value;
  const isText = typeof key === "string" && !key.includes("\0");
  if (isText && key.length > 0 && key.length <= 1000) return key;
  throw new ReckonerError(
    "decisions.invalid",
    "idempotencyKey is not a string of 1 to 1000 characters without U+0000; give each write one of its own.",
    { place: "idempotencyKey" },
  );
}
