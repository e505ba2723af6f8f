/**
 * Ids of trace events: run id and directive id in one text. The same event has the same id wherever
 * it is derived; no two events share one.
 */
import { ofChild, parentOf, ROOT_RUN } from "../../core/journal/index.js";
import { inOneLine } from "../../core/kernel/values/index.js";
import { escapeId, unescapeId } from "../../core/kernel/vocabulary/index.js";

/** The id of what a directive began: `run-1#tool/0/1`. */
export function traceId(runId: string, directiveId: string): string {
  const escaped = directiveId.replace(/[%#]|^@/g, (c) =>
    c === "%" ? "%25" : c === "#" ? "%23" : "%40",
  );
  return `${runId}#${escaped}`;
}

/** The id of the directive that began an event; `undefined` for an event without one. */
export function directiveOf(id: string): string | undefined {
  const local = localId(id);
  if (local.startsWith("@")) return undefined;
  return local.replace(/%(25|23|40)/g, (_, code) =>
    code === "25" ? "%" : code === "23" ? "#" : "@",
  );
}

/**
 * The id of what has no directive: an input, or, with a word, what else a journal's event says.
 * `run-1#@3`, `run-1#@3/error`.
 */
export function recordId(runId: string, seq: number, word?: string): string {
  return `${runId}#@${seq}${word === undefined ? "" : `/${word}`}`;
}

/** The run id of a child. @param path of its parent in their tree */
export function childRunOf(runId: string, path: string, directiveId: string): string {
  const id = escapeId(directiveId);
  return path === ROOT_RUN ? ofChild(runId, id) : `${runId}:${id}`;
}

/** The run id of a run's parent, and the id of its directive there; `undefined` for a root. @param path of the run */
export function parentRunOf(
  runId: string,
  path: string,
): { readonly runId: string; readonly id: string } | undefined {
  if (path === ROOT_RUN) return undefined;
  const [parent, id] = parentOf(path);
  const above = runId.slice(0, runId.lastIndexOf(":"));
  return { runId: parent === ROOT_RUN ? unescapeId(above) : above, id };
}

/** The part of an id behind the run's: what is printed where the run is clear. */
export function localId(id: string): string {
  return id.slice(id.lastIndexOf("#") + 1);
}

/** The run of an id; "" where it has none. */
export function runOfId(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf("#")));
}

/**
 * Returns the printed form of ids that stand together: without the run's where all are of one run, else
 * whole, since two runs have the same directive ids.
 */
export function printedIds(ids: readonly string[]): (id: string) => string {
  const first = runOfId(ids[0] ?? "");
  const isOne = ids.every((id) => runOfId(id) === first);
  return (id) => inOneLine(isOne ? localId(id) : id);
}
