/**
 * The row of a run that is live: what it was when its journal was opened, and what its driver says since.
 * A fold of the lines gives the same row.
 */
import { type Driver, ROOT, type Shown } from "../../core/driver/live.js";
import { idFromRoot } from "../../core/journal/live.js";
import {
  canonical,
  type Directive,
  isJsonObject,
  type Json,
  owedBy,
  PUBLIC_DEPS,
  type RunState,
  type StateValue,
  TURN_FAILED,
  type Usage,
} from "../../core/kernel/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import {
  type OpenDirective,
  type RowFacts,
  type RowStart,
  type RunRow,
  rowOf,
  tagsIn,
} from "./run-row.js";

/** The parts of a driver that a row is made of. */
export type RowDriver = Pick<Driver<never, unknown, never>, "runs" | "usage" | "downs">;

/** See the banner. */
export class LiveRow {
  readonly #start: RowStart;
  /** When each approval was asked for, by the id by which the root knows it. */
  readonly #since = new Map<string, number>();
  #last: RowFacts["last"];
  #tags: RowFacts["tags"];
  #deps: Json | undefined;
  #failure: Json | undefined;
  /** The canonical text of the root's state. */
  #value: string | undefined;

  /**
   * @param before its row at the end of its journal, or what it begins with
   * @param value of the root's state there
   */
  constructor(before: RowStart | RunRow, value?: StateValue) {
    this.#value = value === undefined ? undefined : canonical(value as Json);
    this.#start = before;
    this.#last = { seq: -1, at: before.startedAt };
    if (!("events" in before)) return;
    const { approvals, events, lastAt, deps, failure } = before;
    this.#start = startIn(before);
    this.#last = { seq: events - 1, at: lastAt };
    this.#deps = deps;
    this.#failure = failure as unknown as Json;
    for (const { id, since } of approvals) if (since !== undefined) this.#since.set(id, since);
  }

  /** Takes in the steps of a take. */
  take(shown: readonly Shown[]): void {
    for (const each of shown) if (each.type === "step") this.#step(each);
  }

  #step({ run, seq, event, step }: Extract<Shown, { type: "step" }>): void {
    this.#last = { seq, at: event.at };
    const directives: readonly Directive[] = step.directives;
    for (const directive of directives) {
      if (directive.type !== "approval") continue;
      this.#since.set(idFromRoot(run, directive.id), event.at);
    }
    if (run !== ROOT) return;
    this.#tags = tagsIn(event) ?? this.#tags;
    const { value, context } = step.state;
    // A failure is of the state in which the run rests since.
    const text = canonical(value as Json);
    if (this.#value !== text || isGone(context)) this.#failure = undefined;
    this.#value = text;
    for (const directive of directives) {
      if (directive.type !== "notify") continue;
      if (directive.topic === PUBLIC_DEPS) this.#deps = directive.data;
      if (directive.topic === TURN_FAILED) this.#failure = directive.data;
    }
  }

  /** Returns the row as it is behind the last step. */
  of({ runs, usage, downs }: RowDriver): RunRow {
    const root = runs[0]?.state as RunState;
    return rowOf(this.#start, {
      tags: this.#tags,
      ended: root.status === "active" ? undefined : root.status,
      last: this.#last,
      open: runs.flatMap(({ path, state }) => this.#openIn(path, state as RunState)),
      downs,
      deps: this.#deps,
      failure: this.#failure,
      usage: withoutMoney(usage),
    });
  }

  #openIn(path: string, state: RunState): readonly OpenDirective[] {
    return [...owedBy(state)].map((effect) => {
      const id = idFromRoot(path, effect.id);
      if (effect.type !== "approval") return { id, type: effect.type };
      const since = this.#since.get(id);
      const asked = { subject: effect.subject, ...(since === undefined ? {} : { since }) };
      return { id, type: effect.type, name: effect.title, asked };
    });
  }
}

/** Returns true if a context has no failure any more. */
function isGone(context: unknown): boolean {
  return (context as { readonly failure?: unknown } | null | undefined)?.failure === null;
}

/** Returns the part of a row that stays; the tags are those of its end. */
function startIn({
  runId,
  reasoner,
  version,
  title,
  tenant,
  person,
  tags,
  link,
  startedAt,
}: RunRow): RowStart {
  return shapes.given({
    runId,
    reasoner,
    version,
    title,
    tenant,
    person,
    tags,
    link,
    startedAt,
  }) as RowStart;
}

function withoutMoney(usage: Usage): Usage {
  if (!isJsonObject(usage as unknown as Json) || !("cost" in usage)) return usage;
  const { cost: _cost, ...tokens } = usage as Usage & { readonly cost: number };
  return tokens as Usage;
}
