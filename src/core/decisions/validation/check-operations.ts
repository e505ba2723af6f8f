/**
 * Validates operations of a caller, a model or another process, field by field, before anything is
 * changed. Every backend uses it, so that all refuse alike. The transaction checks what depends on
 * the graph (does the node exist?).
 */
import { type Json, type JsonObject, ReckonerError, toJson } from "../../kernel/index.js";
import { digestOf } from "../transactions/key.js";
import { type DecisionEdge, edgeTypes } from "../vocabulary/edge.js";
import {
  type DecisionNode,
  type NodePatch,
  nodeStatuses,
  nodeTypes,
  patchFields,
} from "../vocabulary/node.js";
import {
  type CheckedOperation,
  type Operation,
  type OptionOutcome,
  operationTypes,
  optionOutcomes,
} from "../vocabulary/operation.js";
import { Fields } from "./fields.js";
import { isKey } from "./id.js";
import { ScopeCheck } from "./scope.js";

/** A transaction that has been checked. */
export interface CheckedTransaction {
  /** The scope of all its operations; the empty text where the store has none. */
  readonly scope: string;
  readonly operations: readonly CheckedOperation[];
  /** Tells whether a write repeats another one: see `digestOf`. */
  readonly digest: string;
}

const EMPTY: JsonObject = Object.freeze({});

/**
 * Checks the operations of one transaction.
 * @param operations whatever was given
 * @param options `scoped`: whether every operation has to name a scope (true) or must not (false)
 * @throws ReckonerError `decisions.invalid`, `decisions.superseded`, `decisions.scope`,
 * `json.refused`, with the path of the field (`operations[0].node.confidence`) as `place`
 */
export function checkOperations(
  operations: unknown,
  options: { readonly scoped: boolean },
): CheckedTransaction {
  if (!Array.isArray(operations)) {
    throw new ReckonerError("decisions.invalid", "operations is not a list; give a list.", {
      place: "operations",
    });
  }
  if (operations.length === 0) {
    throw new ReckonerError("decisions.invalid", "operations is empty; give one at least.", {
      place: "operations",
    });
  }
  const scope = new ScopeCheck(options.scoped);
  const given = toJson<readonly Json[]>(operations, "operations");
  const checked = given.map((operation, i) =>
    Object.freeze(checkOperation(operation, `operations[${i}]`, scope)),
  );
  return { scope: scope.scope, operations: checked, digest: digestOf(given) };
}

/**
 * Checks an idempotency key: 1 to 1 000 characters, U+0000 not among them.
 * @throws ReckonerError `decisions.invalid`
 */
export function checkKey(given: unknown): string {
  // Half a character is U+FFFD, as in all JSON: no store can keep it otherwise.
  const key = typeof given === "string" ? toJson<string>(given) : given;
  if (isKey(key)) return key;
  throw new ReckonerError(
    "decisions.invalid",
    "idempotencyKey is not a string of 1 to 1000 characters without U+0000; give each write one of its own.",
    { place: "idempotencyKey" },
  );
}

function checkOperation(value: unknown, path: string, scope: ScopeCheck): CheckedOperation {
  const fields = new Fields("decisions.invalid", value, path);
  const type: Operation["type"] = fields.oneOf("type", operationTypes);
  scope.take(fields);
  const at = fields.time("at");
  switch (type) {
    case "addNode":
      fields.only(["type", "at", "scope", "node"]);
      return { type, at, node: nodeOf(fields.within("node"), at) };
    case "addEdge":
      fields.only(["type", "at", "scope", "edge"]);
      return { type, at, edge: edgeOf(fields.within("edge"), at) };
    case "updateNode": {
      fields.only(["type", "at", "scope", "id", "patch", "nodeType"]);
      const patch = patchOf(fields.within("patch"));
      return { type, at, id: fields.id("id"), patch, ...nodeTypeOf(fields) };
    }
    case "deleteNode":
      fields.only(["type", "at", "scope", "id"]);
      return { type, at, id: fields.id("id") };
    case "supersede":
      fields.only(["type", "at", "scope", "oldId", "newId", "edgeId", "rationale", "nodeType"]);
      return {
        type,
        at,
        oldId: fields.id("oldId"),
        newId: fields.id("newId"),
        edgeId: fields.id("edgeId"),
        rationale: fields.optional("rationale", fields.textOrNull, null),
        ...nodeTypeOf(fields),
      };
    case "decideOption":
      fields.only(["type", "at", "scope", "id", "outcome", "rationale"]);
      return {
        type,
        at,
        id: fields.id("id"),
        outcome: fields.oneOf("outcome", Object.keys(optionOutcomes) as OptionOutcome[]),
        rationale: fields.optional("rationale", fields.textOrNull, null),
      };
  }
}

