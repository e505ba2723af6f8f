/**
 * The runs of a journal that is folded. A child's beginning and cancel, and its parent's settlement, only follow
 * from other lines: they are derived and compared, and not believed.
 */
import {
  type BeginRecord,
  broken,
  childHeader,
  childPath,
  configurationOf,
  type DecodedLine,
  differenceOf,
  type HeaderLine,
  type Line,
  type Recorder,
  type Remembered,
  Replay,
  type ReplayedStep,
  type RunUpgrade,
  type SetAnswer,
  type TreeUpgrade,
  type UpgradeLine,
  WrittenValues,
} from "../journal/index.js";
import {
  type Budget,
  canonical,
  firstDifference,
  isJsonObject,
  type Json,
  ReckonerError,
  type RunEvent,
  type RunState,
  toJson,
  type Usage,
  type ValueDifference,
} from "../kernel/index.js";
import type { Path } from "./arrived.js";
import {
  type AnyReasoner,
  childEndOf,
  childNamed,
  NO_LONGER_WANTED,
  type Parent,
  placeOf,
  rootPlace,
  settlementOf,
  usageOf,
} from "./child.js";
import { preparedInput } from "./door.js";
import {
  type Differs,
  type FoldedChild,
  forkedChild,
  upgradedChildren,
  upgradesOf,
} from "./folded-children.js";
import { type Gone, Kinship, ROOT } from "./kin.js";
import { outstandingOf } from "./open.js";
import type { DriverOptions } from "./options.js";
import type { ChildSource } from "./tree.js";

/** The root of the tree, as far as it was folded. */
export interface FoldedRoot {
  readonly header: HeaderLine;
  /** The code of the present configuration; absent where it is not at hand. */
  readonly reasoner: AnyReasoner | undefined;
  readonly replay: Replay<never, unknown, never> | undefined;
}

/** A step that was folded, of whichever run. */
export interface FoldedStep {
  readonly path: Path;
  readonly reasoner: AnyReasoner;
  readonly replayed: ReplayedStep<never>;
}

/** How a tree is folded. */
export interface TreeFolding extends Pick<DriverOptions, "redact"> {
  /** False where the code may be another than wrote the lines: what it does not explain is passed over. */
  readonly strict?: boolean;
  /** Is told of what only follows and does not, in a fold that is not strict; without it nothing is compared. */
  readonly tell?: (at: TreeEvent, found: ValueDifference) => void;
  /** The place of the next event among those of the tree. Default 0. */
  readonly seq?: number;
  /** The state of the root, where the fold begins at one. */
  readonly from?: RunState;
}

/** An event of a run of the tree. */
export interface TreeEvent {
  readonly run: Path;
  readonly seq: number;
  readonly event: RunEvent;
}

type Seen = NonNullable<DecodedLine["glance"]> & { readonly begin?: BeginRecord };

/** The runs of one journal, and what follows between them. */
export class FoldedTree {
  kin: Kinship = new Kinship();
  /** The values of the root that the journal holds. */
  readonly written: WrittenValues;
  readonly #children = new Map<Path, FoldedChild>();
  readonly #options: TreeFolding;
  /** The beginnings of children, which stand in the lines whatever code is at hand. */
  readonly #begins = new Map<Path, FoldedChild["begin"]>();
  #set: readonly SetAnswer[] = [];
  #seq: number;

  constructor(options: TreeFolding, written: WrittenValues = new WrittenValues()) {
    this.#options = options;
    this.written = written;
    this.#seq = options.seq ?? 0;
    if (options.from !== undefined) this.kin.goOn(options.from);
  }

  /** The place of the next event among those of the tree. */
  get seq(): number {
    return this.#seq;
  }

