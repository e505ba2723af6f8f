/**
 * Holds the runs of a journal while its lines are read: of each its code, its state, what the journal
 * remembers of it, and which values it has written; and follows what passes between parents and children.
 */
import {
  type BeginRecord,
  broken,
  type Configuration,
  chartOf,
  childPath,
  type DecodedLine,
  firstConfiguration,
  forked,
  type HeaderLine,
  isOf,
  listAmong,
  listsIn,
  outOfPlace,
  type RecordedLists,
  type Recorder,
  References,
  type Remembered,
  Replay,
  type ReplayedStep,
  type RunSnapshot,
  type RunUpgrade,
  replayFrom,
  type Snapshot,
  snapshotMarkIn,
  type TreeUpgrade,
  type UpgradeLine,
  UpgradeReader,
  WrittenValues,
} from "../journal/index.js";
import type { RunState } from "../kernel/machine/index.js";
import type { Json, List } from "../kernel/values/index.js";
import type { Path } from "./arrived.js";
import { type AnyReasoner, beginsWith, type Parent, rootPlace } from "./child.js";
import type { ChildSource } from "./continue-from.js";
import {
  type Comparing,
  Derived,
  otherChild,
  type TreeEvent,
  usageOfFolded,
} from "./derived-events.js";
import {
  begunChild,
  childrenAt,
  type Differs,
  type FoldedChild,
  forkedChild,
  sourceOf,
  upgradedChildren,
  upgradesOf,
} from "./folded-children.js";
import { type Gone, Kinship, ROOT } from "./parents-and-children.js";
import { isEventOf, type Seen, steppedLine } from "./seen-line.js";

/** A step that was folded, of whichever run. */
export interface FoldedStep {
  readonly path: Path;
  readonly reasoner: AnyReasoner;
  readonly replayed: ReplayedStep<never>;
}

/** The ways to fold a tree. */
export interface TreeFolding extends Comparing {
  /** Finds the code of the root for a configuration, where it is at hand. */
  readonly code: (configuration: Configuration) => AnyReasoner | undefined;
}

type RootReplay = Replay<never, unknown, never>;

/** The runs of one journal, and what follows between them. */
export class FoldedTree {
  kin: Kinship = new Kinship();
  readonly #children = new Map<Path, FoldedChild>();
  readonly #options: TreeFolding;
  readonly #derived: Derived;
  readonly #upgrades = new UpgradeReader((run, list) => this.#listOf(run, list));
  /** The Lists that the lines hold, for upgrades of what nobody folded. */
  #recorded: RecordedLists | undefined;
  /** The values of the root that the journal holds. */
  #written = new WrittenValues();
  #header: HeaderLine | undefined;
  #configuration: Configuration | undefined;
  #code: AnyReasoner | undefined;
  #replay: RootReplay | undefined;
  /** The beginnings of children, which stand in the lines whatever code is at hand. */
  #begins = new Map<Path, FoldedChild["begin"]>();
  #seq = 0;
  #isLostBelow = false;

  constructor(options: TreeFolding) {
    this.#options = options;
    this.#derived = new Derived(options);
  }

  /** The header of the run; of a fork its own. */
  get header(): HeaderLine {
    return this.#header as HeaderLine;
  }

  /** The present configuration of the root. */
  get configuration(): Configuration {
    return this.#configuration as Configuration;
  }

  /** The code of the present configuration; absent where it is not at hand. */
  get code(): AnyReasoner | undefined {
    return this.#code;
  }

  /** The replay of the root; absent before the header. */
  get root(): RootReplay | undefined {
    return this.#replay;
  }

  get written(): WrittenValues {
    return this.#written;
  }

  /** The place of the next event among those of the tree. */
  get seq(): number {
    return this.#seq;
  }

  /** Returns true if there were events since the states that nobody could fold. */
  get lost(): boolean {
    return this.#replay?.lost === true || this.#isLostBelow;
  }

  /** The number of children that are not over. */
  get size(): number {
    return this.#children.size;
  }

  /** The children that are not over, parents before their children. */
  get children(): Iterable<FoldedChild> {
    return this.#children.values();
  }

  /** Begins with the header of a run. @param from the context that its link leads to */
  begin(header: HeaderLine, from?: unknown): void {
    this.#takeHeader(header);
    this.#replay = new Replay(this.#code, { header, from });
    this.#written.observe(header, 0);
  }

