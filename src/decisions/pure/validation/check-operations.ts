/**
 * Validates operations of a caller, a model or another process, field by field, before anything is
 * changed. Every backend uses it, so that all refuse alike. The transaction checks what depends on
 * the graph (does the node exist?).
 */
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
import {
  type CheckedOperation,
  type Operation,
  type OptionOutcome,
  optionOutcomes,
} from "../vocabulary/operation.js";
import {
  type Candidate,
  type Check,
  CONFIDENCE,
  ID,
  LABEL,
  OBJECT,
  oneOf,
  optional,
  record,
  refused,
  TEXT_OR_NULL,
  TIME,
  variant,
} from "./fields.js";
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

/** Takes a status that may be written: only a supersession makes a node `superseded`. */
const STATUS: Check<NodeStatus> = (candidate) => {
  const status = oneOf(nodeStatuses)(candidate);
  if (status !== "superseded") return status;
  const { path: place } = candidate;
  throw new ReckonerError(
    "decisions.superseded",
    `${place} is "superseded", which only the operation supersede makes of a node; use that.`,
    { place },
  );
};

const NODE = /* @__PURE__ */ record<NewNode>({
  id: ID,
  type: oneOf(nodeTypes),
  label: LABEL,
  status: optional(STATUS, "active"),
  confidence: optional(CONFIDENCE, null),
  rationale: optional(TEXT_OR_NULL, null),
  metadata: optional(OBJECT, EMPTY),
  createdAt: optional(TIME),
  updatedAt: optional(TIME),
});

const EDGE = /* @__PURE__ */ record<NewEdge>({
  id: ID,
  fromId: ID,
  toId: ID,
  edgeType: oneOf(edgeTypes),
  metadata: optional(OBJECT, EMPTY),
  createdAt: optional(TIME),
});

const PATCH_FIELDS = /* @__PURE__ */ record<NodePatch>({
  label: optional(LABEL),
  status: optional(STATUS),
  confidence: optional(CONFIDENCE),
  rationale: optional(TEXT_OR_NULL),
  metadata: optional(OBJECT),
});

const PATCH: Check<NodePatch> = (candidate) => {
  const patch = PATCH_FIELDS(candidate);
  if (Object.keys(patch).length > 0) return patch;
  throw refused(candidate, "give one of label, status, confidence, rationale, metadata");
};

const STAMP = { at: TIME, scope: /* @__PURE__ */ optional(ID) };
const WHY = { rationale: /* @__PURE__ */ optional(TEXT_OR_NULL, null) };
const NODE_TYPE = { nodeType: /* @__PURE__ */ optional(oneOf(nodeTypes)) };
const OUTCOMES = Object.keys(optionOutcomes) as OptionOutcome[];

const OPERATION = /* @__PURE__ */ variant<Operation>({
  addNode: { ...STAMP, node: NODE },
  addEdge: { ...STAMP, edge: EDGE },
  updateNode: { ...STAMP, id: ID, patch: PATCH, ...NODE_TYPE },
  deleteNode: { ...STAMP, id: ID },
  supersede: { ...STAMP, oldId: ID, newId: ID, edgeId: ID, ...WHY, ...NODE_TYPE },
  decideOption: { ...STAMP, id: ID, outcome: oneOf(OUTCOMES), ...WHY },
});

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
    const place: Candidate = { value, path: `operations[${i}]`, code: "decisions.invalid" };
    const { scope: own, ...operation } = OPERATION(place);
    scope = checkScope(own, place.path, scoped, scope);
    return Object.freeze(stamped(operation, place));
  });
  return { scope: scope ?? "", operations: checked, digest: digestOf(json) };
}

/** An operation whose node or edge has its times: by default that of the operation. */
function stamped(
  operation: Operation extends infer O ? (O extends O ? Omit<O, "scope"> : never) : never,
  candidate: Candidate,
): CheckedOperation {
  const { type, at } = operation;
  if (type === "addEdge") {
    const { createdAt = at, ...edge } = operation.edge;
    return { type, at, edge: Object.freeze({ ...edge, createdAt }) as never };
  }
  if (type !== "addNode") return operation;
  const { createdAt = at, updatedAt = createdAt, ...node } = operation.node;
  if (updatedAt < createdAt) {
    const late = { ...candidate, value: updatedAt, path: `${candidate.path}.node.updatedAt` };
    throw refused(late, `give no time before createdAt, ${createdAt}`);
  }
  return { type, at, node: Object.freeze({ ...node, createdAt, updatedAt }) as never };
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
