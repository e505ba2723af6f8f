/**
 * `Trace`: the events of any number of runs, indexed by id, in order, with parents and children.
 * Inconsistencies (duplicate ids, cyclic or missing causes) are kept and reported.
 */

import { groupBy, ReckonerError } from "../../../core/kernel/values/index.js";
import { checkArguments } from "../../../core/kernel/vocabulary/index.js";
import { ITERABLE } from "../argument-shapes.js";
import type { TraceEvent } from "../trace-event.js";
import { localId, runOfId } from "../trace-id.js";

/** The parts that do not fit together. */
export type TraceDefect =
  /** An id came more than once; the first is kept. */
  | { readonly kind: "duplicate"; readonly id: string; readonly count: number }
  /** Parents go round in a circle; the first of them is taken as a root. */
  | { readonly kind: "cycle"; readonly ids: readonly string[] }
  /** A cause is not among the events. */
  | { readonly kind: "missing"; readonly id: string; readonly cause: string };

/** A run that a trace knows of. */
export interface TracedRunInfo {
  readonly runId: string;
  /** Id of the reasoner. */
  readonly agentId: string;
  readonly session: string;
  /** Run id of the run that started it. */
  readonly parent?: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly events: number;
  readonly ended: boolean;
  /** The name of its journal. */
  readonly journal?: string;
}

/** Events that were put together. */
export class Trace {
  /** Each event once, by time; within a run in the order in which they began. */
  readonly events: readonly TraceEvent[];
  /** The runs that are known, also those in which nothing has happened yet. */
  readonly runs: readonly TracedRunInfo[];
  readonly defects: readonly TraceDefect[];
  readonly #byId = new Map<string, TraceEvent>();
  readonly #parents = new Map<string, TraceEvent>();
  #effects: ReadonlyMap<string, readonly { readonly event: TraceEvent }[]> | undefined;
  #local: ReadonlyMap<string, readonly TraceEvent[]> | undefined;