  #takeHeader(header: HeaderLine): void {
    this.#header = header;
    if (header.set !== undefined) this.#derived.set = header.set;
    this.#goOnUnder(firstConfiguration(header));
  }

  #goOnUnder(configuration: Configuration): void {
    this.#configuration = configuration;
    this.#code = this.#options.code(configuration);
  }

  /** A fork goes on with its runs as runs of its own; where nobody knows their states, an upgrade says them. */
  fork(own: HeaderLine): void {
    const before = this.#replay;
    this.#takeHeader(own);
    const state = before?.lost === true ? undefined : before?.state;
    this.#replay =
      before === undefined || state === undefined
        ? new Replay(undefined, { header: own, from: undefined })
        : replayFrom(this.#code, forked({ state, memory: before.ledger.memory }, own.runId));
    for (const child of this.#children.values()) {
      this.#children.set(child.path, forkedChild(child, own.runId));
    }
  }

  /** A fork of which nobody knows what it shares: an upgrade says itself what it is from there on. */
  forkUnknown(own: HeaderLine): void {
    this.fork(own);
    this.#seq = (own.fork?.seq ?? -1) + 1;
    this.#written.forget();
  }

  /**
   * Begins at a snapshot, with the runs that it holds.
   * @throws ReckonerError in a strict fold `journal.configuration` where a child is of another one
   */
  goOn(header: HeaderLine, { place, runs, issued, references }: Snapshot): void {
    const [{ state, memory, written, configuration }, ...below] = runs as [RunSnapshot];
    this.#takeHeader(header);
    this.#goOnUnder(configuration);
    this.#seq = place.seq + 1;
    this.#written = new WrittenValues(new References(references), written);
    this.#replay = replayFrom(this.#code, { state, memory } as never);
    const root = { reasoner: this.#code, place: rootPlace(header.seed), state };
    for (const child of childrenAt(root, below, this.#written.references)) {
      const { path, reasoner, configuration: its } = child;
      const isOther = reasoner !== undefined && !isOf(its, reasoner);
      if (isOther && this.#derived.isStrict) throw otherChild(path, reasoner, its);
      this.#children.set(path, child);
      this.#begins.set(path, child.begin);
    }
    this.kin.restore([...this.#children.keys()], issued);
  }

  /** Knows from here on what the lines before the next upgrade hold. */
  know(recorded: RecordedLists): void {
    this.#recorded = recorded;
  }

  /** The List of a run to which an upgrade refers: of the state before it, or of the lines. */
  #listOf(run: Path, reference: string): List<Json> | undefined {
    const replay = run === ROOT ? this.#replay : this.#children.get(run)?.replay;
    const lists = replay?.state === undefined ? [] : listsIn(replay.state);
    return listAmong(lists, reference) ?? this.#recorded?.of(run, reference);
  }

  /**
   * Passes over a line that nobody folds.
   * @returns the upgrade that it is, if any
   * @throws ReckonerError `journal.format` where an event is out of place; `journal.configuration` as {@link take}
   */
  pass(decoded: DecodedLine): TreeUpgrade | undefined {
    const seen = decoded.glance ?? decoded.line;
    if (isEventOf(seen)) this.#count(seen.seq, decoded.number);
    return this.#upgrades.take(seen, decoded.number);
  }

  #count(seq: number, number: number): void {
    if (seq !== this.#seq) throw outOfPlace(number, seq, this.#seq);
    this.#seq += 1;
  }

  /**
   * Takes the next line behind the header.
   * @returns the step, where it is an event's and was folded; or an upgrade, with which `upgrade` goes on
   * @throws ReckonerError `journal.format`; `journal.configuration` where it is an upgrade of what nobody folded, and
   * may be taken again when its Lists are known; in a strict fold `journal.configuration` where a child began under
   * another one, `journal.diverged` where something that only follows does not
   */
  take(decoded: DecodedLine): FoldedStep | TreeUpgrade | undefined {
    const seen = decoded.glance ?? decoded.line;
    const upgrade = this.#upgrades.take(seen, decoded.number);
    if (upgrade !== undefined) return upgrade;
    const path = ("run" in seen ? seen.run : undefined) ?? ROOT;
    if (isEventOf(seen)) return this.#event(decoded, seen, path);
    const child = this.#children.get(path);
    if (path === ROOT || "more" in seen) this.#written.observe(decoded.line, 0);
    if (snapshotMarkIn(seen) !== undefined) this.#settle();
    else if (path === ROOT) this.#replay?.take(decoded);
    else if ("mark" in seen) child?.replay.take(decoded);
    return undefined;
  }

  /** At the mark of a snapshot only what that holds stays known. */
  #settle(): void {
    this.#written.settle();
    for (const { written } of this.#children.values()) written.settle();
    this.#written.references.settle();
  }

  #event(decoded: DecodedLine, seen: Seen, path: Path): FoldedStep | undefined {
    const { seq, event, begin } = seen;
    const { number } = decoded;
    this.#count(seq, number);
    const isBlind = this.#code === undefined || this.#replay?.lost === true;
    this.#isLostBelow ||= isBlind && path !== ROOT;
    if (begin !== undefined) {
      this.#begins.set(path, beginsWith(begin));
      if (!isBlind) this.#begin({ run: path, seq, event }, begin, number);
    }
    const child = path === ROOT ? undefined : this.#childAt(path, number, isBlind);
    const isPassed = path !== ROOT && child === undefined;
    if (isPassed) {
      this.#written.observeStored(decoded.line);
      return undefined;
    }
    (child?.written ?? this.#written).observe(steppedLine(decoded), decoded.text.length);
    if (!isBlind) this.#check({ run: path, seq, event }, number);
    const replayed = (child?.replay ?? this.#replay)?.take(decoded);
    if (replayed === undefined) return undefined;
    for (const gone of this.kin.took(path, event, replayed.step)) this.#bury(gone);
    return { path, reasoner: (child?.reasoner ?? this.#code) as AnyReasoner, replayed };
  }

  #childAt(path: Path, number: number, isBlind: boolean): FoldedChild | undefined {
    const child = this.#children.get(path);
    if (child !== undefined || isBlind || !this.#derived.isStrict) return child;
    throw broken("journal.format", number, `is of a run ${path} that has not begun, or is over`);
  }

  /** A child begins as its parent's directive says. */
  #begin(at: TreeEvent, begin: BeginRecord, number: number): void {
    const follow = this.kin.opening(at.run);
    const above = follow?.open && this.#parent(follow.open.parent);
    const child = this.#derived.beginning(at, number, begin, { follow, above });
    if (child === undefined) return;
    const { references } = this.#written;
    this.#children.set(child.path, begunChild(child, this.header, begin, at.event.at, references));
    this.kin.add(child.path);
  }

  #parent(path: Path): Parent | undefined {
    const { reasoner, place } = this.#children.get(path) ?? {};
    if (path === ROOT)
      return this.#code && { reasoner: this.#code, place: rootPlace(this.header.seed) };
    return reasoner && place && { reasoner, place };
  }

  /** Compares an event that only follows with what it follows from. */
  #check(at: TreeEvent, number: number): void {
    const { run: path, event } = at;
    if (!this.#derived.follows(path, event)) return;
    const state = path === ROOT ? this.#replay?.state : this.#children.get(path)?.replay.state;
    const child = "id" in event ? this.#children.get(childPath(path, String(event.id))) : undefined;
    this.#derived.check(at, number, { next: this.kin.next, state, child });
  }

  #bury({ path, parent, isSettled }: Gone): void {
    const child = this.#children.get(path);
    if (child === undefined) return;
    this.#children.delete(path);
    this.#begins.delete(path);
    const heir = this.#children.get(parent)?.replay ?? this.#replay;
    if (!isSettled) heir?.ledger.inherit(usageOfFolded(child));
  }

  /**
   * Goes on under another configuration: with the states that an upgrade says.
   * @param from the context of the run that this one goes on from, where it has not begun
   */
  upgrade(upgraded: TreeUpgrade, from?: unknown): void {
    this.#goOnFrom(upgraded, from);
    const { to, children } = upgraded;
    if (to === undefined) return;
    this.#recorded = undefined;
    this.#written.carriedOver(to.state);
    for (const { run, to: own } of children) {
      if (own !== undefined) this.#children.get(run)?.written.carriedOver(own.state);
    }
  }

  #goOnFrom({ upgrade, to, children }: TreeUpgrade, from?: unknown): void {
    this.#goOnUnder(upgrade.to);
    this.#replay?.upgrade(this.#code, to, from);
    if (to === undefined) return;
    this.#isLostBelow = false;
    this.kin = new Kinship();
    this.kin.goOn(to.state);
    const code = this.#code;
    const root = code && { reasoner: code, place: rootPlace(this.header.seed), state: to.state };
    // Without its code nobody can say of which reasoner a child is.
    const carriedOver = root === undefined ? [] : upgradedChildren(root, children);
    const before = new Map(this.#children);
    this.#children.clear();
    for (const { upgraded, parent, directive } of carriedOver) {
      const { path } = upgraded;
      const begin = this.#begins.get(path) ?? { input: directive.input };
      const written = before.get(path)?.written ?? new WrittenValues(this.#written.references);
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
    differs: Differs,
  ): readonly RunUpgrade[] {
    const upgrade = { at, from, to: after, ...chartOf(reasoner) };
    const own = { run: ROOT, upgrade, state: to?.state };
    if (to === undefined) return [own];
    const root = { reasoner, state: to.state };
    // What stands in other journals is not known to who reads this one alone.
    const isAlone = this.header.fork === undefined && this.header.from === undefined;
    const before = this.#replay?.state as RunState | undefined;
    const below = upgradesOf(this.#children.values(), root, at, differs);
    const children = below.map(({ run, upgrade, ...to }) => ({ run, upgrade, to }));
    this.#goOnFrom({ upgrade, to, children });
    const all = [...below, { ...own, before }];
    return isAlone ? all : all.map(({ before: _elsewhere, ...each }) => each);
  }

  /**
   * The sources of the children that go on; their ledgers go to the recorder.
   * @param isShort the journal was longer once
   */
  sources(recorder: Recorder, isShort = false): readonly ChildSource[] {
    return [...this.#children.values()].map((child) => sourceOf(child, recorder, isShort));
  }
}
