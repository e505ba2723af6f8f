/**
 * Records the events of a journal anew with the present code, as lines of a run and its child runs, for
 * `fixture`. A child's beginning, and its parent's settlement by its end, are not copied but follow from the
 * runs as they are now.
 */
import {
  type AnyReasoner,
  childEndOf,
  childNamed,
  Kinship,
  type Path,
  placeOf,
  preparedInput,
  ROOT,
  type RunPlace,
  rootPlace,
  settlementOf,
  startOfChild,
  usageOf,
} from "../../core/driver/index.js";
import {
  type BeginRecord,
  childPath,
  type EventLine,
  type HeaderLine,
  type Line,
  parentOf,
  Recorder,
  startOf,
} from "../../core/journal/index.js";
import type { Reasoner, RunState, Step } from "../../core/kernel/machine/index.js";
import { tableGet, toJson } from "../../core/kernel/values/index.js";
import type { RunEvent, Usage } from "../../core/kernel/vocabulary/index.js";

/** A run that is recorded anew. */
interface Recorded {
  readonly reasoner: AnyReasoner;
  readonly place: RunPlace;
  readonly state: RunState<never>;
}

/** Records a tree anew, line by line. */
export class TreeRecording {
  /** The new lines. */
  readonly lines: string[] = [];
  readonly #recorder = new Recorder();
  readonly #kin = new Kinship();
  readonly #runs = new Map<Path, Recorded>();
  readonly #header: HeaderLine;
  readonly #seen: (event: RunEvent) => RunEvent;
  #events = 0;

  /**
   * @param from the context that the root goes on from, or `undefined`
   * @param seen what is kept of an event
   */
  constructor(
    reasoner: Reasoner<never, unknown, never>,
    header: HeaderLine,
    from: unknown,
    seen: (event: RunEvent) => RunEvent,
  ) {
    this.#header = header;
    this.#seen = seen;
    this.#recorder.inherit(from);
    this.lines.push(this.#recorder.header(header).text);
    const step = startOf(reasoner, header, from);
    const place = rootPlace(header.seed);
    this.#took({ reasoner, place }, { type: "start", at: header.at } as RunEvent, step, []);
  }

  /** The number of recorded events. */
  get events(): number {
    return this.#events;
  }

  /** Takes the next line of the journal in, behind the root's start. */
  take(line: Line): void {
    const path = "run" in line ? (line.run ?? ROOT) : ROOT;
    if ("begin" in line && line.begin !== undefined) this.#begin(path, line, line.begin);
    const run = this.#runs.get(path);
    if (run === undefined || "begin" in line) return;
    if ("mark" in line) this.lines.push(this.#recorder.mark(line.mark, path).text);
    else if ("event" in line && (path !== ROOT || run.state.status === "active")) {
      const event = this.#eventOf(path, line.event);
      this.#took(run, event, run.reasoner.step(run.state, event), line.starts ?? []);
    }
  }

  #begin(path: Path, { event, starts = [] }: EventLine, recorded: BeginRecord): void {
    const [above, id] = parentOf(path);
    const parent = this.#runs.get(above);
    const directive = parent && tableGet(parent.state.outstanding, id);
    if (parent === undefined || directive?.type !== "run") return;
    const reasoner = childNamed(parent.reasoner, directive.reasoner) as AnyReasoner;
    const begin = { ...recorded, input: preparedInput(reasoner, directive.input) };
    const place = placeOf(parent.place, directive);
    this.#kin.add(path);
    this.#recorder.add(path);
    const { step } = startOfChild(reasoner, place, this.#header.runId, event.at, begin);
    this.#took({ reasoner, place }, event, step, starts, begin);
  }

  /** An event as it is now: of what only follows nothing is to be hidden. */
  #eventOf(path: Path, event: RunEvent): RunEvent {
    if (path !== ROOT && event.type === "cancel") return event;
    const isOfChild = event.type === "run.succeeded" || event.type === "run.failed";
    const ended = isOfChild ? childPath(path, event.id) : ROOT;
    const child = isOfChild ? this.#runs.get(ended) : undefined;
    const isSet = this.#header.set?.some(
      ({ run = ROOT, event: { id } }) => childPath(run, id) === ended,
    );
    if (!isOfChild || child === undefined || isSet === true) return this.#seen(event);
    const end = childEndOf(child.reasoner, child.state, this.#recorder.memoryOf(ended));
    return toJson({
      ...settlementOf(event.id, end),
      at: event.at,
    }) as RunEvent;
  }

  #took(
    run: Omit<Recorded, "state">,
    event: RunEvent,
    step: Step<never>,
    starts: readonly number[],
    begin?: BeginRecord,
  ): void {
    const { path } = run.place;
    const of = { run: path, ...(begin === undefined ? {} : { begin }) };
    const lines = this.#recorder.event(run.reasoner, event, step, starts, of);
    this.lines.push(...lines.map(({ text }) => text));
    this.#events += 1;
    this.#runs.set(path, { ...run, state: step.state });
    for (const { path: over, parent, isSettled } of this.#kin.took(path, event, step)) {
      const child = this.#runs.get(over);
      if (child === undefined) continue;
      if (!isSettled) this.#recorder.lose(parent, this.#usageOf(child));
      this.#runs.delete(over);
      this.#recorder.drop(over);
    }
  }

  #usageOf({ place, state }: Recorded): Usage {
    return usageOf(state, this.#recorder.memoryOf(place.path).usage);
  }
}