/** The type that the nodes of an operation must have, if it names one. */
function nodeTypeOf(fields: Fields) {
  return fields.has("nodeType") ? { nodeType: fields.oneOf("nodeType", nodeTypes) } : {};
}

const nodeFields = [
  "id",
  "type",
  "label",
  "status",
  "confidence",
  "rationale",
  "metadata",
  "createdAt",
  "updatedAt",
];

function nodeOf(fields: Fields, at: number): DecisionNode {
  fields.only(nodeFields);
  const id = fields.id("id");
  const type = fields.oneOf("type", nodeTypes);
  const label = fields.label("label");
  const status = fields.optional("status", takeStatus(fields), "active");
  const confidence = fields.optional("confidence", fields.confidence, null);
  const rationale = fields.optional("rationale", fields.textOrNull, null);
  const metadata = fields.optional("metadata", fields.object, EMPTY);
  const createdAt = fields.optional("createdAt", fields.time, at);
  const updatedAt = fields.optional("updatedAt", fields.time, createdAt);
  if (updatedAt < createdAt) {
    throw fields.refused("updatedAt", updatedAt, `give no time before createdAt, ${createdAt}`);
  }
  return Object.freeze({
    id,
    type,
    label,
    status,
    confidence,
    rationale,
    metadata,
    createdAt,
    updatedAt,
  });
}

function edgeOf(fields: Fields, at: number): DecisionEdge {
  fields.only(["id", "fromId", "toId", "edgeType", "metadata", "createdAt"]);
  return Object.freeze({
    id: fields.id("id"),
    fromId: fields.id("fromId"),
    toId: fields.id("toId"),
    edgeType: fields.oneOf("edgeType", edgeTypes),
    metadata: fields.optional("metadata", fields.object, EMPTY),
    createdAt: fields.optional("createdAt", fields.time, at),
  });
}

function patchOf(fields: Fields): NodePatch {
  fields.only(patchFields);
  if (!patchFields.some((name) => fields.has(name))) {
    throw new ReckonerError(
      "decisions.invalid",
      `${fields.path} is empty; give one of ${patchFields.join(", ")}.`,
      { place: fields.path },
    );
  }
  return {
    ...(fields.has("label") && { label: fields.label("label") }),
    ...(fields.has("status") && { status: takeStatus(fields)("status") }),
    ...(fields.has("confidence") && { confidence: fields.confidence("confidence") }),
    ...(fields.has("rationale") && { rationale: fields.textOrNull("rationale") }),
    ...(fields.has("metadata") && { metadata: fields.object("metadata") }),
  };
}

/** A status that may be written: `superseded` is what only a supersession makes of a node. */
function takeStatus(fields: Fields) {
  return (name: string) => {
    const status = fields.oneOf(name, nodeStatuses);
    if (status !== "superseded") return status;
    const place = `${fields.path}.${name}`;
    throw new ReckonerError(
      "decisions.superseded",
      `${place} is "superseded", which only the operation supersede makes of a node; use that.`,
      { place },
    );
  };
}