  /** @throws ReckonerError `option.invalid` where nothing can be gone through */
  constructor(events: Iterable<TraceEvent>, runs: readonly TracedRunInfo[] = []) {
    checkArguments("new Trace", { events }, { events: ITERABLE });
    this.runs = runs;
    const duplicates: TraceDefect[] = [];
    for (const [id, all] of groupBy(events, (event) => event.id)) {
      this.#byId.set(id, all[0] as TraceEvent);
      if (all.length > 1) duplicates.push({ kind: "duplicate", id, count: all.length });
    }
    this.events = eventsByTime([...this.#byId.values()]);
    const missing: TraceDefect[] = [];
    for (const event of this.events) {
      const { id, parentEvent } = event;
      for (const cause of causesOf(event)) {
        if (!this.#byId.has(cause)) missing.push({ kind: "missing", id, cause });
      }
      const parent = parentEvent === undefined ? undefined : this.#byId.get(parentEvent);
      if (parent !== undefined) this.#parents.set(id, parent);
    }
    this.defects = [...duplicates, ...this.#cut(), ...missing];
  }

  /** Makes the first event of each circle a root. */
  #cut(): readonly TraceDefect[] {
    const cycles: TraceDefect[] = [];
    const seen = new Set<string>();
    const places = new Map(this.events.map(({ id }, i) => [id, i] as const));
    const placeOf = (id: string) => places.get(id) as number;
    for (const start of this.events) {
      const way = new Set<string>();
      let at: TraceEvent | undefined = start;
      while (at !== undefined && !seen.has(at.id) && !way.has(at.id)) {
        way.add(at.id);
        at = this.#parents.get(at.id);
      }
      if (at !== undefined && way.has(at.id)) {
        const ids = [...way];
        const circle = ids.slice(ids.indexOf(at.id));
        const first = circle.reduce((a, b) => (placeOf(a) < placeOf(b) ? a : b));
        this.#parents.delete(first);
        cycles.push({ kind: "cycle", ids: circle });
      }
      for (const id of way) seen.add(id);
    }
    return cycles;
  }

  /** An event by its id. */
  get(id: string): TraceEvent | undefined {
    return this.#byId.get(id);
  }

  /** The event that an event came from; `undefined` for a root. */
  parentOf({ id }: { readonly id: string }): TraceEvent | undefined {
    return this.#parents.get(id);
  }

  /** The events that have an event among their causes. */
  effectsOf({ id }: { readonly id: string }): readonly TraceEvent[] {
    this.#effects ??= groupBy(
      this.events.flatMap((event) => [...causesOf(event)].map((cause) => ({ cause, event }))),
      ({ cause }) => cause,
    );
    return (this.#effects.get(id) ?? []).map(({ event }) => event);
  }

  /**
   * Resolves an event's name: its id, the part after the run id, or a unique prefix of either.
   * @throws ReckonerError `trace.missing`, `trace.ambiguous`
   */
  find(text: string): TraceEvent {
    const exact = this.#byId.get(text);
    if (exact !== undefined) return exact;
    this.#local ??= groupBy(this.events, ({ id }) => localId(id));
    const named = this.#local.get(text) ?? [];
    const begun = (): readonly TraceEvent[] =>
      text === ""
        ? []
        : this.events.filter(({ id }) => id.startsWith(text) || localId(id).startsWith(text));
    const found = named.length > 0 ? named : begun();
    if (found.length === 1) return found[0] as TraceEvent;
    if (found.length === 0) {
      throw new ReckonerError(
        "trace.missing",
        `There is not an event ${text}; reckoner observe events lists them.`,
        { place: text },
      );
    }
    const some = found.slice(0, 5).map(({ id }) => id);
    const more = found.length > some.length ? ` and ${found.length - some.length} more` : "";
    throw new ReckonerError(
      "trace.ambiguous",
      `${text} fits ${found.length} events: ${some.join(", ")}${more}. Write more of the id.`,
      { place: text },
    );
  }
}

/**
 * Sorts by time; events of a run stay in the order of their journal, whatever their times. At equal
 * times a run comes after the one that started it; otherwise runs are sorted by id, so that the
 * order of reading does not matter.
 */
export function eventsByTime(events: readonly TraceEvent[]): readonly TraceEvent[] {
  const runs = groupBy(events, ({ runId }) => runId);
  const cameFrom = new Map(
    [...runs].map(([runId, ofRun]) => [runId, runOfId(ofRun.find(isCaused)?.parentEvent ?? "")]),
  );
  const placed = [...runs].flatMap(([runId, ofRun]) => {
    const depth = depthOf(runId, cameFrom);
    let latest = Number.NEGATIVE_INFINITY;
    return [...ofRun]
      .sort((a, b) => a.seq - b.seq)
      .map((event) => {
        latest = Math.max(latest, event.at);
        return { event, at: latest, depth };
      });
  });
  return placed
    .sort((a, b) => a.at - b.at || a.depth - b.depth || byText(a.event.runId, b.event.runId))
    .map(({ event }) => event);
}

const byText = (a: string, b: string) => Number(a > b) - Number(a < b);

/** Returns true for the start of a run that another one started: no other input has a cause. */
const isCaused = ({ type, parentEvent }: TraceEvent) =>
  type === "input" && parentEvent !== undefined;

/** Counts the runs that a run came from, one from another; as far as that is not a circle. */
function depthOf(runId: string, cameFrom: ReadonlyMap<string, string>): number {
  const way = new Set<string>();
  for (let at = cameFrom.get(runId); at !== undefined && !way.has(at); at = cameFrom.get(at)) {
    way.add(at);
  }
  return way.size;
}

/** All that an event waited for, each once, its parent among them. */
export function causesOf({ parentEvent, causes }: TraceEvent): ReadonlySet<string> {
  return new Set(parentEvent === undefined ? causes : [parentEvent, ...causes]);
}
