/**
 * The format of an export: a graph as JSON lines: a header, the operations that make it with its
 * history, one per line, and an end with their number and the digest of everything before it.
 */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  messageOf,
  ReckonerError,
  sha256,
} from "../../kernel/index.js";
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
  const histories = new Map<string, NodeChange[]>();
  for (const { nodeId, ...change } of changes) {
    const known = histories.get(nodeId);
    if (known === undefined) histories.set(nodeId, [change]);
    else known.push(change);
  }
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
  const reader = new ExportReader();
  for (const line of lines) reader.take(line);
  return reader.end();
}

/** Reads an export line by line, so that it can be read from a stream. */
export class ExportReader {
  #number = 0;
  #digest = "";
  readonly #operations: Operation[] = [];
  #ended = false;

  /** @throws ReckonerError `decisions.import` */
  take(given: string): void {
    if (typeof given === "string" && given.trim() === "") return;
    this.#number += 1;
    if (typeof given !== "string") throw this.#refused("is not a string");
    if (this.#ended) throw this.#refused("comes after the end");
    const line = given.trim();
    const content = this.#parse(line);
    if (this.#number === 1) {
      if (content.format !== EXPORT_FORMAT) throw this.#refused(`is no header of ${EXPORT_FORMAT}`);
      this.#digest = sha256(line);
    } else if ("digest" in content) this.#end(content);
    else this.#take(content, line);
  }

  /** @throws ReckonerError `decisions.import` if the export broke off */
  end(): Imported {
    if (this.#ended) return { operations: this.#operations, digest: this.#digest };
    throw new ReckonerError(
      "decisions.import",
      `The export ends after line ${this.#number} without its last line, so it broke off; export it again.`,
      { place: `line ${this.#number}` },
    );
  }

  #parse(line: string): JsonObject {
    let content: Json;
    try {
      content = JSON.parse(line) as Json;
    } catch (cause) {
      throw this.#refused("is not JSON", cause);
    }
    if (isJsonObject(content)) return content;
    throw this.#refused("is no object");
  }

  #take(content: Json, line: string): void {
    try {
      checkOperations([content], { scoped: false });
    } catch (cause) {
      throw this.#refused(`is no operation (${messageOf(cause)})`, cause);
    }
    this.#operations.push(content as object as Operation);
    this.#digest = sha256(`${this.#digest}\n${line}`);
  }

  #end({ operations, digest }: JsonObject): void {
    if (operations !== this.#operations.length || digest !== this.#digest) {
      throw this.#refused("does not fit the lines before it, which were changed or lost");
    }
    this.#ended = true;
  }

  #refused(what: string, cause?: unknown): ReckonerError {
    const place = `line ${this.#number}`;
    return new ReckonerError(
      "decisions.import",
      `The export's ${place} ${what}; nothing was imported. Export it again.`,
      { place, cause },
    );
  }
}
