/**
 * `fork`: makes a new run that shares the beginning of another by a link. The original is only
 * read; only parts of its header are copied.
 */

import { seen } from "../../core/driver/live.js";
import {
  type HeaderLine,
  isEventLine,
  Recorder,
  type RunLink,
  type RunParent,
} from "../../core/journal/index.js";
import { type Json, pairKey, type Reasoner, type Settlement } from "../../core/kernel/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import { childNotFound, childRunId, type RunName } from "../journals/child-journal.js";
import { readableAt } from "../journals/head.js";
import { linkWord } from "../journals/history.js";
import { isInherited } from "../journals/inherited.js";
import { journalAt } from "../journals/journal-place.js";
import { type ForkNote, freshName, noteFork } from "../journals/notes.js";
import { appendLines, withWriter } from "../journals/port-calls.js";
import { viewOf } from "../journals/view.js";
import type { Clock, JournalPort } from "../ports.js";
import { CLOCK, checkAllOptions, JOURNAL } from "../running/check-options.js";
import { systemClock } from "../running/clock.js";
import type { HostOptions } from "../running/options.js";
import { afterCut, childIsAfterCut, type EffectAfterCut } from "./after-cut.js";
import {
  behindAnswers,
  behindEvent,
  behindLine,
  behindTime,
  type Cut,
  type IsBehind,
  type Looked,
  lookUndecided,
  noSuchPoint,
} from "./find-cut.js";
import { setAnswer } from "./set-answer.js";

/** How many forks a journal may have, where nothing is said. */
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
  /** How many forks the journal may have. Default 10. */
  readonly limit?: number | undefined;
  readonly clock?: Clock | undefined;
  /** The code, which alone says what of the effects behind the cut is idempotent. It is not run. */
  readonly reasoner?: Pick<Reasoner<never, unknown, never>, "tools"> | undefined;
}

/** What the options of a fork have to be. */
export const FORK: shapes.Shapes<ForkOptions> = {
  at: shapes.NUMBER,
  set: shapes.OBJECT,
  to: JOURNAL,
  name: shapes.TEXT,
  runId: shapes.TEXT,
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
  /** How many events it shares. */
  readonly retained: number;
  /** How many events the original has behind the cut. */
  readonly removed: number;
  /** The run directives whose child runs were forked with it. */
  readonly children: readonly string[];
  /**
   * Stores do not fork: how many writes the original and its children asked for behind the cut, by
   * their store. What of a child cannot be read is not counted.
   */
  readonly writes: { readonly [store: string]: number };
  /** The tools that the original and its children began behind the cut: what they did is still done. */
  readonly effects: readonly EffectAfterCut[];
  /**
   * The decisions before which the cut was moved, by the ids of their approvals: each had allowed a
   * call that neither began nor has an outcome, and a person is asked again.
   */
  readonly undecided: readonly string[];
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
  return forkFrom(noted, original, await findPoint(original, options), options, false);
}

/** Where a run is to be cut, and what is set there. */
export interface Point {
  readonly looked: Looked & { readonly cut: Cut };
  /** The decisions before which the cut was moved. */
  readonly undecided: readonly string[];
  /** The time at which its children are cut; absent where that is the cut's next event. */
  readonly time: number | undefined;
  readonly set: readonly Settlement[];
}

/** Where a run is to be cut: behind an event, a time or a line, or before what is set. */
interface PointOptions extends Pick<ForkOptions, "at" | "set"> {
  readonly time?: number | undefined;
  readonly hash?: string | undefined;
}

/** @throws ReckonerError `fork.point`, `fork.answer` */
export async function findPoint(
  port: JournalPort,
  { at, time, hash, set = {} }: PointOptions,
): Promise<Point> {
  const ids = Object.keys(set);
  const looked = await lookUndecided(port, isBehindOf({ at, time, hash }, ids), ids);
  const { cut, behind, undecided } = looked;
  if (cut === undefined) throw noSuchPoint(port, "has no event before that");
  if (at !== undefined && cut.seq !== at && (undecided.length === 0 || at >= looked.events)) {
    throw noSuchPoint(port, `has no event ${at}; its last is ${looked.events - 1}`);
  }
  const event = behind !== undefined && isEventLine(behind) ? behind.event : undefined;
  const answers: Settlement[] = [];
  for (const id of ids) {
    const owed = cut.owed.get(id);
    if (owed === undefined) {
      const where = behind === undefined ? "" : ` at event ${cut.seq}`;
      throw noSuchPoint(
        port,
        `asks for no ${id} that is open${where}; reckoner show lists the ids`,
      );
    }
    const recorded = event !== undefined && "id" in event && event.id === id ? event : undefined;
    answers.push(setAnswer(owed, set[id] as Json, cut.at, recorded));
  }
  const { header } = looked;
  // A fork of a fork is given what that one was to be given, and was not yet; and what it was given
  // since: the run that its link leads to may have got something else. Children go on by themselves.
  const toGive = cut.seq < (header.fork?.seq ?? 0) ? [] : (header.set ?? []);
  const since = looked.settled.filter(({ id }) => cut.owed.get(id)?.type !== "run");
  // What was said to it all the same counts, as it did there.
  const kept = toGive.filter(({ id }) => !since.some((each) => each.id === id));
  const world = [...since, ...kept].filter(isInherited);
  const others = new Map(world.map((each) => [each.id, each]));
  for (const id of others.keys()) if (!cut.owed.has(id) || ids.includes(id)) others.delete(id);
  return { looked: { ...looked, cut }, undecided, time, set: [...answers, ...others.values()] };
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
  { looked, set: given, time, undecided }: Point,
  options: ForkOptions,
  rewind: boolean,
): Promise<Fork> {
  const { name = freshName(), runId = globalThis.crypto.randomUUID(), limit = MAX_FORKS } = options;
  const clock = options.clock ?? systemClock;
  const place = options.to === undefined ? noted.fork?.(name) : await journalAt(options.to);
  if (place === undefined) {
    throw noSuchPoint(original, "has no place for forks; say where the fork's journal is to be");
  }
  const { cut } = looked;
  // They stand in the header before any run has taken them in: what hides them there hides them here.
  const set = given.map((each) => seen(options, each) as Settlement);
  const note: ForkNote = {
    name,
    journal: noted.link?.(place) ?? place.name,
    runId,
    seq: cut.seq,
    at: clock.now(),
    ...(set.length === 0 ? {} : { set: set.map(({ id }) => id) }),
    ...(rewind ? { rewind } : {}),
  };
  const plan = await planOf(cut, set, time);
  const { writes, effects } = await afterCut(looked, time, options.reasoner?.tools ?? {});
  const release = await noteFork(noted, note, limit);
  try {
    const children = await forkRun(plan, place, { runId }, set);
    return {
      name,
      journal: place,
      runId,
      from: { runId: cut.runId, seq: cut.seq },
      retained: cut.seq + 1,
      removed: looked.events - cut.seq - 1,
      children,
      writes,
      effects,
      undecided: [...undecided, ...undecidedOf(plan)],
    };
  } catch (thrown) {
    await release();
    throw thrown;
  }
}

