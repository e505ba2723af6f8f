/**
 * Tracks the runs of a tree, and what one run's step brings about in another: a child's beginning or cancel,
 * its parent's settlement. Computed from the lines of the journal alone, so that a reader of a torn or cut
 * journal finds the lines that are still missing, in the order of the writer.
 */
import { childPath, parentOf, ROOT_RUN } from "../journal/for-live-runs.js";
import { hasSettled, owedBy, type RunState, type Step } from "../kernel/machine/index.js";
import { tableHas, tableSize } from "../kernel/values/index.js";
import {
  type Directive,
  isEffect,
  isSettlement,
  type RunDirective,
  type RunEvent,
} from "../kernel/vocabulary/index.js";
import type { Path } from "./arrived.js";

/** The path of the root. */
export const ROOT: Path = ROOT_RUN;

/** Something that follows from a step of another run, and has that step's time. */
export interface Follow {
  /** The child that begins, has ended, or is cancelled. */
  readonly child: Path;
  readonly at: number;
  /** The directive of a child that begins. */
  readonly open?: { readonly parent: Path; readonly directive: RunDirective };
  readonly type: "open" | "settle" | "cancel";
}

/** A run that the tree needs no more, and whether its parent has its outcome. */
export interface Gone {
  readonly path: Path;
  readonly parent: Path;
  readonly isSettled: boolean;
}

/** A run of the tree. */
interface Kin {
  readonly parent: Path;
  /** The id of its directive. */
  readonly id: string;
  isActive: boolean;
  /** True while its parent waits for its outcome. */
  isOwed: boolean;
  /** The order in which its outstanding effects were issued, over the whole tree. */
  readonly issued: Map<string, number>;
}

const NONE: readonly Gone[] = [];

/** The runs of a tree that are not over. */
export class Kinship {
  readonly #runs = new Map<Path, Kin>([[ROOT, newKin(ROOT, "")]]);
  /** By the child: each has one debt at most, in the order in which they arose. */
  readonly #follows = new Map<Path, Follow>();
  #order = 0;

  /** The order of the next effect that is issued. */
  get nextOrder(): number {
    return this.#order;
  }