  /** Passes over an event that nobody folds. @throws ReckonerError `journal.format` where it is out of place */
  pass(seq: number): void {
    if (seq !== this.#seq) throw outOfPlace(seq, this.#seq);
    this.#seq += 1;
  }

  /** The number of children that are not over. */
  get size(): number {
    return this.#children.size;
  }

  /** The children that are not over, parents before their children. */
  get children(): Iterable<FoldedChild> {
    return this.#children.values();
  }

  /** Takes in the header of a run: the answers that it sets need not follow from anything. */
  begin({ set }: Pick<HeaderLine, "set">): void {
    if (set !== undefined) this.#set = set;
  }

  /** Takes in a line before the fold begins: of the root what it holds, of any the references. @param length of its text */
  observe(line: Line, length: number): void {
    if ("run" in line) this.written.observeStored(line);
    else this.written.observe(line, length);
  }

  /**
   * Takes the next line, of an event or a mark.
   * @param length of its text
   * @returns the step, where it is an event's and was folded
   * @throws ReckonerError `journal.format`; in a strict fold `journal.configuration` where a child began under
   * another one, `journal.diverged` where something that only follows does not
   */
  take(decoded: DecodedLine, length: number, root: FoldedRoot): FoldedStep | undefined {
    const seen = decoded.glance ?? decoded.line;
    const path = ("run" in seen ? seen.run : undefined) ?? ROOT;
    if ("event" in seen && !("type" in seen)) return this.#event(decoded, seen, path, length, root);
    const child = this.#children.get(path);
    if (path === ROOT || "more" in seen) this.written.observe(decoded.line, length);
    if (path === ROOT) root.replay?.take(decoded);
    else if ("mark" in seen) child?.replay.take(decoded);
    return undefined;
  }

  #event(
    decoded: DecodedLine,
    seen: Seen,
    path: Path,
    length: number,
    root: FoldedRoot,
  ): FoldedStep | undefined {
    const { seq, event, begin } = seen;
    const { number } = decoded;
    this.pass(seq);
    const isBlind = root.reasoner === undefined || root.replay?.lost === true;
    if (begin !== undefined) {
      this.#begins.set(path, begin);
      if (!isBlind) this.#begin({ run: path, seq, event }, begin, number, root);
    }
    const child = path === ROOT ? undefined : this.#childAt(path, number, isBlind);
    const isPassed = path !== ROOT && child === undefined;
    if (isPassed) this.written.observeStored(decoded.line);
    else (child?.written ?? this.written).observe(steppedLine(decoded), length);
    if (isPassed) return undefined;
    if (!isBlind && !isPassed) this.#check({ run: path, seq, event }, number, root);
    const replayed = (child?.replay ?? root.replay)?.take(decoded);
    if (replayed === undefined) return undefined;
    for (const gone of this.kin.took(path, event, replayed.step)) this.#bury(gone, root);
    return { path, reasoner: child?.reasoner ?? (root.reasoner as AnyReasoner), replayed };
  }

  #childAt(path: Path, number: number, isBlind: boolean): FoldedChild | undefined {
    const child = this.#children.get(path);
    if (child !== undefined || isBlind || !this.#isStrict) return child;
    throw broken("journal.format", number, `is of a run ${path} that has not begun, or is over`);
  }

