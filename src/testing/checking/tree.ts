/**
 * Wraps a reasoner into one whose state holds its child runs too, so that `check` and `explore` treat a tree
 * of runs like a single run. A step of it is one `take` of a driver in which all of them live.
 */
import {
  type Arrived,
  type DriverOptions,
  type Owed,
  openDriver,
  type Path,
  type RunDriver,
  type Shown,
} from "../../core/driver/index.js";
import { textOfLines } from "../../core/journal/index.js";
import {
  owedBy,
  type Reasoner,
  type RunState,
  type Step,
} from "../../core/kernel/machine/index.js";
import { emptyTable, type Table, tableGet, tableSet } from "../../core/kernel/values/index.js";
import {
  type Directive,
  type Effect,
  escapeId,
  type IncomingEvent,
  isEffect,
  isSettlement,
  type RunEvent,
  type Settlement,
  settles,
} from "../../core/kernel/vocabulary/index.js";
import type { HistoryStep } from "./world.js";

/** The state of a root, with those of its children. Its outstanding directives are those of all of them. */
export interface TreeState<Context = unknown> extends RunState<Context> {
  /** The states of the children that are not over, by their paths. */
  readonly children: { readonly [path: Path]: RunState };
}

/** A step of a tree, and the steps of its runs that it consists of. */
export interface TreeStep<Context = unknown> extends Step<Context> {
  readonly state: TreeState<Context>;
  readonly runs: readonly RunStep<Context>[];
}

/** A step of one run. */
interface RunStep<Context> extends HistoryStep<Context> {
  readonly run: Path;
  /** Of the root alone. */
  readonly before: RunState<Context> | undefined;
}

/** Something that a driver takes. */
interface Taken {
  readonly arrived: readonly Arrived[];
  readonly now: number;
}

/** The place of a state: all that its driver took until then. The same takes lead to the same place. */
interface Place {
  readonly from: Place | undefined;
  readonly taken: Taken;
  readonly next: Map<string, Place>;
  readonly begin: Begin;
}

/** Opens the driver of a run, with lines or without. */
type Begin = (withLines: boolean) => RunDriver<unknown>;

/** Milliseconds that no attempt is given up after: how one ends is what a check draws. */
const NEVER = 2 ** 45;
const ROOT: Path = "";
const places = new WeakMap<object, Place>();

/** Makes the reasoner of a tree, which takes the events of all of its runs; those of a child have its path in their ids. */
export function treeOf<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  stores: readonly string[] = [],
): Reasoner<Input, Output, Context> {
  const patient = withoutLimits(reasoner);
  const traits = stores.map((name) => [name, { name, timeoutMs: NEVER }]);
  const options: DriverOptions = {
    approvals: "outside",
    llmTimeoutMs: NEVER,
    stores: Object.fromEntries(traits),
  };
  // The newest place, at which the driver stands.
  let at: Place | undefined;
  let driver: RunDriver<Context> | undefined;
  /** The driver at a place: that of the last step, or one that takes everything again. */
  const driverAt = (place: Place): RunDriver<Context> => {
    if (at !== place || driver === undefined) driver = drivenTo(place, false) as RunDriver<Context>;
    return driver;
  };
  return {
    ...reasoner,
    start(input, { at: now, runId, seed }) {
      const run = { input, runId, at: now, ...(seed === undefined ? {} : { seed }) };
      const begin: Begin = (withLines) =>
        openDriver(patient, run, { ...options, lines: withLines });
      const place = { from: undefined, taken: { arrived: [], now }, next: new Map(), begin };
      driver = begin(false) as RunDriver<Context>;
      at = place;
      return stepOf(driver, takeAll(driver, place.taken), undefined, place);
    },
    step(before, event) {
      const from = places.get(before) as Place;
      const state = before as TreeState<Context>;
      if (state.status !== "active") return ignored(state, "ended", event);
      const now = Math.max(event.at, timeOf(state, event));
      const own = driverAt(from);
      const arrived = arrivedOf(own, state, event);
      if (arrived === undefined) return ignored(state, "stale", event);
      const taken = { arrived, now };
      const shown = takeAll(own, taken);
      if (shown.length === 0) {
        at = from;
        return ignored(state, "refused", event);
      }
      const key = JSON.stringify(taken);
      const place = from.next.get(key) ?? { from, taken, next: new Map(), begin: from.begin };
      from.next.set(key, place);
      at = place;
      return stepOf(own, shown, state, place);
    },
  };
}

/** The journal of a tree as a text; `undefined` of a state that is none of a tree. */
export function treeJournal(state: object): string | undefined {
  const place = places.get(state);
  if (place === undefined) return undefined;
  const lines: string[] = [];
  drivenTo(place, true, (owed) => lines.push(...owed.lines));
  return textOfLines(lines);
}

/** Takes again all that led to a place. */
function drivenTo(place: Place, withLines: boolean, look?: (owed: Owed) => void): RunDriver {
  const takes: Taken[] = [];
  for (let each: Place | undefined = place; each !== undefined; each = each.from) {
    takes.unshift(each.taken);
  }
  const driver = place.begin(withLines);
  for (const taken of takes) takeAll(driver, taken, look);
  return driver;
}

