/** What runs reached: states, transitions and guards of the chart, and directives by type, with counts. */
import { ChartTrace, type Reasoner } from "../../core/kernel/index.js";
import { UPGRADE } from "./upgradable.js";
import { type Moment, worldOrigin } from "./world.js";

/** How often something was reached. */
export interface Count {
  readonly name: string;
  readonly count: number;
}

/** What runs reached; what they could have and did not has the count 0. */
export interface Reached {
  readonly states: readonly Count[];
  readonly transitions: readonly Count[];
  /** What guards came to: each has two entries. */
  readonly guards: readonly Count[];
  /** Directives that were issued, by type, and by tool: `tool refund`. */
  readonly directives: readonly Count[];
}

/** Counts what moments reach. */
export class Reach<Input, Context> {
  readonly #version: number;
  readonly #trace: ChartTrace;
  readonly #counts: number[];
  readonly #directives = new Map<string, number>();

  constructor(reasoner: Pick<Reasoner, "machine" | "tools" | "version">) {
    this.#version = reasoner.version;
    this.#trace = new ChartTrace(reasoner.machine);
    this.#counts = this.#trace.parts.map(() => 0);
    for (const name of Object.keys(reasoner.tools)) this.#directives.set(`tool ${name}`, 0);
  }

  take(moment: Moment<Context>, input: Input): void {
    const { before, event, step } = moment;
    const parts =
      before === undefined
        ? this.#trace.start(input, worldOrigin)
        : this.#isOfLaterCode(moment)
          ? []
          : this.#trace.step(before, event);
    for (const part of parts) this.#counts[part] = (this.#counts[part] as number) + 1;
    for (const directive of step.directives) {
      const name = directive.type === "tool" ? `tool ${directive.name}` : directive.type;
      this.#directives.set(name, (this.#directives.get(name) ?? 0) + 1);
    }
  }

  /** What an upgrade and what comes behind it reach is not of this chart. */
  #isOfLaterCode({ before, event }: Moment<Context>): boolean {
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
    };
  }
}

/** What was never reached, by name, as sentences. */
export function neverReached({ states, transitions, guards }: Reached): readonly string[] {
  const missing = (what: string, counts: readonly Count[]) =>
    counts.filter(({ count }) => count === 0).map(({ name }) => `${what} ${name}`);
  const untaken = new Set(transitions.filter(({ count }) => count === 0).map(({ name }) => name));
  // A transition that was never taken says it already.
  const told = guards.filter(
    ({ name }) => !untaken.has(name.replace(/: (?:holds|does not hold)$/, "")),
  );
  return [
    ...missing("state", states),
    ...missing("transition", transitions),
    ...missing("guard", told),
  ];
}