  /** The first of what follows. */
  get next(): Follow | undefined {
    for (const follow of this.#follows.values()) return follow;
    return undefined;
  }

  /** Returns true if something follows. */
  get follows(): boolean {
    return this.#follows.size > 0;
  }

  /** True if each child is owed to its parent: one that goes on though it was cancelled is not. */
  get isWhole(): boolean {
    for (const { isOwed } of this.#runs.values()) if (!isOwed) return false;
    return true;
  }

  /** The order of an outstanding effect. */
  orderOf(run: Path, id: string): number {
    return this.#runs.get(run)?.issued.get(id) ?? 0;
  }

  /** The root goes on from a state that no step of its lines led to. Its children are adopted next. */
  goOn(state: RunState): void {
    this.#owe(ROOT, this.#runs.get(ROOT) as Kin, state);
  }

  /** The outstanding effects in the order of their issue, and their runs. */
  get issued(): readonly (readonly [run: Path, id: string])[] {
    const all: (readonly [number, Path, string])[] = [];
    for (const [path, { issued }] of this.#runs) {
      for (const [id, order] of issued) all.push([order, path, id]);
    }
    return all.sort(([a], [b]) => a - b).map(([, path, id]) => [path, id]);
  }

  /** The runs go on as a snapshot holds them: nothing follows at its mark. @param issued as `issued` gave it */
  restore(children: readonly Path[], issued: readonly (readonly [run: Path, id: string])[]): void {
    for (const path of children) this.#runs.set(path, newKin(...parentOf(path)));
    for (const [path, id] of issued) {
      this.#runs.get(path)?.issued.set(id, this.#order);
      this.#order += 1;
    }
  }

  /** A child goes on from such a state. */
  adopt(path: Path, parent: Path, id: string, state: RunState): void {
    const kin = newKin(parent, id);
    this.#runs.set(path, kin);
    this.#follows.delete(path);
    this.#owe(path, kin, state);
    if (state.status === "active" && tableSize(state.outstanding) > 0) return;
    kin.isActive = state.status === "active";
    this.#follows.set(path, { type: "settle", child: path, at: state.at });
  }

  /** Children of a state that have not begun begin next. */
  #owe(path: Path, { issued }: Kin, state: RunState): void {
    for (const effect of owedBy(state)) {
      issued.set(effect.id, this.#order);
      this.#order += 1;
      if (effect.type !== "run") continue;
      const child = childPath(path, effect.id);
      const open = { parent: path, directive: effect };
      this.#follows.set(child, { type: "open", child, at: state.at, open });
    }
  }

  /** Drops a consequence that has come to nothing. */
  drop({ child }: Follow): void {
    this.#follows.delete(child);
  }

  /** A child begins. */
  add(path: Path): void {
    const { parent, directive } = (this.#follows.get(path) as Required<Follow>).open;
    this.#runs.set(path, newKin(parent, directive.id));
    this.#follows.delete(path);
  }

  /** The directive by which a child is about to begin. */
  opening(path: Path): Follow | undefined {
    const follow = this.#follows.get(path);
    return follow?.open === undefined ? undefined : follow;
  }

  /** The parent of a child, and the id of the child's directive. */
  parentOf(path: Path): { readonly parent: Path; readonly id: string } {
    return this.#runs.get(path) as Kin;
  }

  /** Takes a step of a run. @returns the runs that are over */
  took(path: Path, event: RunEvent, step: Step<unknown>): readonly Gone[] {
    const kin = this.#runs.get(path) as Kin;
    const { state, directives, ignored } = step;
    let gone = NONE;
    if (isSettlement(event) && hasSettled(ignored?.reason)) {
      kin.issued.delete(event.id);
      if (event.type === "run.succeeded" || event.type === "run.failed") {
        gone = this.#disown(childPath(path, event.id), true, state.at);
      }
    }
    for (let i = 0; i < directives.length; i++) {
      const directive = directives[i] as Directive;
      if (directive.type === "cancel") {
        kin.issued.delete(directive.target);
        const child = childPath(path, directive.target);
        gone = [...gone, ...this.#disown(child, false, state.at)];
      } else if (isEffect(directive) && tableHas(state.outstanding, directive.id)) {
        kin.issued.set(directive.id, this.#order);
        this.#order += 1;
        if (directive.type !== "run") continue;
        const child = childPath(path, directive.id);
        const open = { parent: path, directive };
        this.#follows.set(child, { type: "open", child, at: state.at, open });
      }
    }
    if (path === ROOT) return gone;
    if (event.type === "cancel") this.#follows.delete(path);
    kin.isActive = state.status === "active";
    // Nobody can send an event to a child: one with nothing outstanding waits for good.
    if (kin.isActive && tableSize(state.outstanding) > 0) return gone;
    this.#follows.delete(path);
    if (!kin.isOwed) return [...gone, ...this.#letGo(path, false)];
    this.#follows.set(path, { type: "settle", child: path, at: state.at });
    return gone;
  }

  /** A parent has what it waited for, or waits no more. */
  #disown(child: Path, isSettled: boolean, at: number): readonly Gone[] {
    const isDue = this.#follows.get(child)?.type === "settle";
    this.#follows.delete(child);
    const kin = this.#runs.get(child);
    if (kin === undefined) return NONE;
    kin.isOwed = false;
    // One that goes on while its parent has another's word for its outcome is wanted no more.
    if (!kin.isActive || (isSettled && isDue)) return this.#letGo(child, isSettled);
    this.#follows.set(child, { type: "cancel", child, at });
    return NONE;
  }

  #letGo(path: Path, isSettled: boolean): readonly Gone[] {
    const { parent } = this.#runs.get(path) as Kin;
    this.#runs.delete(path);
    this.#follows.delete(path);
    return [{ path, parent, isSettled }];
  }
}

function newKin(parent: Path, id: string): Kin {
  return { parent, id, isActive: true, isOwed: true, issued: new Map() };
}
