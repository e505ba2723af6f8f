/**
 * `explore`: searches all runs of a reasoner within a bound, breadth first, so that a counterexample is
 * the shortest there is. Equal states are visited once; settlements that commute are tried in one order.
 * The events that are tried in a state, and their order, are in `alphabet.ts`.
 */

import { printStateValue, type Reasoner } from "../../core/kernel/machine/index.js";
import { asJson, firstDifference } from "../../core/kernel/values/index.js";
import { type Alphabet, Possibilities, type Possible } from "./alphabet.js";
import { asChecked, type Checking, inputOf, lawsOf } from "./check.js";
import { checkSettings } from "./check-options.js";
import { plainestOf } from "./choose.js";
import { Commuting } from "./commuting.js";
import { type Counterexample, counterexample } from "./counterexample.js";
import { nondeterminismOf } from "./determinism.js";
import { type ExploreReport, exploreReport } from "./explore-report.js";
import { CAN_END, ORDER_IS_NOTHING, SAME_AGAIN } from "./law-names.js";
import { type Breach, Monitor } from "./monitor.js";
import { type Beyond, scheduleRuns } from "./priority-schedules.js";
import { Reach } from "./reach.js";
import { isOver, mayWaitIn, standstill, usersLeadOn } from "./standstill.js";
import { type Node, trapsIn, wayTo } from "./state-graph.js";
import { stateKey } from "./state-key.js";
import { UPGRADE } from "./upgradable.js";
import { firstStep, type HistoryStep, nextStep } from "./world.js";

/** Steps of a search that are taken again, at most. */
const MOST_AGAIN = 2_000;
/** Up to so many states no depth that was not asked for ends a search. */
const FEW_STATES = 2_000;

/** Options of {@link explore}. */
export interface ExploreOptions<Input, Context> extends Checking<Input, Context> {
  /** The events that are tried beside settlements. */
  readonly alphabet?: Alphabet | undefined;
  /** Events in a run, at most. Default 12, and more as long as there are few states. */
  readonly depth?: number | undefined;
  /** States, at most. Default 100 000. */
  readonly states?: number | undefined;
  /** Default 60. */
  readonly seconds?: number | undefined;
  /**
   * Settlements that commute are tried in one order only. Default true; false tries every order.
   */
  readonly reduce?: boolean | undefined;
  /** Adds the law that the order of settlements does not matter (P4). Default false. */
  readonly confluent?: boolean | undefined;
  /** Counterexamples to find, at most one per law. Default 5. */
  readonly failures?: number | undefined;
  /** Random priority schedules beyond the bound (PCT). Default: none. */
  readonly beyond?: Beyond | undefined;
  /** Told now and then how far it is. */
  readonly progress?:
    | ((done: { readonly states: number; readonly depth: number; readonly broken: number }) => void)
    | undefined;
}

/** Searches all runs of a reasoner within a bound. */
export function explore<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  options: ExploreOptions<NoInfer<Input>, NoInfer<Context>>,
): ExploreReport<Context> {
  checkSettings(reasoner, options);
  return new Search(asChecked(reasoner, options), options).run();
}

class Search<Input, Output, Context> {
  readonly #reasoner: Reasoner<Input, Output, Context>;
  readonly #options: ExploreOptions<Input, Context>;
  readonly #input: Input;
  readonly #possible: Possibilities<Context>;
  readonly #monitor: Monitor<Context>;
  readonly #reach: Reach<Input, Context>;
  readonly #nodes: Node<Context>[] = [];
  readonly #byKey = new Map<string, Node<Context>>();
  readonly #found = new Map<string, Counterexample<Context>>();
  readonly #commuting = new Commuting();
  /** The steps that sleep because pairs of a kind commute. */
  readonly #asleep = new Map<string, { node: Node<Context>; possible: Possible }[]>();
  /** The kinds of which there was more than the alphabet lets in. */
  readonly #cut = new Set<string>();
  #bounded: "depth" | "states" | "seconds" | undefined;
  /** Behind a law that is broken nothing was looked at. */
  #halted = false;
  #steps = 0;
  #saved = 0;
  #deepest = 0;