/** Takes what has arrived, what had streamed of calls that are stopped by it, and all that follows. */
function takeAll<Context>(
  driver: RunDriver<Context>,
  { arrived, now }: Taken,
  look?: (owed: Owed) => void,
): Extract<Shown<Context>, { type: "step" }>[] {
  const shown: Extract<Shown<Context>, { type: "step" }>[] = [];
  let next = arrived;
  for (let more = true; more; ) {
    const owed = driver.take(next, now);
    if (owed.broken !== undefined) throw owed.broken.thrown;
    look?.(owed);
    for (const each of owed.show) if (each.type === "step") shown.push(each);
    const stopped = owed.stop.filter(({ why }) => why === "interrupted");
    next = stopped.map(({ run, id, attempt }) => ({ type: "stopped", run, id, attempt }));
    more = owed.more || next.length > 0;
  }
  return shown;
}

/** The step that a take comes to. */
function stepOf<Context>(
  driver: RunDriver<Context>,
  shown: readonly Extract<Shown<Context>, { type: "step" }>[],
  before: TreeState<Context> | undefined,
  place: Place,
): TreeStep<Context> {
  const state = stateOf(driver);
  let last = before === undefined ? undefined : (rootStates.get(before) as RunState<Context>);
  const runs = shown.map(({ run, event, step }): RunStep<Context> => {
    const own = { run, before: run === ROOT ? last : undefined, event, step };
    if (run === ROOT) last = step.state;
    return own;
  });
  const lost = runs.find(({ event, step }) => isSettlement(event) && step.ignored !== undefined);
  const failed = runs.find(({ step }) => step.state.fault !== undefined)?.step;
  const faulty = failed === undefined ? state : { ...state, fault: failed.state.fault as never };
  places.set(faulty, place);
  rootStates.set(faulty, driver.state);
  return {
    state: faulty,
    directives: runs.flatMap(({ run, step }) => step.directives.map((each) => named(run, each))),
    runs,
    ...(lost?.step.ignored === undefined ? {} : { ignored: lost.step.ignored }),
    ...(failed?.thrown === undefined ? {} : { thrown: failed.thrown }),
  };
}

/** The states of roots by themselves, by those of their trees. */
const rootStates = new WeakMap<object, unknown>();

/** The states of all runs as one. */
function stateOf<Context>(driver: RunDriver<Context>): TreeState<Context> {
  const children: { [path: Path]: RunState } = {};
  let outstanding: Table<Effect> = emptyTable<Effect>();
  const walk = (run: Path, state: RunState<unknown>) => {
    for (const effect of owedBy(state)) {
      const path = run === ROOT ? escapeId(effect.id) : `${run}:${escapeId(effect.id)}`;
      const child = effect.type === "run" ? driver.stateOf(path) : undefined;
      if (child === undefined) {
        const own = named(run, effect) as Effect;
        outstanding = tableSet(outstanding, own.id, own);
      } else {
        children[path] = child;
        walk(path, child);
      }
    }
  };
  walk(ROOT, driver.state);
  return { ...driver.state, outstanding, children };
}

/** A directive of a child, with its path in its id. */
function named(run: Path, directive: Directive): Directive {
  if (run === ROOT) return directive;
  if (directive.type === "cancel") return { ...directive, target: `${run} ${directive.target}` };
  return isEffect(directive) ? { ...directive, id: `${run} ${directive.id}` } : directive;
}

/** The run and the id that are in the id of an effect of a tree. */
function split(state: TreeState, id: string): readonly [run: Path, id: string] {
  const at = id.indexOf(" ");
  const run = id.slice(0, Math.max(0, at));
  return Object.hasOwn(state.children, run) ? [run, id.slice(at + 1)] : [ROOT, id];
}

/** The moment at which a timer goes off. */
function timeOf({ outstanding }: TreeState, event: IncomingEvent): number {
  const effect = "id" in event ? tableGet(outstanding, String(event.id)) : undefined;
  return event.type === "timer.fired" && effect?.type === "timer" ? effect.until : 0;
}

/** Returns an event as a driver takes it; nothing where it answers nothing. */
function arrivedOf(
  driver: RunDriver,
  state: TreeState,
  stamped: IncomingEvent,
): readonly Arrived[] | undefined {
  const { at: _at, ...event } = stamped as RunEvent;
  if (event.type === "start") return undefined;
  if (event.type === "cancel") return [event];
  if (event.type === "interrupt") return [{ type: "interrupt", graceMs: 0 }];
  if (!isSettlement(stamped)) return [{ type: "event", event }];
  const settlement = event as Omit<Settlement, "at">;
  const effect = tableGet(state.outstanding, settlement.id);
  if (effect === undefined || settles[settlement.type] !== effect.type) return undefined;
  const [run, id] = split(state, settlement.id);
  if (effect.type === "timer") return [];
  if (effect.type === "approval") {
    const { type: _type, id: _id, ...decision } = settlement as { type: string; id: string };
    return [{ type: "decided", run, id, decision: decision as never }];
  }
  const { attempts } = driver.inFlight;
  const attempt = attempts.find((each) => each.run === run && each.id === id)?.attempt ?? 1;
  return [{ type: "settled", run, id, attempt, settlement: { ...settlement, id } as never }];
}

function ignored<Context>(
  state: TreeState<Context>,
  reason: "stale" | "refused" | "ended",
  { type }: IncomingEvent,
): TreeStep<Context> {
  return { state, directives: [], runs: [], ignored: { reason, type } };
}

/** A reasoner whose tools, and those of its children, take as long as they like. */
function withoutLimits<Of extends Pick<Reasoner, "tools" | "children">>(reasoner: Of): Of {
  const tools = Object.entries(reasoner.tools).map(([name, tool]) => [
    name,
    { ...tool, timeoutMs: NEVER },
  ]);
  const children = Object.entries(reasoner.children).map(([name, child]) => [
    name,
    withoutLimits(child),
  ]);
  return { ...reasoner, tools: Object.fromEntries(tools), children: Object.fromEntries(children) };
}
