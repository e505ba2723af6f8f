/**
 * The child runs of a journal that is folded. A child's beginning and cancel, and its parent's settlement, only
 * follow from other lines: they are derived and compared, and not believed.
 */
import {
  type BeginRecord,
  broken,
  configurationOf,
  type DecodedLine,
  differenceOf,
  type HeaderLine,
  type Recorder,
  Replay,
  WrittenValues,
} from "../journal/index.js";
import {
  addUsage,
  canonical,
  type Json,
  noUsage,
  ReckonerError,
  type RunEvent,
  type RunState,
  type Step,
  toJson,
  type Usage,
} from "../kernel/index.js";
import type { Path } from "./arrived.js";
import {
  type AnyReasoner,
  childEndOf,
  childNamed,
  NO_LONGER_WANTED,
  ofChild,
  type Parent,
  placeOf,
  settlementOf,
  wholeUsage,
} from "./child.js";
import { preparedInput } from "./door.js";
import { childPath, type Gone, Kinship, ROOT } from "./kin.js";
import { outstandingOf } from "./open.js";
import type { DriverOptions } from "./options.js";
import type { RunPlace } from "./shared.js";
import type { ChildSource } from "./tree.js";

/** A child run that is not over. */
export interface FoldedChild {
  readonly reasoner: AnyReasoner;
  readonly place: RunPlace;
  readonly replay: Replay<never, unknown, never>;
  readonly written: WrittenValues;
  lost: Usage;
}

/** An event's line. */
export type SeenEvent = NonNullable<DecodedLine["glance"]>;

/** The line of a child's start. */
export interface SeenBegin extends SeenEvent {
  readonly begin: BeginRecord;
}

/** The root of the tree, as far as it was folded. */
export interface FoldedRoot {
  readonly header: HeaderLine;
  readonly reasoner: AnyReasoner;
  readonly state: RunState | undefined;
}

/** The children of one journal, and what follows between the runs of its tree. */
export class FoldedChildren {
  readonly kin: Kinship;
  /** The usage of the root's children that were cancelled. */
  lost: Usage = noUsage;
  readonly #children = new Map<Path, FoldedChild>();
  readonly #options: DriverOptions;
  readonly #written: WrittenValues;

  /** @param written the values of the root */
  constructor(options: DriverOptions, written: WrittenValues) {
    this.#options = options;
    this.#written = written;
    this.kin = new Kinship(options.children !== "host");
  }

  /**
   * Returns the child that a line is of.
   * @throws ReckonerError `journal.format` where it is not there
   */
  at(path: Path, number: number): FoldedChild {
    const child = this.#children.get(path);
    if (child !== undefined) return child;
    throw broken("journal.format", number, `is of a run ${path} that has not begun, or is over`);
  }

  /**
   * A child begins as its parent's directive says, at the time of the step that issued it.
   * @throws ReckonerError `journal.format`, `journal.configuration`, `journal.diverged`
   */
  begin(path: Path, { begin, event }: SeenBegin, number: number, root: FoldedRoot): void {
    const follow = this.kin.opening(path);
    if (follow?.open === undefined) {
      throw broken("journal.format", number, `begins a run ${path} for which no directive waits`);
    }
    const { parent, directive } = follow.open;
    const above = parent === ROOT ? parentOf(root) : this.at(parent, number);
    const reasoner = childNamed(above.reasoner, directive.reasoner);
    if (reasoner?.fingerprint !== begin.fingerprint) throw otherChild(path, reasoner, begin);
    const isAsAsked =
      event.at === follow.at &&
      sameJson(begin.budget, directive.budget) &&
      (this.#isRedacted ||
        sameJson(begin.input, preparedInput(reasoner, directive.input as never)));
    if (!isAsAsked) throw underived(number, path, "begins otherwise than its directive says");
    const place = placeOf(above.place, directive);
    const { type, format, runId } = root.header;
    const header: HeaderLine = {
      type,
      format,
      ...begin,
      runId: ofChild(runId, path),
      at: event.at,
      ...(place.seed === undefined ? {} : { seed: ofChild(place.seed, path) }),
    };
    const replay = new Replay(reasoner, { header, from: undefined }, reasoner, false);
    const written = new WrittenValues(this.#written.references);
    written.begin(begin.input);
    this.#children.set(path, { reasoner, place, replay, written, lost: noUsage });
    this.kin.add(path);
  }

  /** Returns true if a hook, which a fold never calls, may have changed what stands in lines. */
  get #isRedacted(): boolean {
    return this.#options.redact !== undefined;
  }

