/**
 * The format of an exported decision graph, in JSON lines: a header, the operations that make the graph with
 * its history, one per line, and an end with their number and the digest of everything before it.
 */
import {
  groupBy,
  isJsonObject,
  type Json,
  type JsonObject,
  messageOf,
  ReckonerError,
  sha256,
} from "../../../core/kernel/values/index.js";
import { checkOperations } from "../validation/check-operations.js";
import type { NodeChange } from "../vocabulary/change.js";
import type { DecisionEdge } from "../vocabulary/edge.js";
import type { DecisionNode } from "../vocabulary/node.js";
import type { Operation } from "../vocabulary/operation.js";

/** The format that is written, and the only one that is read. */
export const EXPORT_FORMAT = "reckoner-decisions/2";

/**
 * The operations that make a graph.
 * @param nodes in order of creation
 * @param edges in the order in which they were committed
 * @param changes of all nodes, those of a node in order
 */
export function operationsOf(
  nodes: readonly DecisionNode[],
  edges: readonly DecisionEdge[],
  changes: readonly (NodeChange & { readonly nodeId: string })[],
): readonly Operation[] {
  const histories = groupBy(changes, ({ nodeId }) => nodeId);
  const added = nodes.map(({ id, createdAt }): Operation => {
    const { at, set } = (histories.get(id) ?? []).shift() as NodeChange;
    const node = { ...(set as DecisionNode), id, createdAt, updatedAt: at };
    return { type: "addNode", at, node };
  });
  const isSupersession = ({ edgeType }: DecisionEdge) => edgeType === "supersedes";
  const linked = edges
    .filter((edge) => !isSupersession(edge))
    .map((edge): Operation => ({ type: "addEdge", at: edge.createdAt, edge }));
  const updated = (id: string, { at, set }: NodeChange): Operation => {
    return { type: "updateNode", at, id, patch: set };
  };
  // A node can be superseded only by one that is not: supersessions stay in their order, each behind
  // the changes of its node that came before it.
  const superseded = edges.filter(isSupersession).flatMap((edge): Operation[] => {
    const history = histories.get(edge.toId) ?? [];
    const end = history.findIndex(({ set }) => set.status === "superseded");
    const before = history.splice(0, end + 1);
    const at = before.pop()?.at ?? edge.createdAt;
    return [...before.map((each) => updated(edge.toId, each)), { type: "addEdge", at, edge }];
  });
  const rest = [...histories].flatMap(([id, history]) => history.map((each) => updated(id, each)));
  return [...added, ...linked, ...superseded, ...rest];
}

/** The lines of an export, without their newlines. */
export function* exportLines(operations: readonly Operation[]): Generator<string> {
  const header = JSON.stringify({ format: EXPORT_FORMAT });
  let digest = sha256(header);
  yield header;
  for (const operation of operations) {
    const line = JSON.stringify(operation);
    digest = sha256(`${digest}\n${line}`);
    yield line;
  }
  yield JSON.stringify({ operations: operations.length, digest });
}

/** An export that has been read and checked. */
export interface Imported {
  /** All its operations, in order: one transaction. */
  readonly operations: readonly Operation[];
  /** The digest of the whole: an import's idempotency key is made of it. */
  readonly digest: string;
}

/**
 * Reads an export.
 * @param lines without their newlines; empty ones are skipped
 * @throws ReckonerError `decisions.import` with the line as `place` (`line 3`) if one is damaged or
 * missing, or holds no operation
 */
export function readExport(lines: Iterable<string>): Imported {
  const operations: Operation[] = [];
  let number = 0;
  let digest = "";
  let isEnded = false;
  for (const raw of lines) {
    if (typeof raw === "string" && raw.trim() === "") continue;
    number += 1;
    if (isEnded) throw refused(number, "comes after the end");
    const content = parsed(raw, number);
    const line = raw.trim();
    if (number === 1) {
      if (content.format !== EXPORT_FORMAT) {
        throw refused(number, `is no header of ${EXPORT_FORMAT}`);
      }
      digest = sha256(line);
    } else if ("digest" in content) {
      if (content.operations !== operations.length || content.digest !== digest) {
        throw refused(number, "does not fit the lines before it, which were changed or lost");
      }
      isEnded = true;
    } else {
      operations.push(operationOf(content, number));
      digest = sha256(`${digest}\n${line}`);
    }
  }
  if (isEnded) return { operations, digest };
  throw new ReckonerError(
    "decisions.import",
    `The export ends after line ${number} without its last line, so it broke off; export it again.`,
    { place: `line ${number}` },
  );
}

function parsed(line: unknown, number: number): JsonObject {
  if (typeof line !== "string") throw refused(number, "is not a string");
  let content: Json;
  try {
    content = JSON.parse(line) as Json;
  } catch (cause) {
    throw refused(number, "is not JSON", cause);
  }
  if (isJsonObject(content)) return content;
  throw refused(number, "is no object");
}

function operationOf(content: JsonObject, number: number): Operation {
  try {
    checkOperations([content], { scoped: false });
  } catch (cause) {
    throw refused(number, `is no operation (${messageOf(cause)})`, cause);
  }
  return content as object as Operation;
}

function refused(number: number, what: string, cause?: unknown): ReckonerError {
  const place = `line ${number}`;
  return new ReckonerError(
    "decisions.import",
    `The export's ${place} ${what}; nothing was imported. Export it again.`,
    { place, cause },
  );
}
