/**
 * Compiles and keeps, for each set of active states (a configuration) that runs have reached, the
 * transitions that an event may take there and the moves they make. `compile.ts` makes one such store per
 * machine.
 */
import type { AnyStateNode } from "xstate";
import { isLeaf, type Transition, upwards } from "../nodes.js";
import type { History } from "../path.js";
import { isPossible, restoredOrder, valueOfStates } from "../state-value.js";
import type { MachineParts, TransitionParts } from "./compile-parts.js";
import { type Active, isDone, type LaidOut, layOut } from "./lay-out.js";
import type { Candidate, Choice, Configuration, Move, Test } from "./table-types.js";

/** The number of configurations of a machine that are kept; further ones are made anew at each step. */
const MAX_CONFIGURATIONS = 1_000;

/** The number of event types that are kept for each of them, so that unknown names cannot fill the memory. */
const MAX_TYPES = 256;

/** All configurations of a machine that were reached so far. */
export class Configurations {
  readonly root: AnyStateNode;
  readonly parts: MachineParts;
  readonly #byKey = new Map<string, Configuration>();

  constructor(root: AnyStateNode, parts: MachineParts) {
    this.root = root;
    this.parts = parts;
  }

  of(active: Active): Configuration {
    const { nodes, history } = active;
    const key = JSON.stringify([nodes.map(({ order }) => order), history.remembered]);
    const found = this.#byKey.get(key);
    if (found !== undefined) return found;
    const made = new CompiledConfiguration(active, this);
    if (this.#byKey.size < MAX_CONFIGURATIONS) this.#byKey.set(key, made);
    return made;
  }

  /** The move to what was laid out. */
  moveTo({ actions, moves, ...active }: LaidOut): Move {
    const to = isPossible(this.root, new Set(active.nodes)) ? this.of(active) : undefined;
    return { actions, moves, to };
  }
}

class CompiledConfiguration implements Configuration {
  readonly value: unknown;
  readonly history: History | undefined;
  readonly tags: ReadonlySet<string>;
  readonly done: boolean;
  readonly active: Active;
  readonly #all: Configurations;
  readonly #set: ReadonlySet<AnyStateNode>;
  readonly #candidates = new Map<Transition, CompiledCandidate>();
  readonly #byType = new Map<string, Choice>();
  readonly #together = new Map<string, Move>();
  #always: Choice | undefined;
  #restored: Configuration | undefined;

  constructor(active: Active, all: Configurations) {
    const { nodes, history } = active;
    this.active = active;
    this.#all = all;
    this.#set = new Set(nodes);
    this.value = valueOfStates(all.root, this.#set);
    this.history = history.remembered;
    this.tags = new Set(nodes.flatMap(({ tags }) => tags));
    this.done = isDone(all.root, this.#set);
  }

  has(node: AnyStateNode): boolean {
    return this.#set.has(node);
  }

  on(type: string): Choice {
    return this.#byType.get(type) ?? this.#choiceOn(type);
  }

  get always(): Choice {
    this.#always ??= this.#eventless();
    return this.#always;
  }

  get restored(): Configuration {
    this.#restored ??= this.#all.of({
      nodes: restoredOrder(this.#all.root, this.#set),
      history: this.active.history,
    });
    return this.#restored;
  }

  together(taken: readonly Candidate[]): Move {
    const transitions = (taken as readonly CompiledCandidate[]).map(({ parts }) => parts);
    const key = transitions.map(({ number }) => number).join();
    const cached = this.#together.get(key);
    if (cached !== undefined) return cached;
    const move = this.moveBy(transitions);
    this.#together.set(key, move);
    return move;
  }

  /** The move of transitions that are taken. */
  moveBy(transitions: readonly TransitionParts[]): Move {
    const taken = transitions.map(({ transition }) => transition);
    return this.#all.moveTo(layOut(taken, this.active, this.#all.parts));
  }

  #choiceOn(type: string): Choice {
    const choice = this.#within(this.#all.root, type);
    if (this.#byType.size < MAX_TYPES) this.#byType.set(type, choice);
    return choice;
  }

  /** The choice of a state and of all that is active in it; the innermost comes first. */
  #within(node: AnyStateNode, type: string): Choice {
    const own = candidatesOf(node, type).map((each) => this.#candidate(each));
    // In the order in which they were entered, as XState has them.
    const inside = this.active.nodes.filter(({ parent }) => parent === node);
    const choices = inside.map((each) => this.#within(each, type));
    const [only] = choices;
    if (only === undefined || node.type === "parallel")
      return { regions: choices, candidates: own };
    return { regions: only.regions, candidates: [...only.candidates, ...own] };
  }

  /** A choice for each leaf: what it and the states around it take without an event. */
  #eventless(): Choice {
    const regions = this.active.nodes
      .filter(isLeaf)
      .map((leaf) => upwards(leaf).flatMap((node) => node.always ?? []))
      .map((all) => ({ regions: [], candidates: all.map((each) => this.#candidate(each)) }));
    const [only] = regions;
    return only !== undefined && regions.length === 1 ? only : { regions, candidates: [] };
  }

  #candidate(transition: Transition): CompiledCandidate {
    let candidate = this.#candidates.get(transition);
    if (candidate === undefined) {
      candidate = new CompiledCandidate(this.#all.parts.ofTransition(transition), this);
      this.#candidates.set(transition, candidate);
    }
    return candidate;
  }
}

/** A transition that may be taken in a configuration; it is laid out when it first is. */
class CompiledCandidate implements Candidate {
  readonly test: Test | undefined;
  readonly parts: TransitionParts;
  readonly #from: CompiledConfiguration;
  #move: Move | undefined;

  constructor(parts: TransitionParts, from: CompiledConfiguration) {
    this.test = parts.test;
    this.parts = parts;
    this.#from = from;
  }

  get move(): Move {
    this.#move ??= this.#from.moveBy([this.parts]);
    return this.#move;
  }
}

/** A state's own transitions for an event type: the exact ones, then wildcards, the longest first. */
function candidatesOf(node: AnyStateNode, type: string): readonly Transition[] {
  const wild = [...node.transitions.keys()]
    .filter((each) => each !== type && matches(type, each))
    .sort((a, b) => b.length - a.length);
  return [type, ...wild].flatMap((each) => node.transitions.get(each) ?? []);
}

/** Returns true if a wildcard (`*`, `tool.*`) stands for an event type. */
function matches(type: string, descriptor: string): boolean {
  if (descriptor === "*") return true;
  if (!descriptor.endsWith(".*")) return false;
  const wanted = descriptor.split(".");
  const tokens = type.split(".");
  for (const [i, token] of wanted.entries()) {
    if (token === "*") return i === wanted.length - 1;
    if (token !== tokens[i]) return false;
  }
  return true;
}
