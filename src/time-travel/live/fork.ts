/**
 * `fork`: makes a new run that shares the beginning of another by a link. The original is only
 * read; only parts of its header are copied.
 */

import { seen } from "../../core/driver/for-live-runs.js";
import {
  type EventLine,
  idFromRoot,
  isEventLine,
  Recorder,
  ROOT_RUN,
  type RunLink,
  type SetAnswer,
} from "../../core/journal/index.js";
import type { Reasoner } from "../../core/kernel/machine/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import type { Json, ReckonerError } from "../../core/kernel/values/index.js";
import type { Settlement } from "../../core/kernel/vocabulary/index.js";
import {
  appendLines,
  beforeFault,
  CLOCK,
  type Clock,
  checkAllOptions,
  type ForkNote,
  freshName,
  type HostOptions,
  isInherited,
  JOURNAL,
  type JournalPort,
  journalAt,
  linkWord,
  noteFork,
  readableAt,
  timeOfNote,
  withWriter,
} from "../../runtime/index.js";
import {
  behindAnswers,
  behindEvent,
  behindLine,
  behindTime,
  type Cut,
  type EffectAfterCut,
  type IsBehind,
  type Looked,
  lookUndecided,
  noSuchPoint,
} from "./find-cut.js";
import { setAnswer } from "./set-answer.js";

/** The number of forks that a journal may have by default. */
export const MAX_FORKS = 10;

/** Options of a fork. `redact` and `maskCredentials` apply to the answers in `set`. */
export interface ForkOptions extends Pick<HostOptions, "redact" | "maskCredentials"> {
  /**
   * The event after which it is cut, before an upgrade that comes next. Default: the end, upgrades
   * included.
   */
  readonly at?: number | undefined;
  /**
   * Answers in place of those that were, by the ids of what they settle: a tool's output, a model's
   * text, parts or answer, a decision, or `{ error }`. It is cut just before the first of them.
   */
  readonly set?: { readonly [id: string]: unknown } | undefined;
  /** Its journal, which must not exist yet. Default: beside the original, by its name. */
  readonly to?: string | JournalPort | undefined;
  /** Default: `fork-` and eight hexadecimal digits. */
  readonly name?: string | undefined;
  /** Default: a random UUID. */
  readonly runId?: string | undefined;
  /** The number of forks that the journal may have. Default 10. */
  readonly limit?: number | undefined;
  readonly clock?: Clock | undefined;
  /** The code, which alone says what of the effects behind the cut is idempotent. It is not run. */
  readonly reasoner?: Pick<Reasoner<never, unknown, never>, "tools"> | undefined;
}

/** The shapes of a fork's options. */
export const FORK: shapes.Shapes<ForkOptions> = {
  at: shapes.NUMBER,
  set: shapes.OBJECT,
  to: JOURNAL,
  name: shapes.TEXT,
  runId: shapes.RUN_ID,
  limit: shapes.count(0),
  clock: CLOCK,
  reasoner: shapes.OBJECT,
  redact: shapes.FUNCTION,
  maskCredentials: shapes.FLAG,
};

/** A fork. */
export interface Fork {
  readonly name: string;
  /** The journal to resume from. */
  readonly journal: JournalPort;
  readonly runId: string;
  /** The run and the event that it was cut behind. */
  readonly from: { readonly runId: string; readonly seq: number };
  /** The number of events that it shares. */
  readonly retained: number;
  /** The number of events that the original has behind the cut. */
  readonly removed: number;
  /** The paths of the child runs that go on in it. */
  readonly children: readonly string[];
  /** Stores do not fork: the number of writes that the original asked for behind the cut, by their store. */
  readonly writes: { readonly [store: string]: number };
  /** The tools that the original began behind the cut: what they did is still done. */
  readonly effects: readonly EffectAfterCut[];
  /**
   * The decisions before which the cut was moved, by the ids of their approvals: each had allowed a
   * call that neither began nor has an outcome, and a person is asked again.
   */
  readonly undecided: readonly string[];
  /**
   * The fault that the original has behind the cut, in words: what stands behind it is counted nowhere here, and
   * whatever was owed at the cut may have begun there, so that tools are settled as unknown.
   */
  readonly fault?: string;
}

