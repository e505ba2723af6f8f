/** `RunTree`, the runs that a driver drives: the root and the children that have not ended. */
import {
  type BeginRecord,
  childPath,
  configurationOf,
  parentOf,
  Waiting,
} from "../journal/for-live-runs.js";
import type { Reasoner, RunState } from "../kernel/machine/index.js";
import { addUsage, type Usage } from "../kernel/vocabulary/index.js";
import type { Attempt, AttemptInFlight, Path } from "./arrived.js";
import {
  type AnyReasoner,
  beginningOf,
  beginsWith,
  childEndOf,
  NO_LONGER_WANTED,
  placeOf,
  rootPlace,
  settlementOf,
  startOfChild,
  usageOf,
} from "./child.js";
import type { ChildSource, RunSource } from "./continue-from.js";
import { DrivenRun } from "./driven-run.js";
import type { Live } from "./effects.js";
import { attemptOf, seenOf } from "./hand-out.js";
import type { SnapshotSource } from "./line-log.js";
import { type Follow, type Gone, ROOT } from "./parents-and-children.js";
import type { RunPlace, Shared } from "./shared-by-runs.js";

/** A run of any type. */
export type AnyRun = DrivenRun<never, unknown, never>;

/** A run that is not over. */
export interface TreeRun {
  readonly path: Path;
  readonly state: RunState<unknown>;
}

/** A run whose usage is asked for. */
interface Spending {
  readonly path: Path;
  readonly state: unknown;
}

/** An effect, and the run that owes it. */
interface Owing {
  readonly run: Pick<AnyRun, "path" | "goOnWith" | "enter">;
  readonly live: Live;
}

/** Fingerprints of configurations that a root has left. */
type Left = readonly string[] | undefined;

/** The runs of one tree. */
export class RunTree<Input, Output, Context> {
  readonly root: DrivenRun<Input, Output, Context>;
  readonly #left: Left;
  readonly #shared: Shared<Context>;
  /** The children that are not over, by their paths. */
  readonly #children = new Map<Path, AnyRun>();

  constructor(
    reasoner: Reasoner<Input, Output, Context>,
    source: RunSource<Context>,
    { seed, left }: { readonly seed: string | undefined; readonly left: Left },
    children: readonly ChildSource[],
    shared: Shared<Context>,
  ) {
    this.#shared = shared;
    this.#left = left;
    this.root = new DrivenRun(reasoner, rootPlace(seed), source, shared);
    for (const child of children) {
      this.#add(new DrivenRun(child.reasoner, child.place, child, this.#childShared));
    }
    for (const { place } of children) this.pace(place.path);
  }

  /**
   * A deadline of a run stands still from when a child of it waits for people, or for a model that is down, until that
   * child is settled: its settlement says how long it has waited.
   */
  pace(path: Path): void {
    this.of(path)?.paceDeadlines((id) => this.#hasWaited(childPath(path, id)));
    if (path !== ROOT) this.pace(parentOf(path)[0]);
  }

  #hasWaited(path: Path): boolean {
    const child = this.#children.get(path);
    if (child === undefined) return false;
    const { outstanding } = child.state as RunState;
    if (this.#shared.log.memoryOf(path).waitedMs !== undefined) return true;
    if (new Waiting(outstanding).isForPeople) return true;
    for (const { down, phase, effect } of child.lives) {
      if (down !== undefined) return true;
      if (phase === "child" && this.#hasWaited(childPath(path, effect.id))) return true;
    }
    return false;
  }

  /** The same for runs whose contexts nobody here knows. */
  get #childShared(): Shared<never> {
    return this.#shared as Shared<never>;
  }

  #add(child: AnyRun): void {
    this.#children.set(child.path, child);
  }

  /** A run by its path. */
  of(run: Path): DrivenRun<Input, Output, Context> | AnyRun | undefined {
    return run === ROOT ? this.root : this.#children.get(run);
  }

  /** The runs that are not over, the root first. */
  get runs(): readonly TreeRun[] {
    return [this.root, ...this.#children.values()].map(({ path, state }) => ({ path, state }));
  }

  /** The runs that are not over, as a snapshot holds them: each before its children. */
  get snapshots(): readonly SnapshotSource[] {
    return [this.root, ...this.#children.values()].map(({ path, state, reasoner, begin }) => ({
      run: path,
      configuration: {
        ...configurationOf(reasoner),
        ...(path === ROOT && this.#left ? { left: this.#left } : {}),
      },
      ...(begin === undefined ? {} : { begin }),
      state: state as RunState,
    }));
  }

