/**
 * Fills in what an operation leaves out (ids, times): new values, or, for a repeated write, those
 * of the first time. It must not know a store.
 */
import type { CheckedOperation } from "../../core/decisions/index.js";
import { isJsonObject, type Json, type JsonObject } from "../../core/kernel/index.js";

/** What is filled in anew. */
export interface Fresh {
  readonly at: number;
  readonly newId: () => string;
}

/**
 * An operation with its time and the id of what it adds.
 * @param first the one that it may repeat; of another type it is passed over
 */
export function fillIn(given: JsonObject, fresh: Fresh, first?: CheckedOperation): JsonObject {
  const { type, node, edge } = given;
  const { at } = first !== undefined && first.type === type ? first : fresh;
  const operation = { at, ...given };
  if (type === "addNode" && isJsonObject(node)) {
    const id = () => (first?.type === "addNode" ? first.node.id : fresh.newId());
    return { ...operation, node: withId(node, "id", id) };
  }
  if (type === "addEdge" && isJsonObject(edge)) {
    const id = () => (first?.type === "addEdge" ? first.edge.id : fresh.newId());
    return { ...operation, edge: withId(edge, "id", id) };
  }
  if (type === "supersede") {
    const id = () => (first?.type === "supersede" ? first.edgeId : fresh.newId());
    return withId(operation, "edgeId", id);
  }
  return operation;
}

function withId(of: JsonObject, field: string, id: () => Json): JsonObject {
  return field in of ? of : { [field]: id(), ...of };
}
