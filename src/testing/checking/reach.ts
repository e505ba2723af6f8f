/** The coverage of runs: states, transitions and guards of the chart, and directives by type. */
import { ChartTrace, type Reasoner } from "../../core/kernel/machine/index.js";
import { groupBy } from "../../core/kernel/values/index.js";
import type { TreeStep } from "./tree.js";
import { UPGRADE } from "./upgradable.js";
import { type HistoryStep, worldOrigin } from "./world.js";

/** The number of times that something was reached. */
export interface Count {
  readonly name: string;
  readonly count: number;
}

/** The parts that runs reached; the others have the count 0. */
export interface Reached {
  readonly states: readonly Count[];
  readonly transitions: readonly Count[];
  /** The results of guards: each has two entries. */
  readonly guards: readonly Count[];
  /** Directives that were issued, by type, and by tool: `tool refund`. */
  readonly directives: readonly Count[];
  /** The chart is this package's own, an agent's or that of thoughts: only what is around it is the user's. */
  readonly builtIn: boolean;
}

/** Counts what steps reach. */
export class Reach<Input, Context> {
  readonly #version: number;
  readonly #builtIn: boolean;
  readonly #trace: ChartTrace;
  readonly #counts: number[];
  readonly #directives = new Map<string, number>();

  constructor(reasoner: Pick<Reasoner, "configuration" | "machine" | "tools" | "version">) {
    this.#version = reasoner.version;
    const { id } = reasoner.machine;
    this.#builtIn =
      (id === "agent" && "spec" in reasoner) ||
      (id === "thoughts" && "policy" in reasoner.configuration);
    this.#trace = new ChartTrace(reasoner.machine);
    this.#counts = this.#trace.parts.map(() => 0);
    // Effects of other tools are part of a step, and no directive.
    for (const [name, { execute }] of Object.entries(reasoner.tools)) {
      if (execute !== undefined) this.#directives.set(`tool ${name}`, 0);
    }
  }

  take(taken: HistoryStep<Context>, input: Input): void {
    const { step } = taken;
    if ("runs" in step) {
      // The chart is the root's.
      for (const own of (step as TreeStep<Context>).runs)
        if (own.run === "") this.#take(own, input);
    } else this.#take(taken, input);
    for (const directive of step.directives) {
      const name = directive.type === "tool" ? `tool ${directive.name}` : directive.type;
      this.#directives.set(name, (this.#directives.get(name) ?? 0) + 1);
    }
  }

  #take(taken: HistoryStep<Context>, input: Input): void {
    const { before, event } = taken;
    const parts =
      before === undefined
        ? this.#trace.start(input, worldOrigin)
        : this.#isOfLaterCode(taken)
          ? []
          : this.#trace.step(before, event);
    for (const part of parts) this.#counts[part] = (this.#counts[part] as number) + 1;
  }

  /** Parts that an upgrade and its later steps reach are not of this chart. */
  #isOfLaterCode({ before, event }: HistoryStep<Context>): boolean {
    return before?.version !== this.#version || (event as { type: string }).type === UPGRADE;
  }

  get reached(): Reached {
    const of = (wanted: string): Count[] =>
      this.#trace.parts.flatMap(({ kind, name }, i) =>
        kind === wanted ? [{ name, count: this.#counts[i] as number }] : [],
      );
    return {
      states: of("state"),
      transitions: of("transition"),
      guards: of("guard"),
      directives: [...this.#directives].map(([name, count]) => ({ name, count })),
      builtIn: this.#builtIn,
    };
  }
}

/** Names the parts that were never reached, as sentences. */
export function neverReached({
  states,
  transitions,
  guards,
  directives,
}: Omit<Reached, "builtIn">): readonly string[] {
  const missing = (what: string, counts: readonly Count[]) =>
    counts.filter(({ count }) => count === 0).map(({ name }) => `${what} ${name}`);
  const untaken = new Set(transitions.filter(({ count }) => count === 0).map(({ name }) => name));
  // A transition that was never taken says it already.
  const ownGuards = guards.filter(
    ({ name }) => !untaken.has(name.replace(/: (?:holds|does not hold)$/, "")),
  );
  return [
    // Of directives only tools are known before they are issued.
    ...directives.flatMap(({ name, count }) => (count === 0 ? [name] : [])),
    ...missing("state", states),
    ...missing("transition", transitions),
    ...missing("guard", ownGuards),
  ];
}

/**
 * The same in short: what leaves a state that was never reached says nothing new, and of a chart that is
 * not the user's its states are enough.
 * @param lead what is said of it: `never reached`
 */
export function unreachedLines(lead: string, reached: Reached): readonly string[] {
  const all = neverReached(reached);
  const [tools, states] = [reached.directives, reached.states].map((counts) =>
    counts.flatMap(({ name, count }) => (count === 0 ? [name] : [])),
  ) as [string[], string[]];
  const named = [...tools, ...(states.length === 0 ? [] : [`states ${states.join(", ")}`])];
  const others = all.slice(tools.length + states.length);
  const lines = reached.builtIn ? [] : others.filter((each) => !states.includes(stateOf(each)));
  const left = others.length - lines.length;
  const why = reached.builtIn ? "in a chart that is not yours" : "of states that were not reached";
  const inStates = groupBy(lines, stateOf);
  return [
    ...named.map((each) => `${lead}: ${each}`),
    ...[...inStates].flatMap(([state, parts]) => [
      `${lead} in ${state}, ${parts.length} of ${partsOf(reached, state)}:`,
      ...parts.map((part) => `  ${part.slice(part.indexOf(": ") + 2)}`),
    ]),
    ...(left === 0
      ? []
      : [
          `${lead}: ${left} more, transitions and guards' outcomes ${why}; unreached has all ${all.length}`,
        ]),
  ];
}

/** Of `transition paying: tool.failed -> paying` the state. */
const stateOf = (part: string) => part.slice(part.indexOf(" ") + 1, part.indexOf(": "));

/** Counts the transitions and guards' outcomes of a state. */
function partsOf({ transitions, guards }: Reached, state: string): number {
  return [...transitions, ...guards].filter(({ name }) => name.startsWith(`${state}: `)).length;
}