/**
 * Forks a run. No code is needed, and nothing is run: `resume` goes on with the fork.
 * @throws ReckonerError `fork.point` where there is no such event or settlement, `fork.answer`,
 * `redaction.refused`, `fork.limit`, `fork.exists`, `journal.exists`, and what reading a journal throws
 */
export async function fork(
  journal: string | JournalPort,
  options: ForkOptions = {},
): Promise<Fork> {
  checkAllOptions("fork", options, FORK);
  const original = await readableAt(journal);
  const noted = await journalAt(journal);
  return forkFrom(noted, original, await findPoint(original, options), options);
}

/** Where a run is to be cut, and what is set there. */
export interface Point {
  readonly looked: Looked & { readonly cut: Cut };
  /** The decisions before which the cut was moved. */
  readonly undecided: readonly string[];
  readonly set: readonly SetAnswer[];
  /** The fault of the journal behind it. */
  readonly fault?: string;
}

/** Where a run is to be cut: behind an event, a time or a line, or before what is set. */
interface PointOptions extends Pick<ForkOptions, "at" | "set"> {
  readonly time?: number | undefined;
  readonly hash?: string | undefined;
}

/**
 * Finds the point. An event, or a line, may stand before a fault.
 * @throws ReckonerError `fork.point`, `fork.answer`
 */
export async function findPoint(port: JournalPort, where: PointOptions): Promise<Point> {
  if (where.at === undefined && where.hash === undefined) return pointIn(port, where);
  return beforeFault(port, (part, fault) => pointIn(part, where, fault));
}

/** @param fault the fault before which the journal ends */
export async function pointIn(
  port: JournalPort,
  { at, time, hash, set = {} }: PointOptions,
  fault?: ReckonerError,
): Promise<Point> {
  const ids = Object.keys(set);
  const isBehind = isBehindOf({ at, time, hash }, ids);
  const looked = await lookUndecided(port, isBehind, ids, fault !== undefined);
  const { cut, behind, undecided } = looked;
  if (cut === undefined) throw noSuchPoint(port, "has no event before that");
  if (at !== undefined && cut.seq !== at && (undecided.length === 0 || at >= looked.events)) {
    throw noSuchPoint(port, `has no event ${at}; its last is ${looked.events - 1}`);
  }
  const event = behind !== undefined && isEventLine(behind) ? behind : undefined;
  const answers: SetAnswer[] = [];
  for (const id of ids) {
    const owed = cut.owed.get(id);
    if (owed === undefined) {
      const where = behind === undefined ? "" : ` at event ${cut.seq}`;
      throw noSuchPoint(
        port,
        `asks for no ${id} that is open${where}; reckoner show lists the ids`,
      );
    }
    const isIts = event !== undefined && settledKey(event) === id;
    const { run, ...own } = owed;
    const answer = setAnswer(own, set[id] as Json, cut.at, isIts ? event.event : undefined);
    answers.push({ ...(run === ROOT_RUN ? {} : { run }), event: answer });
  }
  const { header } = looked;
  // A fork of a fork is given what that one was to be given, and was not yet; and what it was given
  // since: the run that its link leads to may have got something else.
  const toGive = cut.seq < (header.fork?.seq ?? 0) ? [] : (header.set ?? []);
  const since = new Map(looked.settled.map((each) => [keyOf(each), each]));
  // Events from outside that came all the same count, as they did there.
  const kept = toGive.filter((each) => !since.has(keyOf(each)));
  // The outcome of a child follows, but for one that was set.
  const isSet = (key: string) => toGive.some((each) => keyOf(each) === key);
  const others = [...since.values(), ...kept].filter((each) => {
    const key = keyOf(each);
    const isTaken = isInherited(each.event) || (isOutcome(each.event) && isSet(key));
    return isTaken && cut.owed.has(key) && !ids.includes(key);
  });
  const found = { looked: { ...looked, cut }, undecided, set: [...answers, ...others] };
  return fault === undefined ? found : { ...found, fault: fault.message };
}

