/**
 * Picks the lines of one run out of a journal with child runs, as a journal of its own would have them, so
 * that whoever reads one run need not know that there are others; and makes the paths and ids of child
 * runs.
 */
import { escapeId, unescapeId } from "../kernel/vocabulary/index.js";
import type { DecodedLine } from "./decode-line.js";
import type { BeginRecord, HeaderLine, Line, MoreLine, UpgradeLine } from "./line.js";

/** The path of the root among the runs of a journal. */
export const ROOT_RUN = "";

/** The path of a child, by its parent's and the id of its `run` directive. */
export function childPath(parent: string, id: string): string {
  return parent === ROOT_RUN ? escapeId(id) : `${parent}:${escapeId(id)}`;
}

/** The path of a child's parent, and the id of its directive there. */
export function parentOf(path: string): readonly [parent: string, id: string] {
  const at = path.lastIndexOf(":");
  return [path.slice(0, Math.max(0, at)), unescapeId(path.slice(at + 1))];
}

/** The id by which the root of a tree knows something that a run of it knows by another. */
export const idFromRoot: (run: string, id: string) => string = childPath;

/** The run id, or the seed, of a child: the root's, and its path. */
export function ofChild(root: string, path: string): string {
  return `${escapeId(root)}:${path}`;
}

/** The run of a line: that of an event or a mark, or of an upgrade's part. */
export function runOf({ glance, line }: DecodedLine): string {
  const seen = glance ?? line;
  return ("run" in seen ? seen.run : undefined) ?? ROOT_RUN;
}

/** The header that a child would have, were it a run by itself. */
export function childHeader(
  { type, format, runId, seed }: HeaderLine,
  path: string,
  begin: BeginRecord,
  at: number,
): HeaderLine {
  const own = seed === undefined ? {} : { seed: ofChild(seed, path) };
  return { type, format, ...begin, runId: ofChild(runId, path), at, ...own };
}

/** A line that no journal has as it is, made of one that is there. */
class MadeLine implements DecodedLine {
  readonly text: string;
  readonly number: number;
  readonly hash: string;
  readonly glance = undefined;
  readonly line: Line;

  constructor({ text, number, hash }: DecodedLine, line: Line) {
    this.text = text;
    this.number = number;
    this.hash = hash;
    this.line = line;
  }
}

const NONE: readonly DecodedLine[] = [];

/** Takes the lines of a tree, in their order, and gives those of one run. */
export class RunLines {
  /** Its path. */
  readonly run: string;
  /** The line of the newest header of the root. */
  #root: DecodedLine | undefined;
  #header: HeaderLine | undefined;
  /** The upgrade of the run, which holds with its root's. */
  #upgrade: UpgradeLine | undefined;

  constructor(run: string) {
    this.run = run;
  }

  /** The line of the newest header of the root: a child's lines begin with it. */
  get root(): DecodedLine | undefined {
    return this.#root;
  }

  /** The header of the run, where it has begun. */
  get header(): HeaderLine | undefined {
    return this.#header;
  }

  /** Takes a line. @returns what it is for the run */
  take(decoded: DecodedLine): readonly DecodedLine[] {
    const { glance } = decoded;
    if (glance !== undefined) return (glance.run ?? ROOT_RUN) === this.run ? [decoded] : NONE;
    const { line } = decoded;
    if ("type" in line) return this.#takeHeader(line, decoded);
    if ("more" in line) return this.#takeMore(line, decoded);
    if ("upgrade" in line) return this.#takeUpgrade(line, decoded);
    if (runOf(decoded) === this.run) return this.#takeOwn(line, decoded);
    // Values that a line stores are there for all runs.
    if (!("values" in line) || line.values === undefined) return NONE;
    return [new MadeLine(decoded, { values: line.values, more: true })];
  }

  #takeHeader(line: HeaderLine, decoded: DecodedLine): readonly DecodedLine[] {
    this.#root = decoded;
    if (this.run === ROOT_RUN) {
      this.#header = line;
      return [decoded];
    }
    const { fork } = line;
    if (this.#header === undefined || fork === undefined) return NONE;
    // A child of a fork goes on as a run of its own, as its root does.
    const own = { ...fork, runId: ofChild(fork.runId, this.run) };
    this.#header = { ...this.#header, runId: ofChild(line.runId, this.run), fork: own };
    return [new MadeLine(decoded, this.#header)];
  }

  #takeOwn(line: Line, decoded: DecodedLine): readonly DecodedLine[] {
    if (!("begin" in line) || line.begin === undefined) return [decoded];
    this.#header = childHeader(this.#root?.line as HeaderLine, this.run, line.begin, line.event.at);
    return [new MadeLine(decoded, this.#header), decoded];
  }

  #takeMore(line: MoreLine, decoded: DecodedLine): readonly DecodedLine[] {
    const { run, parts, upgrade, state, ...stored } = line;
    if (parts === undefined && upgrade === undefined) return [decoded];
    if ((run ?? ROOT_RUN) !== this.run) return NONE;
    if (run === undefined) return [decoded];
    if (upgrade === undefined || parts === undefined || state === undefined) {
      return [new MadeLine(decoded, { ...stored, ...(parts === undefined ? {} : { parts }) })];
    }
    this.#upgrade = { upgrade, parts, state };
    return NONE;
  }

  #takeUpgrade(line: UpgradeLine, decoded: DecodedLine): readonly DecodedLine[] {
    const own = this.run === ROOT_RUN ? line : this.#upgrade;
    this.#upgrade = undefined;
    if (own === undefined) return NONE;
    return [own === line ? decoded : new MadeLine(decoded, own)];
  }
}