  get #isStrict(): boolean {
    return this.#options.strict !== false;
  }

  /** A child begins as its parent's directive says, at the time of the step that issued it. */
  #begin(at: TreeEvent, begin: BeginRecord, number: number, root: FoldedRoot): void {
    const { run: path, event } = at;
    const follow = this.kin.opening(path);
    if (follow?.open === undefined) {
      if (!this.#isStrict) return;
      throw broken("journal.format", number, `begins a run ${path} for which no directive waits`);
    }
    const { parent, directive } = follow.open;
    const above = this.#parent(parent, root);
    const reasoner = above && childNamed(above.reasoner, directive.reasoner);
    const isOwn = reasoner?.fingerprint === begin.fingerprint;
    if (!isOwn && this.#isStrict) throw otherChild(path, reasoner, begin);
    if (above === undefined || reasoner === undefined) return;
    if (!isOwn && this.#options.tell === undefined) return;
    const prepared = preparedInput(reasoner, directive.input as never);
    const input = this.#isRedacted
      ? begin.input
      : withDepsOf(begin.input, prepared, directive.input);
    const wanted = beginning(follow.at, input, directive.budget);
    this.#compare(at, "begin", [beginning(event.at, begin.input, begin.budget), wanted], () =>
      underived(number, path, "begins otherwise than its directive says"),
    );
    const place = placeOf(above.place, directive);
    const header = childHeader(root.header, path, begin, event.at);
    const replay = new Replay(reasoner, { header, from: undefined });
    const written = new WrittenValues(this.written.references);
    written.begin(begin.input);
    const { reasoner: named, fingerprint, configuration: parts } = begin;
    const own = { version: named.version, fingerprint };
    const configuration = parts === undefined ? own : { ...own, configuration: parts };
    this.#children.set(path, { path, reasoner, place, begin, configuration, replay, written });
    this.kin.add(path);
  }

  #parent(path: Path, root: FoldedRoot): Parent | undefined {
    if (path !== ROOT) return this.#children.get(path);
    const { seed } = root.header;
    return root.reasoner && { reasoner: root.reasoner, place: rootPlace(seed) };
  }

  /** Returns true if a hook, which a fold never calls, may have changed what stands in lines. */
  get #isRedacted(): boolean {
    return this.#options.redact !== undefined;
  }

  /** Compares an event that only follows with what it follows from. */
  #check(at: TreeEvent, number: number, { replay }: FoldedRoot): void {
    if (!this.#isStrict && this.#options.tell === undefined) return;
    const { run: path, event } = at;
    const { next } = this.kin;
    // A consequence has the time of its cause; but a run's time never goes back.
    const own = path === ROOT ? replay?.state : this.#children.get(path)?.replay.state;
    const time = Math.max(next?.at ?? 0, own?.at ?? 0);
    if (path !== ROOT && event.type === "cancel") {
      const isNext = next?.type === "cancel" && next.child === path;
      const wanted = isNext ? { ...NO_LONGER_WANTED, at: time } : undefined;
      this.#compare(at, "event", [event, wanted], () =>
        underived(number, path, "is cancelled otherwise than its parent does"),
      );
      return;
    }
    if (event.type !== "run.succeeded" && event.type !== "run.failed") return;
    if (this.#isSet(path, event.id)) return;
    const child = childPath(path, event.id);
    const folded = this.#children.get(child);
    // A child that never began was refused, which hangs on the options of who did.
    if (folded === undefined && event.type === "run.failed") return;
    let wanted: unknown;
    if (folded !== undefined && next?.type === "settle" && next.child === child) {
      const state = folded.replay.state as RunState<unknown>;
      const end = childEndOf(folded.reasoner, state, usageOfFolded(folded));
      wanted = toJson({ ...settlementOf(event.id, end), at: time });
    }
    this.#compare(at, "event", [event, wanted], () =>
      underived(number, child, "did not come to what its parent is told"),
    );
  }

  /** Compares what stands in a line with what follows. */
  #compare(
    at: TreeEvent,
    path: string,
    [recorded, derived]: readonly [recorded: unknown, derived: unknown],
    error: () => ReckonerError,
  ): void {
    const isSame = derived !== undefined && (this.#isRedacted || sameJson(recorded, derived));
    if (isSame) return;
    if (this.#isStrict) throw error();
    const found = firstDifference(recorded as Json, (derived ?? null) as Json, path);
    if (found !== undefined) this.#options.tell?.(at, found);
  }

  #isSet(path: Path, id: string): boolean {
    return this.#set.some(({ run = ROOT, event }) => run === path && event.id === id);
  }

  #bury({ path, parent, isSettled }: Gone, root: FoldedRoot): void {
    const child = this.#children.get(path);
    if (child === undefined) return;
    this.#children.delete(path);
    this.#begins.delete(path);
    const heir = this.#children.get(parent)?.replay ?? root.replay;
    if (!isSettled) heir?.ledger.inherit(usageOfFolded(child));
  }

  /**
   * Goes on under another configuration: with the states that an upgrade says.
   * @param reasoner of the root, where it is at hand
   */
  upgrade({ to, children }: TreeUpgrade, header: HeaderLine, reasoner?: AnyReasoner): void {
    if (to === undefined) return;
    this.kin = new Kinship();
    this.kin.goOn(to.state);
    const { seed } = header;
    const root = reasoner && { reasoner, place: rootPlace(seed), state: to.state };
    // Without its code nobody can say of which reasoner a child is.
    const known = root === undefined ? [] : upgradedChildren(root, children);
    const before = new Map(this.#children);
    this.#children.clear();
    for (const { upgraded, parent, directive } of known) {
      const { path } = upgraded;
      const begin = this.#begins.get(path) ?? { input: directive.input };
      const written = before.get(path)?.written ?? new WrittenValues(this.written.references);
      this.#children.set(path, { ...upgraded, begin, written });
      this.kin.adopt(path, parent, directive.id, upgraded.replay.state as RunState);
    }
  }

  /**
   * Carries the tree over to another configuration of its root.
   * @param to the root under it, where it has begun
   * @returns the upgrades of all runs, the root's last
   */
  carryOver(
    reasoner: AnyReasoner,
    to: Remembered | undefined,
    { at, from, to: after }: UpgradeLine["upgrade"],
    header: HeaderLine,
    differs: Differs,
  ): readonly RunUpgrade[] {
    const upgrade = { at, from, to: after };
    const own = { run: ROOT, upgrade, state: to?.state };
    if (to === undefined) return [own];
    const below = upgradesOf(this.#children.values(), { reasoner, state: to.state }, at, differs);
    const children = below.map(({ run, upgrade, ...to }) => ({ run, upgrade, to }));
    this.upgrade({ upgrade, to, children }, header, reasoner);
    return [...below, own];
  }

  /** A fork goes on with its runs as runs of its own. @param own its header */
  fork(own: HeaderLine): void {
    this.begin(own);
    for (const child of this.#children.values()) {
      this.#children.set(child.path, forkedChild(child, own.runId));
    }
  }

  /** The sources of the children that go on; their ledgers go to the recorder. */
  sources(recorder: Recorder): readonly ChildSource[] {
    return [...this.#children].map(([path, { reasoner, place, replay, written }]) => {
      const { ledger } = replay;
      recorder.add(path, { ledger, written });
      const state = replay.state as RunState<never>;
      const { interrupt: _root, ...marks } = outstandingOf(state as RunState, ledger.memory);
      return { reasoner, place, state, ...marks };
    });
  }
}