  constructor(reasoner: Reasoner<Input, Output, Context>, options: ExploreOptions<Input, Context>) {
    const { alphabet = {}, values = [{}] } = options;
    this.#reasoner = reasoner;
    this.#options = options;
    this.#input = inputOf(options.input, plainestOf(values));
    this.#possible = new Possibilities(reasoner, options, alphabet, values);
    this.#monitor = new Monitor(lawsOf(options));
    this.#reach = new Reach(reasoner);
  }

  run(): ExploreReport<Context> {
    const { states = 100_000, seconds = 60, failures = 5, progress } = this.#options;
    const begun = performance.now();
    const late = () => performance.now() - begun > seconds * 1_000;
    this.#arrive(firstStep(this.#reasoner, this.#input), undefined, this.#monitor.begin, []);
    for (let i = 0; i < this.#nodes.length && this.#found.size < failures; i++) {
      const node = this.#nodes[i] as Node<Context>;
      if (i % 256 === 0) {
        progress?.({ states: this.#nodes.length, depth: node.depth, broken: this.#found.size });
        if (late()) this.#bounded = "seconds";
      }
      if (this.#bounded === "seconds" || this.#bounded === "states") break;
      if (node.expanded) continue;
      const isFew = this.#options.depth === undefined && this.#nodes.length < FEW_STATES;
      if (node.depth >= (this.#options.depth ?? 12) && !isFew) {
        this.#bounded = "depth";
        continue;
      }
      this.#expand(node);
      if (this.#nodes.length >= states) this.#bounded = "states";
    }
    this.#traps();
    this.#again();
    const { beyond } = this.#options;
    const scheduled =
      this.#bounded === undefined || beyond === undefined
        ? undefined
        : scheduleRuns(this.#reasoner, this.#options, this.#possible, beyond, {
            monitor: this.#monitor,
            reach: this.#reach,
            found: this.#found,
          });
    const took = (performance.now() - begun) / 1_000;
    return exploreReport({
      states: this.#nodes.length,
      steps: this.#steps,
      saved: this.#saved,
      commuting: this.#commuting.kinds,
      depth: this.#deepest,
      seconds: took,
      bounded: this.#bounded ?? (this.#cut.size === 0 ? undefined : "alphabet"),
      cut: [...this.#cut],
      untried: this.#possible.untried,
      halted:
        this.#halted ||
        this.#nodes.some(({ expanded, state }) => !expanded && state.status === "active"),
      laws: this.#monitor.counts,
      reached: this.#reach.reached,
      counterexamples: [...this.#found.values()],
      scheduled,
    });
  }

  /** Takes everything that may happen in a state. */
  #expand(node: Node<Context>): void {
    node.expanded = true;
    const { state } = node;
    if (state.status !== "active") return;
    const { possible, cut } = this.#possible.in(state);
    for (const what of cut) this.#cut.add(what);
    if (cut.length > 0) node.open = true;
    const place = placeOf(node);
    this.#tryPairs(node, place, possible);
    const before: Possible[] = [...node.asleep.values()];
    for (const each of possible) {
      if (node.asleep.has(each.name)) this.#saved += 1;
      else this.#take(node, place, each, before);
      before.push(each);
    }
  }

  /** Takes one event. @param before what was taken or sleeps here already */
  #take(node: Node<Context>, place: string, possible: Possible, before: readonly Possible[]): void {
    const taken = nextStep(this.#reasoner, node.state, possible.event);
    const asleep = this.#sleepers(place, possible, before);
    const next = this.#arrive(taken, node, node.memories, asleep);
    const byItself = possible.event.type !== "cancel" && possible.event.type !== UPGRADE;
    if (byItself) node.next.add(next);
  }

  /**
   * Returns the events that need not be taken after an event: answers that commute with it and have had
   * their turn.
   */
  #sleepers(place: string, taken: Possible, before: readonly Possible[]): Sleeper[] {
    if (!this.#reduces || taken.effect === undefined) return [];
    return before.flatMap((possible) => {
      const kind = this.#commuting.kindOf(place, possible, taken);
      return kind !== undefined && this.#commuting.commutes(kind) ? [{ possible, kind }] : [];
    });
  }

  /** In a tree every order is tried: what commutes hangs on where each of its runs is. */
  get #reduces(): boolean {
    const { reduce = true, tree = false } = this.#options;
    return reduce && !tree;
  }

  /** A state was reached: a new one, or one that is known. */
  #arrive(
    taken: HistoryStep<Context>,
    from: Node<Context> | undefined,
    memories: Node<Context>["memories"],
    sleepers: readonly Sleeper[],
  ): Node<Context> {
    this.#steps += 1;
    this.#reach.take(taken, this.#input);
    const looked = this.#monitor.next(memories, taken);
    const { state } = taken.step;
    const broken = looked.breaches.length > 0;
    if (broken && state.status === "active") this.#halted = true;
    const key = `${broken ? "broken " : ""}${stateKey(state, looked.memories)}`;
    const cached = this.#byKey.get(key);
    // A step that changes nothing leads nowhere: sleepers there may go on sleeping.
    if (cached !== undefined && cached === from) return cached;
    if (cached !== undefined) {
      const still = new Set(sleepers.map(({ possible }) => possible.name));
      for (const [name, possible] of [...cached.asleep]) {
        if (!still.has(name)) this.#wake(cached, possible);
      }
      for (const breach of looked.breaches) this.#report(cached, breach);
      return cached;
    }
    const node: Node<Context> = {
      number: this.#nodes.length,
      state,
      memories: looked.memories,
      depth: from === undefined ? 0 : from.depth + 1,
      from,
      taken,
      next: new Set(),
      asleep: new Map(),
      open: false,
      expanded: broken,
      end: state.status !== "active" || broken,
    };
    this.#nodes.push(node);
    this.#deepest = Math.max(this.#deepest, node.depth);
    this.#byKey.set(key, node);
    for (const { possible, kind } of sleepers) {
      node.asleep.set(possible.name, possible);
      const sleeping = this.#asleep.get(kind) ?? [];
      sleeping.push({ node, possible });
      this.#asleep.set(kind, sleeping);
    }
    for (const breach of [...looked.breaches, ...this.#breachesAtEnd(node)])
      this.#report(node, breach);
    return node;
  }

  #wake(node: Node<Context>, possible: Possible): void {
    if (!node.asleep.delete(possible.name) || !node.expanded) return;
    this.#saved -= 1;
    this.#take(node, placeOf(node), possible, []);
  }

  /** Returns the breaches where the run is over. */
  #breachesAtEnd(node: Node<Context>): Breach[] {
    const { state, memories } = node;
    if (!isOver(state)) return [];
    const breaches = this.#monitor.end(memories, state);
    const still = standstill(this.#reasoner, state, this.#options);
    if (still !== undefined || mayWaitIn(state, this.#options)) node.end = true;
    return still === undefined ? breaches : [...breaches, still];
  }

  /** Answers to two questions, in both orders: do they come to the same? */
  #tryPairs(node: Node<Context>, place: string, possible: readonly Possible[]): void {
    const { confluent = false } = this.#options;
    if (!this.#reduces && !confluent) return;
    const answers = possible.filter(({ effect }) => effect !== undefined);
    for (const [i, one] of answers.entries()) {
      for (const other of answers.slice(i + 1)) {
        const kind = this.#commuting.kindOf(place, one, other);
        if (kind === undefined || !(this.#commuting.asks(kind) || confluent)) continue;
        const left = this.#inOrder(node, one, other);
        const right = this.#inOrder(node, other, one);
        const both = left.sound && right.sound;
        if (both && left.key === right.key) continue;
        if (confluent && both) this.#orderMatters(node, left, right);
        if (this.#commuting.differs(kind)) {
          const sleeping = this.#asleep.get(kind) ?? [];
          this.#asleep.delete(kind);
          for (const each of sleeping) this.#wake(each.node, each.possible);
        }
      }
    }
  }

  #inOrder(node: Node<Context>, one: Possible, other: Possible): Pair<Context> {
    const first = nextStep(this.#reasoner, node.state, one.event);
    // Time goes on: a timer may have moved it.
    const at = Math.max(first.step.state.at, other.event.at);
    const second = nextStep(this.#reasoner, first.step.state, { ...other.event, at } as never);
    const steps = [first, second];
    const monitor = new Monitor(lawsOf(this.#options));
    let { memories } = node;
    let sound = isTaken(second);
    for (const taken of steps) {
      const looked = monitor.next(memories, taken);
      memories = looked.memories;
      // The search goes no further from a broken law.
      if (looked.breaches.length > 0) sound = false;
    }
    return { steps, sound, key: stateKey(second.step.state, memories) };
  }

  #orderMatters(node: Node<Context>, left: Pair<Context>, right: Pair<Context>): void {
    const [a, b] = [left, right].map(({ steps }) => {
      const { value, context, status } = (steps[1] as HistoryStep<Context>).step.state;
      return asJson({ status, value, context });
    });
    const found = firstDifference(a, b);
    if (found === undefined) return;
    const text = `the other order of the last two gives ${JSON.stringify(found.right)} at ${found.path}, not ${JSON.stringify(found.left)}`;
    this.#add(ORDER_IS_NOTHING, text, [...wayTo(node), ...left.steps]);
  }

  #traps(): void {
    if (this.#without(CAN_END)) return;
    let traps = trapsIn(this.#nodes);
    // Left-out answers may lead anywhere: now it matters.
    for (let more = true; more; ) {
      more = false;
      for (const node of traps) {
        for (const possible of [...node.asleep.values()]) {
          more = true;
          this.#wake(node, possible);
        }
      }
      if (more) traps = trapsIn(this.#nodes);
    }
    // Users may do what the alphabet leaves out, and where that leads nobody has looked.
    const { untried } = this.#possible;
    const free = traps.filter(({ state }) => usersLeadOn(this.#reasoner, state, untried));
    for (const node of free) node.open = true;
    if (free.length > 0) traps = trapsIn(this.#nodes);
    const [trap] = traps;
    if (trap === undefined) return;
    const what = `from ${JSON.stringify(trap.state.value)} the run goes on for ever: only a cancel ends it`;
    this.#add(CAN_END, what, wayTo(trap));
  }

  /** Takes steps again, some of many. */
  #again(): void {
    if (this.#without(SAME_AGAIN)) return;
    const every = Math.max(1, Math.ceil(this.#nodes.length / MOST_AGAIN));
    for (let i = 0; i < this.#nodes.length; i += every) {
      const node = this.#nodes[i] as Node<Context>;
      const breach = nondeterminismOf(this.#reasoner, this.#input, node.taken);
      if (breach === undefined) continue;
      this.#report(node, breach);
      return;
    }
  }

  #report(node: Node<Context>, { law, what }: Breach): void {
    this.#add(law, what, wayTo(node));
  }

  #add(law: string, what: string, steps: readonly HistoryStep<Context>[]): void {
    if (this.#found.has(law)) return;
    const found = `the shortest of all runs`;
    this.#found.set(
      law,
      counterexample(this.#reasoner, this.#input, steps, { law, what }, found, this.#options),
    );
  }

  #without(law: string): boolean {
    return this.#options.without?.includes(law) === true;
  }
}

/** Returns true when an answer was still expected. */
const isTaken = ({ step }: HistoryStep<unknown>): boolean =>
  step.ignored?.reason !== "stale" && step.ignored?.reason !== "refused";

const placeOf = ({ state }: Node<unknown>): string => printStateValue(state.value);

interface Sleeper {
  readonly possible: Possible;
  readonly kind: string;
}

interface Pair<Context> {
  readonly steps: readonly HistoryStep<Context>[];
  /** Both were taken, and no law is broken. */
  readonly sound: boolean;
  readonly key: string;
}
