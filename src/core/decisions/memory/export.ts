/**
 * Exports a graph with its whole history as JSON lines: a header, one line per change, and an end.
 * The lines form a hash chain, so that damage, truncation and reordering are detected, and an
 * interrupted export can continue.
 */
import {
  asJson,
  type JsonObject,
  messageOf,
  ReckonerError,
  sha256,
  shownBriefly,
} from "../../kernel/index.js";
import { checkOperations } from "../validation/check-operations.js";
import type { GraphChange } from "../vocabulary/change.js";
import type { CheckedOperation } from "../vocabulary/operation.js";
import type { FoundStats } from "../vocabulary/query-result.js";
import { DecisionGraph } from "./graph.js";

/** The format that is written, and the only one that is read. */
export const EXPORT_FORMAT = "reckoner-decisions/1";

/** How far an export has come: after a line. */
export interface ExportPosition {
  /** Hash of that line. */
  readonly hash: string;
  /** Changes so far. */
  readonly seq: number;
}

/** The first line, and the position after it. */
export function exportHeader(): { readonly line: string; readonly position: ExportPosition } {
  return lineOf({ format: EXPORT_FORMAT }, { hash: "", seq: 0 }, 0);
}

/** The line of the next change, and the position after it. */
export function exportChange(
  { seq, key, operations }: GraphChange,
  after: ExportPosition,
): { readonly line: string; readonly position: ExportPosition } {
  return lineOf({ seq, key, operations: asJson(operations) }, after, seq);
}

/** The last line: what there is in all. */
export function exportEnd({ nodes, edges }: FoundStats, after: ExportPosition): string {
  return lineOf({ changes: after.seq, nodes, edges }, after, after.seq).line;
}

function lineOf(content: JsonObject, after: ExportPosition, seq: number) {
  const text = JSON.stringify(content);
  const hash = sha256(`${after.hash}\n${text}`);
  return { line: `${text.slice(0, -1)},"hash":"${hash}"}`, position: { hash, seq } };
}

/** An export that has been read and checked. */
export interface Imported {
  /** The graph that it holds. */
  readonly graph: DecisionGraph;
  /** All its operations, in order: one transaction for a store. */
  readonly operations: readonly CheckedOperation[];
  /** Hash of the whole: an import's idempotency key is made of it. */
  readonly hash: string;
}

/**
 * Reads an export, and carries out all that it holds on an empty graph.
 * @param lines without their newlines; empty ones are passed over
 * @throws ReckonerError `decisions.import` with the line as `place` (`line 3`), where a line is
 * damaged, missing, not to be understood or not to be carried out
 */
export function readExport(lines: Iterable<string>): Imported {
  const reader = new ExportReader();
  for (const line of lines) reader.take(line);
  return reader.end();
}

/** Reads an export line by line, so that it can be read from a stream. */
export class ExportReader {
  #number = 0;
  #after: ExportPosition = { hash: "", seq: 0 };
  #graph: DecisionGraph = DecisionGraph.empty;
  readonly #operations: CheckedOperation[] = [];
  #ended = false;

  /** How far the export has come: from here it can go on. Undefined before its header. */
  get position(): ExportPosition | undefined {
    return this.#number === 0 ? undefined : this.#after;
  }

  /** @throws ReckonerError `decisions.import` */
  take(line: string): void {
    if (typeof line === "string" && line.trim() === "") return;
    this.#number += 1;
    if (typeof line !== "string") throw this.#refused("is not a string");
    if (this.#ended) throw this.#refused("comes after the end");
    const content = this.#contentOf(line);
    if (this.#number === 1) {
      if (content.format !== EXPORT_FORMAT) {
        throw this.#refused(`is not a header of ${EXPORT_FORMAT}`);
      }
    } else if ("operations" in content) this.#change(content);
    else this.#end(content);
  }

  /** @throws ReckonerError `decisions.import` where the export broke off */
  end(): Imported {
    if (!this.#ended) {
      throw new ReckonerError(
        "decisions.import",
        `The export ends after line ${this.#number} without its last line, so it broke off; export it again.`,
        { place: `line ${this.#number}` },
      );
    }
    return { graph: this.#graph, operations: this.#operations, hash: this.#after.hash };
  }

  #contentOf(line: string): JsonObject {
    const match = /^(\{.*),"hash":"([\w-]{43})"\}$/s.exec(line.trim());
    const [, text = "", hash] = match ?? [];
    if (match === null || sha256(`${this.#after.hash}\n${text}}`) !== hash) {
      throw this.#refused("is damaged, or does not follow from the line before it");
    }
    this.#after = { hash, seq: this.#after.seq };
    try {
      return JSON.parse(`${text}}`) as JsonObject;
    } catch {
      throw this.#refused("is not JSON");
    }
  }

  #change({ seq, key, operations }: JsonObject): void {
    if (seq !== this.#after.seq + 1) {
      throw this.#refused(`has change ${shownBriefly(seq)}, not ${this.#after.seq + 1}`);
    }
    if (key !== null && typeof key !== "string") throw this.#refused("has no key");
    try {
      const checked = checkOperations(operations, { scoped: false });
      this.#graph = this.#graph.commit(checked, key).graph;
      for (const operation of checked.operations) this.#operations.push(operation);
    } catch (cause) {
      throw this.#refused(`holds what cannot be carried out (${messageOf(cause)})`, cause);
    }
    this.#after = { ...this.#after, seq };
  }

  #end({ changes, nodes, edges }: JsonObject): void {
    const { stats } = this.#graph;
    if (changes !== stats.seq || nodes !== stats.nodes || edges !== stats.edges) {
      throw this.#refused(
        `counts ${changes} changes, ${nodes} nodes and ${edges} edges, but there are ${stats.seq}, ${stats.nodes} and ${stats.edges}`,
      );
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
