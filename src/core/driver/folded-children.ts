/**
 * Finds, once a journal is read, how its child runs continue: under the new code of their parents after an
 * upgrade, as runs of their own in a fork, or from a snapshot.
 */
import {
  type BeginRecord,
  type Configuration,
  chartOf,
  childHeader,
  configurationOf,
  forked,
  type HeaderLine,
  type JournalMemory,
  ofChild,
  parentOf,
  type Recorder,
  type References,
  Replay,
  type RunSnapshot,
  type RunUpgrade,
  replayFrom,
  type TreeUpgrade,
  WrittenValues,
} from "../journal/index.js";
import type { RunState } from "../kernel/machine/index.js";
import { tableGet } from "../kernel/values/index.js";
import type { RunDirective } from "../kernel/vocabulary/index.js";
import type { Path } from "./arrived.js";
import {
  type AnyReasoner,
  beginsWith,
  childNamed,
  type Parent,
  placeOf,
  rootPlace,
} from "./child.js";
import type { ChildSource } from "./continue-from.js";
import { outstandingOf } from "./open.js";
import { ROOT } from "./parents-and-children.js";
import type { RunPlace } from "./shared-by-runs.js";

/** A child run that is not over. */
export interface FoldedChild {
  readonly path: Path;
  /** Its code; absent where that of its root is not at hand. */
  readonly reasoner: AnyReasoner | undefined;
  readonly place: RunPlace;
  /** The prepared input and the budget with which it began. */
  readonly begin: Pick<BeginRecord, "input" | "budget">;
  readonly configuration: Configuration;
  readonly replay: Replay<never, unknown, never>;
  readonly written: WrittenValues;
}

/** A run whose code and state are at hand. */
interface Loaded extends Parent {
  readonly state: RunState;
}

/** The code of a child, as the code and the state of its parent say. */
interface Found {
  readonly code: AnyReasoner;
  readonly parent: Path;
  readonly place: RunPlace;
  readonly directive: RunDirective;
}

/** A child under another configuration, with the directive that its parent owes for it. */
interface UpgradedChild extends Pick<Found, "parent" | "directive"> {
  readonly upgraded: Omit<FoldedChild, "begin" | "written">;
}

/** The upgrade of a child, and what its journal remembers. */
interface UpgradeOf extends RunUpgrade {
  readonly state: RunState;
  readonly memory: JournalMemory;
}

/** Tells which parts differ between two configurations. */
export type Differs = (from: Configuration, to: Configuration) => (part: string) => boolean;

/** Returns the children that an upgrade's line carries over, as far as the code of their root has them. */
export function upgradedChildren(
  root: Loaded,
  children: TreeUpgrade["children"],
): readonly UpgradedChild[] {
  const runs = new Map<Path, Loaded>([[ROOT, root]]);
  const upgraded: UpgradedChild[] = [];
  for (const { run: path, upgrade, to } of children) {
    const found = childIn(runs, path);
    if (to === undefined || found === undefined) continue;
    const { code: reasoner, parent, place, directive } = found;
    const replay = replayFrom(reasoner, to) as FoldedChild["replay"];
    runs.set(path, { reasoner, place, state: to.state });
    const child = { path, reasoner, place, configuration: upgrade.to, replay };
    upgraded.push({ upgraded: child, parent, directive });
  }
  return upgraded;
}

/** Returns the upgrades of the children, as the code of their root has them go on. */
export function upgradesOf(
  children: Iterable<FoldedChild>,
  root: Pick<Loaded, "reasoner" | "state">,
  at: number,
  differs: Differs,
): readonly UpgradeOf[] {
  const runs = new Map<Path, Loaded>([[ROOT, { ...root, place: rootPlace() }]]);
  const upgrades: UpgradeOf[] = [];
  for (const { path, configuration: from, begin, replay } of children) {
    const found = childIn(runs, path);
    if (found === undefined) continue;
    const { code, place } = found;
    const to = configurationOf(code);
    const before = replay.state as RunState;
    const over = { at: Math.max(at, before.at), differs: differs(from, to), ...begin };
    const state = code.migrate(before, over as never) as RunState;
    runs.set(path, { reasoner: code, place, state });
    const { memory } = replay.ledger;
    upgrades.push({
      run: path,
      upgrade: { at: over.at, from, to, ...chartOf(code) },
      before,
      state,
      memory,
    });
  }
  return upgrades;
}

/** Returns a child that begins. @param at the time of its start */
export function begunChild(
  child: Pick<FoldedChild, "path" | "place" | "configuration"> & {
    readonly reasoner: AnyReasoner;
  },
  root: HeaderLine,
  begin: BeginRecord,
  at: number,
  references: References,
): FoldedChild {
  const header = childHeader(root, child.path, begin, at);
  const replay = new Replay(child.reasoner, { header, from: undefined });
  const written = new WrittenValues(references);
  written.begin(begin.input);
  return { ...child, replay, written, begin: beginsWith(begin) };
}

/** Returns what a child goes on from; its ledger goes to the recorder. @param isShort the journal was longer once */
export function sourceOf(
  { path, reasoner, place, begin, replay, written }: FoldedChild,
  recorder: Recorder,
  isShort: boolean,
): ChildSource {
  const { ledger } = replay;
  recorder.add(path, { ledger, written });
  const state = replay.state as RunState<never>;
  const { interrupt: _root, ...marks } = outstandingOf(state, ledger.memory, isShort);
  return { reasoner: reasoner as AnyReasoner, place, begin, state, ...marks };
}

/** Returns the children of a tree as a snapshot holds them. @param root its code, where it is at hand, and its state */
export function childrenAt(
  root: Omit<Loaded, "reasoner"> & { readonly reasoner: AnyReasoner | undefined },
  below: readonly RunSnapshot[],
  references: References,
): readonly FoldedChild[] {
  const runs = new Map<Path, typeof root>([[ROOT, root]]);
  const children: FoldedChild[] = [];
  for (const { run: path, state, memory, begin, written, configuration } of below) {
    const [above, id] = parentOf(path);
    const parent = runs.get(above);
    const directive = parent && tableGet(parent.state.outstanding, id);
    if (parent === undefined || directive?.type !== "run" || begin === undefined) continue;
    const reasoner = parent.reasoner && childNamed(parent.reasoner, directive.reasoner);
    const place = placeOf(parent.place, directive);
    runs.set(path, { reasoner, place, state });
    const replay = replayFrom(reasoner, { state, memory } as never) as FoldedChild["replay"];
    const values = new WrittenValues(references, written);
    children.push({ path, reasoner, place, begin, configuration, replay, written: values });
  }
  return children;
}

/** A child goes on in a fork as a run of its own. @param root the run id of the fork */
export function forkedChild(child: FoldedChild, root: string): FoldedChild {
  const { path, reasoner, replay } = child;
  const { state, ledger } = replay;
  if (state === undefined) return child;
  const from = forked({ state, memory: ledger.memory }, ofChild(root, path));
  return { ...child, replay: replayFrom(reasoner, from) as FoldedChild["replay"] };
}

function childIn(runs: ReadonlyMap<Path, Loaded>, path: Path): Found | undefined {
  const [above, id] = parentOf(path);
  const parent = runs.get(above);
  const directive = parent && tableGet(parent.state.outstanding, id);
  if (parent === undefined || directive?.type !== "run") return undefined;
  const code = childNamed(parent.reasoner, directive.reasoner);
  return code && { code, parent: above, place: placeOf(parent.place, directive), directive };
}
