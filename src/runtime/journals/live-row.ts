/**
 * Keeps the row of a live run (its entry in lists of runs) up to date: the row as its journal left it, and its
 * driver's steps since. `row-from-journal.ts` makes the same row of the lines alone.
 */
import { type Driver, ROOT, type Shown, type TreeRun } from "../../core/driver/for-live-runs.js";
import { type Asked, idFromRoot } from "../../core/journal/for-live-runs.js";
import { owedBy, type RunState } from "../../core/kernel/machine/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import type { Directive, Usage } from "../../core/kernel/vocabulary/index.js";
import {
  type OpenDirective,
  type RowFacts,
  type RowStart,
  type RunRow,
  rowOf,
  tagsIn,
  titleIn,
} from "../ports/run-row.js";

/** The parts of a driver that a row is made of. */
export type RowDriver = Pick<Driver<never, unknown, never>, "runs" | "usage" | "downs" | "says">;

/** See the banner. */
export class LiveRow {
  readonly #start: RowStart;
  /** When each approval was asked for, by the id by which the root knows it. */
  readonly #since = new Map<string, number>();
  #last: RowFacts["last"];
  #title: RowFacts["title"];
  #tags: RowFacts["tags"];

  /** @param before its row at the end of its journal, or what it begins with */
  constructor(before: RowStart | RunRow) {
    this.#start = startIn(before);
    this.#last = { seq: -1, at: before.startedAt };
    if (!("events" in before)) return;
    const { approvals, events, lastAt } = before;
    this.#last = { seq: events - 1, at: lastAt };
    for (const { id, since } of approvals) if (since !== undefined) this.#since.set(id, since);
  }

  /** Takes in the steps of a take. */
  take(shown: readonly Shown[]): void {
    for (const each of shown) {
      if (each.type !== "step") continue;
      const { run, seq, event, step } = each;
      this.#last = { seq, at: event.at };
      for (const directive of step.directives as readonly Directive[]) {
        if (directive.type === "approval") {
          this.#since.set(idFromRoot(run, directive.id), event.at);
        }
      }
      if (run !== ROOT) continue;
      if (step.ignored === undefined) this.#title ??= titleIn(event);
      this.#tags = tagsIn(event) ?? this.#tags;
    }
  }

  /** Returns the row as it is behind the last step. */
  of({ runs, usage, downs, says }: RowDriver): RunRow {
    const [root] = runs as readonly [TreeRun];
    const { status } = root.state;
    return rowOf(this.#start, {
      says,
      title: this.#title,
      tags: this.#tags,
      ended: status === "active" ? undefined : status,
      last: this.#last,
      open: runs.flatMap(({ path, state }) => this.#openIn(path, state)),
      downs,
      usage: withoutMoney(usage),
    });
  }

  #openIn(path: string, state: RunState): readonly OpenDirective[] {
    return [...owedBy(state)].map((effect) => {
      const id = idFromRoot(path, effect.id);
      if (effect.type === "timer") {
        const { type, until, deadline } = effect;
        return { id, type, until, ...(deadline === true ? { deadline } : {}) };
      }
      if (effect.type !== "approval") return { id, type: effect.type };
      const since = this.#since.get(id);
      const { subject, of, ask } = effect;
      const asked = shapes.defined({ subject, since, of, ask }) as Asked;
      return { id, type: effect.type, name: effect.title, asked };
    });
  }
}

/** Returns the part of a row that stays; the tags are those of its end. */
function startIn(row: RowStart): RowStart {
  const { runId, reasoner, version, title, tenant, person, tags, link, startedAt } = row;
  const start = { runId, reasoner, version, title, tenant, person, tags, link, startedAt };
  return shapes.defined(start);
}

/** Lines have usage and no prices: where a journal alone is read nobody knows its cost, and both rows are one. */
function withoutMoney(usage: Usage): Usage {
  const { cost: _cost, ...tokens } = usage as Usage & { readonly cost?: number };
  return tokens;
}
