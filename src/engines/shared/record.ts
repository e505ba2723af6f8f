/**
 * `RunRecord`: the JSON that an engine keeps beside a run's lines and is read first at each turn: number of
 * lines, row, attempts under way, snapshot, fault. Also names the keys of what is kept.
 */
import type { Arrived, InFlight } from "../../core/driver/index.js";
import type { RunRow } from "../../runtime/for-hosts.js";
import type { Answer, Fault } from "../../serve/for-adapters.js";

/** Something that an attempt reported, and the journal that the attempt stands in. */
export interface Reported {
  readonly fork: string;
  readonly arrived: Arrived;
}

/** A snapshot that is kept. */
export interface KeptSnapshot {
  /** The number of the line of its mark, from 0. */
  readonly line: number;
  /** The names of the rows that it refers to. */
  readonly rows: readonly string[];
}

/** The reason why a run does not go on, and how often it was tried. */
export interface KeptFault extends Fault {
  readonly tries: number;
  /** When it is tried again; absent where it is not, until it is unparked. */
  readonly until?: number | undefined;
}

/** See the banner. */
export interface RunRecord {
  /** The fork in which the run goes on; "" for its first journal. */
  readonly fork: string;
  readonly lines: number;
  readonly row: RunRow;
  /** Absent where the attempts are lost: the next driver is opened as after a crash. */
  readonly inFlight?: InFlight | undefined;
  readonly snapshot?: KeptSnapshot | undefined;
  /** The numbers of the first lines of the texts behind the first one, from that of the snapshot's mark on. */
  readonly texts: readonly number[];
  readonly fault?: KeptFault | undefined;
  /** Reports that came while the run could not go on. */
  readonly held?: readonly Reported[] | undefined;
}

/** The keys beside lines and notes. */
export const RECORD = "run";
export const ANSWERS = "answers";
export const SNAPSHOT = "snapshot";

/** Returns the key of the answer to something that was said. */
export function answerKey(key: string): string {
  return `answer/${key}`;
}

/** Returns an answer from its text, and the mark of what it answers; `undefined` of what was said before there were marks. */
export function answerIn(text: string): {
  readonly answer: Answer;
  readonly mark: string | undefined;
} {
  const { mark, ...answer } = JSON.parse(text) as Answer & { readonly mark?: string };
  return { answer, mark };
}

/** Returns the key of a row of snapshots. */
export function rowKey(name: string): string {
  return `row/${name}`;
}

/** Returns a record from its text. */
export function recordIn(text: string | undefined): RunRecord | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as RunRecord);
}