/**
 * Returns a child's prepared input with the deps that were recorded: those of its definition are in no fingerprint,
 * and may be another day's. Deps that its parent gave count.
 */
function withDepsOf(recorded: Json, prepared: Json, asked: Json): Json {
  if (!isJsonObject(recorded) || !isJsonObject(prepared) || !isJsonObject(recorded.deps)) {
    return prepared;
  }
  const given = isJsonObject(asked) && isJsonObject(asked.deps) ? asked.deps : {};
  return { ...prepared, deps: { ...recorded.deps, ...given } };
}

/** The parts of a child's beginning that only follow. */
function beginning(at: number, input: Json, budget: Budget | undefined): object {
  return { at, input, ...(budget === undefined ? {} : { budget }) };
}

function usageOfFolded({ replay }: Pick<FoldedChild, "replay">): Usage {
  return usageOf(replay.state as RunState<unknown>, replay.ledger.memory.usage);
}

/**
 * Returns a line with the very event that its step takes: values of the state that stand in an event are known
 * by their identity.
 */
function steppedLine({ line, glance }: DecodedLine): Line {
  return glance === undefined || !("event" in line) ? line : { ...line, event: glance.event };
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

const sameJson = (a: unknown, b: unknown) => canonical(a as Json) === canonical(b as Json);

/** Something that only follows from other lines, and does not. */
function underived(number: number, path: Path, what: string): ReckonerError {
  return new ReckonerError(
    "journal.diverged",
    `The child run ${path} ${what}; go on with the code that wrote the journal.`,
    { place: `line ${number}` },
  );
}

function outOfPlace(seq: number, wanted: number): ReckonerError {
  return new ReckonerError(
    "journal.format",
    `The journal has event ${seq} where ${wanted} should be.`,
    { place: `event ${seq}` },
  );
}