  /**
   * Compares an event that only follows with what it follows from.
   * @throws ReckonerError `journal.diverged`
   */
  check(event: RunEvent, path: Path, number: number, { state }: FoldedRoot): void {
    if (this.#options.children === "host") return;
    const { next } = this.kin;
    // A consequence has the time of its cause; but a run's time never goes back.
    const own = path === ROOT ? state : this.#children.get(path)?.replay.state;
    const at = Math.max(next?.at ?? 0, own?.at ?? 0);
    if (path !== ROOT && event.type === "cancel") {
      const isNext = next?.type === "cancel" && next.child === path;
      if (isNext && this.#isSame(event, { ...NO_LONGER_WANTED, at })) return;
      throw underived(number, path, "is cancelled otherwise than its parent does");
    }
    if (event.type !== "run.succeeded" && event.type !== "run.failed") return;
    const child = childPath(path, event.id);
    const folded = this.#children.get(child);
    // A child that never began was refused, which hangs on the options of who did.
    if (folded === undefined && event.type === "run.failed") return;
    if (folded !== undefined && next?.type === "settle" && next.child === child) {
      const { reasoner, replay } = folded;
      const state = replay.state as RunState<unknown>;
      const wanted = settlementOf(event.id, childEndOf(reasoner, state, this.#usageOf(folded)));
      if (this.#isSame(event, toJson({ ...wanted, at }))) return;
    }
    throw underived(number, child, "did not come to what its parent is told");
  }

  #isSame(event: RunEvent, wanted: unknown): boolean {
    return this.#isRedacted || sameJson(event, wanted);
  }

  /** Takes a step of a run. */
  took(path: Path, event: RunEvent, step: Step<unknown>): void {
    for (const gone of this.kin.took(path, event, step)) this.#bury(gone);
  }

  #usageOf({ replay, lost }: Pick<FoldedChild, "replay" | "lost">): Usage {
    return wholeUsage(replay.state as RunState<unknown>, replay.ledger.memory.usage, lost);
  }

  #bury({ path, parent, isSettled }: Gone): void {
    const child = this.#children.get(path);
    if (child === undefined) return;
    this.#children.delete(path);
    if (isSettled) return;
    const heir = this.#children.get(parent) ?? this;
    heir.lost = addUsage(heir.lost, this.#usageOf(child));
  }

  /** The sources of the children that go on; their ledgers go to the recorder. */
  sources(recorder: Recorder): readonly ChildSource[] {
    return [...this.#children].map(([path, { reasoner, place, replay, written, lost }]) => {
      const { ledger } = replay;
      recorder.add(path, { ledger, written });
      const state = replay.state as RunState<never>;
      const { interrupt: _root, ...marks } = outstandingOf(state as RunState, ledger.memory);
      return { reasoner, place, state, lost, ...marks };
    });
  }
}

function parentOf({ header: { seed }, reasoner }: FoldedRoot): Parent {
  return { reasoner, place: { path: ROOT, through: [], seed } };
}

function otherChild(
  path: Path,
  reasoner: AnyReasoner | undefined,
  { reasoner: { id, version }, fingerprint, configuration }: BeginRecord,
): ReckonerError {
  const recorded = {
    version,
    fingerprint,
    ...(configuration === undefined ? {} : { configuration }),
  };
  const why =
    reasoner === undefined
      ? `its parent has no child ${id}`
      : differenceOf(recorded, configurationOf(reasoner));
  return new ReckonerError(
    "journal.configuration",
    `The child run ${path} began under another configuration of ${id}: ${why}. Pass the code that wrote it.`,
    { place: path },
  );
}

const sameJson = (a: unknown, b: unknown) =>
  a === undefined || b === undefined ? a === b : canonical(a as Json) === canonical(b as Json);

/** Something that only follows from other lines, and does not. */
function underived(number: number, path: Path, what: string): ReckonerError {
  return new ReckonerError(
    "journal.diverged",
    `The child run ${path} ${what}; go on with the code that wrote the journal.`,
    { place: `line ${number}` },
  );
}