const keyOf = ({ run = ROOT_RUN, event }: SetAnswer) => idFromRoot(run, event.id);
const isOutcome = ({ type }: Settlement) => type === "run.succeeded" || type === "run.failed";

/** The directive that an event settles, as the root knows it. */
function settledKey({ run = ROOT_RUN, event }: EventLine): string | undefined {
  return "id" in event && typeof event.id === "string" ? idFromRoot(run, event.id) : undefined;
}

function isBehindOf({ at, time, hash }: PointOptions, ids: readonly string[]): IsBehind {
  if (hash !== undefined) return behindLine(hash);
  if (at !== undefined) return behindEvent(at);
  if (time !== undefined) return behindTime(time);
  return behindAnswers(new Set(ids));
}

/** Makes a fork of a run at a point, and notes it beside the journal that it was asked of. */
export async function forkFrom(
  /** The journal that the fork is noted at, and its name taken from. */
  noted: JournalPort,
  original: JournalPort,
  { looked, set: setAnswers, undecided, fault }: Point,
  options: ForkOptions,
  rewind?: Pick<ForkNote, "rewind" | "over">,
): Promise<Fork> {
  const { name = freshName(), runId = globalThis.crypto.randomUUID(), limit = MAX_FORKS } = options;
  const place = options.to === undefined ? noted.fork?.(name) : await journalAt(options.to);
  if (place === undefined) {
    throw noSuchPoint(original, "has no place for forks; say where the fork's journal is to be");
  }
  const { cut } = looked;
  // They stand in the header before any run has taken them in: what hides them there hides them here.
  const set = setAnswers.map(({ event, ...of }) => ({
    ...of,
    event: seen(options, event) as Settlement,
  }));
  const note: ForkNote = {
    name,
    journal: noted.link?.(place) ?? place.name,
    runId,
    seq: cut.seq,
    at: timeOfNote(options.clock),
    ...(set.length === 0 ? {} : { set: set.map(keyOf) }),
    ...rewind,
  };
  const tools = options.reasoner?.tools ?? {};
  const effects = looked.effects.map((each) => {
    const tool = Object.hasOwn(tools, each.tool) ? tools[each.tool] : undefined;
    return tool === undefined ? each : { ...each, idempotent: tool.idempotent };
  });
  const release = await noteFork(noted, note, limit);
  try {
    await writeFork(cut, place, runId, set);
    return {
      name,
      journal: place,
      runId,
      from: { runId: cut.runId, seq: cut.seq },
      retained: cut.seq + 1,
      removed: looked.events - cut.seq - 1,
      children: cut.children,
      writes: looked.writes,
      effects,
      undecided,
      ...(fault === undefined ? {} : { fault }),
    };
  } catch (thrown) {
    await release();
    throw thrown;
  }
}

/** Writes the header of a fork: it shares all runs of the tree up to the cut. */
async function writeFork(
  cut: Cut,
  to: JournalPort,
  runId: string,
  set: readonly SetAnswer[],
): Promise<void> {
  const journal = await linkWord(to, cut.port, cut.runId);
  if (journal === undefined) {
    throw noSuchPoint(to, "cannot refer to the run that it is forked from");
  }
  const link: RunLink = { journal, runId: cut.runId, seq: cut.seq, hash: cut.hash };
  await withWriter(to, "create", async (writer) => {
    const { type, format, from: _from, fork: _fork, set: _set, ...rest } = cut.header;
    const header = { ...rest, runId, fork: link, ...(set.length === 0 ? {} : { set }) };
    const { text } = new Recorder().header(header);
    await appendLines(to, writer, [text], { lines: 0, bytes: 0 });
  });
}