/** The new run's own names. */
type Identity = Pick<HeaderLine, "runId" | "parent">;

/** A run that is to be forked, with its open children: all is read before anything is written. */
interface Plan {
  readonly cut: Cut;
  readonly children: readonly ChildPlan[];
}

/** An open child. */
interface ChildPlan {
  readonly id: string;
  readonly header: HeaderLine;
  readonly parent: NonNullable<HeaderLine["parent"]>;
  /** Absent where it had been made and had not begun to run: it begins anew. */
  readonly run: Plan | undefined;
  readonly undecided: readonly string[];
}

function undecidedOf({ children }: Plan): readonly string[] {
  return children.flatMap(({ id, run, undecided }) =>
    [...undecided, ...(run === undefined ? [] : undecidedOf(run))].map((each) => pairKey(id, each)),
  );
}

/** @throws ReckonerError `journal.child`, and what reading a journal throws */
async function planOf(
  cut: Cut,
  set: readonly Settlement[],
  time: number | undefined,
  isBehindAbove?: IsBehind,
): Promise<Plan> {
  const children: ChildPlan[] = [];
  const { parent } = cut;
  // What a fork shares does not say which children it was given.
  const isFork = parent.port !== cut.port;
  for (const { id, type, begun } of cut.owed.values()) {
    // A child whose answer is set has nothing to go on for.
    if (type !== "run" || !(begun || isFork) || set.some((each) => each.id === id)) continue;
    const above = viewOf(parent.port);
    const child = await above.child(id, parent);
    if (child === undefined) {
      if (!begun) continue;
      throw childNotFound(id, above.place(id)?.port, parent.port);
    }
    const isBehind = childIsAfterCut(cut, time, isBehindAbove);
    const { cut: own, inEffect, undecided } = await lookUndecided(child.view.port, isBehind);
    const run = own === undefined ? undefined : await planOf(own, [], time, isBehind);
    const named = child.header.parent as RunParent;
    children.push({ id, header: inEffect, parent: named, run, undecided });
  }
  return { cut, children };
}

/**
 * Writes the header of a fork; those of its open children first, so that a fork that is there is
 * whole. @returns the directives of the children
 */
async function forkRun(
  { cut, children }: Plan,
  to: JournalPort,
  identity: Identity,
  set: readonly Settlement[],
): Promise<readonly string[]> {
  const { runId, seq, hash } = cut;
  const journal = await linkWord(to, cut.port, runId);
  if (journal === undefined) {
    throw noSuchPoint(to, "cannot refer to the run that it is forked from");
  }
  const link: RunLink = { journal, runId, seq, hash };
  // First of all its own place is taken, so that nobody else's children are touched.
  await withWriter(to, "create", async (writer) => {
    const {
      type,
      format,
      from: _from,
      fork: _fork,
      set: _set,
      parent: _parent,
      ...rest
    } = cut.header;
    const header = { ...rest, ...identity, fork: link, ...(set.length === 0 ? {} : { set }) };
    const recorder = new Recorder();
    const { text, hash: own } = recorder.header(header);
    for (const each of children) await forkChild(each, to, { runId: identity.runId, hash: own });
    // Their marks may stand behind the cut: without one, a child that is gone would begin anew.
    const begun = children.filter(({ run }) => run !== undefined);
    const marks = begun.map(({ id }) => recorder.mark({ id, child: "begun" }).text);
    await appendLines(to, writer, [text, ...marks], { lines: 0, bytes: 0 });
  });
  return children.map(({ id }) => id);
}

/** Forks an open child at its last event before the cut. */
async function forkChild(
  { id, header, parent, run }: ChildPlan,
  to: JournalPort,
  forked: RunName,
): Promise<void> {
  const place = to.child?.(id);
  if (place === undefined) throw noSuchPoint(to, "has no place for child runs");
  const identity: Identity = {
    runId: childRunId(forked.runId, id),
    parent: { ...parent, ...forked },
  };
  if (run !== undefined) {
    await forkRun(run, place, identity, []);
    return;
  }
  await withWriter(place, "create", async (writer) => {
    const { type, format, ...rest } = header;
    const { text } = new Recorder().header({ ...rest, ...identity });
    await appendLines(place, writer, [text], { lines: 0, bytes: 0 });
  });
}