  /** The effects of all runs, in the order of their issue. */
  get livesInOrder(): readonly Owing[] {
    const lives: Owing[] = [...this.root.lives].map((live) => ({ run: this.root, live }));
    if (this.#children.size === 0) return lives;
    for (const run of this.#children.values())
      for (const live of run.lives) lives.push({ run, live });
    return lives.sort((a, b) => a.live.order - b.live.order);
  }

  /** Goes on with the attempts of the driver before. */
  goOnWith(attempts: readonly AttemptInFlight[]): void {
    const byId = new Map(attempts.map((each) => [`${each.run} ${each.id}`, each]));
    for (const { run, live } of this.livesInOrder) {
      run.goOnWith(live, byId.get(`${run.path} ${live.effect.id}`));
    }
  }

  /** The attempts that were handed out. */
  get inFlight(): readonly AttemptInFlight[] {
    return [
      ...this.root.inFlight,
      ...[...this.#children.values()].flatMap((each) => each.inFlight),
    ];
  }

  /** Attempts, as they are handed out. @param offset milliseconds by which the host's clock is behind the times of events */
  attemptsOf(lives: readonly Live[], offset: number): readonly Attempt[] {
    const views = new Map<Path, Parameters<typeof attemptOf>[1]>();
    return lives.map((live) => {
      const { path } = live.owner;
      const { state, place } = this.of(path) as AnyRun;
      const view = views.get(path) ?? {
        runId: state.runId,
        through: place.through,
        sees: seenOf(state),
      };
      views.set(path, view);
      return attemptOf(live, view, offset);
    });
  }

  /** The time of the newest event, or that one where it is later. */
  newestAt(at: number): number {
    let newest = Math.max(at, this.root.state.at);
    for (const { state } of this.#children.values()) newest = Math.max(newest, state.at);
    return newest;
  }

  /** The usage of all runs so far. */
  get usage(): Usage {
    let sum = this.#usageOf(this.root);
    for (const child of this.#children.values()) sum = addUsage(sum, this.#usageOf(child));
    return sum;
  }

  #usageOf({ path, state }: Spending): Usage {
    return usageOf(state as RunState, this.#shared.log.memoryOf(path).usage);
  }

  /** Takes what follows from a step of another run: it has that step's time. */
  follow({ type, child: path, at, open }: Follow): void {
    const { options, kin } = this.#shared;
    if (open !== undefined) {
      const { directive } = open;
      const parent = this.of(open.parent) as AnyRun;
      const begun = beginningOf(parent, directive, at, options);
      if ("code" in begun) parent.step({ type: "run.failed", id: directive.id, error: begun }, at);
      else this.#begin(begun.reasoner, placeOf(parent.place, directive), at, begun.begin);
      return;
    }
    const child = this.#children.get(path);
    if (child === undefined) return;
    if (type === "cancel") {
      child.step(NO_LONGER_WANTED, at);
      return;
    }
    const { parent, id } = kin.parentOf(path);
    const state = child.state as RunState;
    const settlement = settlementOf(
      id,
      childEndOf(child.reasoner, state, this.#shared.log.memoryOf(path)),
    );
    (this.of(parent) as AnyRun).step(settlement, at);
  }

  #begin(reasoner: AnyReasoner, place: RunPlace, at: number, begin: BeginRecord): void {
    const { kin, log } = this.#shared;
    const start = startOfChild(reasoner, place, this.root.state.runId, at, begin);
    const source = { state: start.step.state, start, begin: beginsWith(begin) };
    const child: AnyRun = new DrivenRun(reasoner, place, source, this.#childShared);
    kin.add(place.path);
    log.begin(place.path);
    this.#add(child);
    child.took(start.event, start.step, begin);
  }

  /** Lets go of a run that is over; what it has spent that nobody was told of is its parent's. */
  bury({ path, parent, isSettled }: Gone): void {
    const child = this.#children.get(path);
    if (child === undefined) return;
    const { log } = this.#shared;
    if (!isSettled) log.lose(parent, this.#usageOf(child));
    this.#children.delete(path);
    log.drop(path);
  }

  /** Returns true if a child, or one below it, does something that ends by itself. */
  isBusyBelow({ owner, effect }: Live): boolean {
    const path = childPath(owner.path, effect.id);
    for (const run of this.#children.values()) {
      if (run.path !== path && !run.path.startsWith(`${path}:`)) continue;
      for (const { phase, effect: own } of run.lives) {
        if (phase === "queued" || phase === "delayed") return true;
        if (phase === "running" && own.type !== "approval") return true;
      }
    }
    return false;
  }
}
