/**
 * Computes the steps of a run from the compiled tables of its machine, as XState's `transition()` would:
 * one event with all eventless transitions that follow (SCXML's macrostep). The path that runs take by
 * default.
 */
import { AfterStarts, AfterStops } from "../after.js";
import { answered } from "../answered.js";
import { checkRaised, EndlessLoop, GuardThrew, ImpossibleState } from "../fault.js";
import { noActor, noSpawn, noSystem } from "../no-actor.js";
import type { History, MachineEvent, Path, Position, Taken } from "../path.js";
import type {
  Action,
  Args,
  Candidate,
  Choice,
  Configuration,
  MachineFunction,
  Move,
  Tables,
} from "./table-types.js";

/** The number of values from JSON that are kept with their configurations. */
const MAX_VALUES = 1_000;

/** The place of a machine: one configuration. */
class TablesPosition implements Position {
  readonly at: Configuration;
  readonly context: unknown;
  readonly output: unknown;
  constructor(at: Configuration, context: unknown, output: unknown) {
    this.at = at;
    this.context = context;
    this.output = output;
  }
  get status(): "active" | "done" {
    return this.at.done ? "done" : "active";
  }
  get value(): unknown {
    return this.at.value;
  }
  get tags(): ReadonlySet<string> {
    return this.at.tags;
  }
  get history(): History | undefined {
    return this.at.history;
  }
}

/** The path through a machine's tables. */
export function tablesPath(tables: Tables): Path {
  const configurations = new Map<string, Configuration>();
  const configurationOf = (value: unknown, history: History | undefined): Configuration => {
    const key = JSON.stringify([value, history]);
    const configuration = configurations.get(key) ?? tables.configurationOf(value, history);
    if (configurations.size < MAX_VALUES) configurations.set(key, configuration);
    return configuration;
  };
  return {
    name: "tables",
    start: (input) => Macrostep.start(tables, input),
    next(position, event) {
      const from = position as TablesPosition;
      return new Macrostep(from.at, from.context, event, tables.limit).take(from);
    },
    restore: (value, context, history) =>
      new TablesPosition(configurationOf(value, history), context, undefined),
    withContext(position, context) {
      const { at, output } = position as TablesPosition;
      return new TablesPosition(at, context, output);
    },
  };
}

/**
 * The arguments that `assign` hands to its functions. A part that only a live actor has may not be
 * touched.
 */
class AssignArgs implements Args {
  readonly context: unknown;
  readonly event: unknown;
  readonly spawn: () => never = noSpawn;
  readonly self: object = noActor;
  readonly system: object = noSystem;
  constructor(context: unknown, event: unknown) {
    this.context = context;
    this.event = event;
  }
}

/** One event with all that follows from it: eventless transitions first, then what was raised. */
class Macrostep {
  readonly #issued: unknown[] = [];
  readonly #limit: number;
  #at: Configuration;
  #context: unknown;
  /** The event at hand: the one that came, later those that were raised. */
  #event: unknown;
  readonly #raised: MachineEvent[] = [];
  #output: unknown;
  /** Changes so far: behind transitions that make none no eventless ones are looked for. */
  #changes = 0;
  #isHandled = false;

  constructor(at: Configuration, context: unknown, event: MachineEvent, limit: number) {
    this.#at = at;
    this.#context = context;
    this.#event = event;
    this.#limit = limit;
  }

  static start({ start, limit, contextOf }: Tables, input: unknown): Taken {
    const event = { type: "xstate.init", input };
    const step = new Macrostep(start.to as Configuration, contextOf(input), event, limit);
    step.#make(start);
    step.#settleDown();
    return { position: step.#position(), issued: step.#issued, unhandled: false };
  }

  take(from: TablesPosition): Taken {
    const first = this.#chosenFor(this.#event as MachineEvent);
    if (first !== undefined) this.#make(first);
    this.#settleDown();
    const changed = this.#changes > 0;
    const unhandled = first === undefined && !changed && !this.#isHandled;
    return { position: changed ? this.#position() : from, issued: this.#issued, unhandled };
  }

  #position(): TablesPosition {
    return new TablesPosition(this.#at.restored, this.#context, this.#output);
  }

  /** Takes microsteps until the machine is stable or done. */
  #settleDown(): void {
    let eventless = true;
    for (let count = 1; !this.#at.done; count++) {
      if (count > this.#limit) throw new EndlessLoop(this.#limit);
      const always: Move | undefined = eventless ? this.#chosen(this.#at.always) : undefined;
      let move = always;
      if (move === undefined) {
        if (this.#raised.length === 0) return;
        this.#event = this.#raised.shift();
        move = this.#chosenFor(this.#event as MachineEvent);
      }
      const before = this.#changes;
      if (move !== undefined) this.#make(move);
      eventless = always === undefined || this.#changes > before;
    }
  }

  /** The move that an event leads to. XState wraps what a guard throws here, and only here. */
  #chosenFor(event: MachineEvent): Move | undefined {
    const choice = this.#at.on(event.type);
    try {
      return this.#chosen(choice);
    } catch (thrown) {
      throw new GuardThrew(thrown);
    }
  }

  #chosen(choice: Choice): Move | undefined {
    if (choice.regions.length === 0) return this.#first(choice.candidates)?.move;
    const taken = this.#takenIn(choice);
    return taken.length === 0 ? undefined : this.#at.together(taken);
  }

  #takenIn({ regions, candidates }: Choice): readonly Candidate[] {
    const inside = regions.flatMap((each) => this.#takenIn(each));
    if (inside.length > 0) return inside;
    const own = this.#first(candidates);
    return own === undefined ? [] : [own];
  }

  #first(candidates: readonly Candidate[]): Candidate | undefined {
    for (let i = 0; i < candidates.length; i++) {
      const each = candidates[i] as Candidate;
      const args = { context: this.#context, event: this.#event };
      if (each.test === undefined || each.test(args, this.#at)) return each;
    }
    return undefined;
  }

  #make({ actions, moves, to }: Move): void {
    for (let i = 0; i < actions.length; i++) this.#act(actions[i] as Action);
    if (to === undefined) throw new ImpossibleState();
    if (moves) this.#changes += 1;
    this.#at = to;
  }

  #act(action: Action): void {
    switch (action.kind) {
      case "assign":
        this.#assign(action, this.#resolved(action.params, action.part));
        return;
      case "issue": {
        const { directives, part } = action;
        const params = this.#resolved(action.params, part);
        this.#tell(
          directives === undefined ? params : answered(directives(this.#args(), params), "issue"),
        );
        return;
      }
      case "enqueue": {
        const params = this.#resolved(action.params, "enqueueActions");
        for (const each of action.collect(this.#args(), params, this.#at)) {
          this.#act(action.compile(each));
        }
        return;
      }
      case "raise": {
        const params = this.#resolved(action.params, "raise");
        const event =
          typeof action.event === "function"
            ? answered((action.event as MachineFunction)(this.#assignArgs(), params), "raise")
            : action.event;
        this.#raised.push(checkRaised(event));
        this.#isHandled = true;
        return;
      }
      case "afterStarts":
        this.#startTimer(action.event, this.#delay(action.delay, action.part));
        return;
      case "afterStops":
        this.#tell(new AfterStops(action.event));
        return;
      case "done":
        this.#raised.push(this.#doneEvent(action.event, action.output));
        return;
      case "output": {
        this.#changes += 1;
        if (action.output === undefined) return;
        const event = this.#doneEvent(action.event, action.final);
        this.#output = this.#mapped(action.output, event);
      }
    }
  }

  #assign({ change, whole, part }: Extract<Action, { kind: "assign" }>, params: unknown): void {
    this.#changes += 1;
    const args = this.#assignArgs();
    if (typeof change === "function") {
      const next = change(args, params);
      this.#context = whole ? next : Object.assign({}, this.#context, answered(next, part));
      return;
    }
    const parts: Record<string, unknown> = {};
    for (const key of Object.keys(change)) {
      const each = change[key];
      parts[key] =
        typeof each === "function" ? answered(each(args, params), `${part} of ${key}`) : each;
    }
    this.#context = Object.assign({}, this.#context, parts);
  }

  #doneEvent(type: string, output: unknown): MachineEvent {
    return { type, output: this.#mapped(output, this.#event) } as MachineEvent;
  }

  #mapped(output: unknown, event: unknown): unknown {
    if (typeof output !== "function") return output;
    const map = output as (args: Args & { readonly self: object }) => unknown;
    return answered(map({ context: this.#context, event, self: noActor }), "output");
  }

  #delay(delay: unknown, part: string): unknown {
    return typeof delay === "function"
      ? answered(delay(this.#assignArgs(), undefined), part)
      : delay;
  }

  #startTimer(event: string, delay: unknown): void {
    this.#tell(new AfterStarts(event, delay));
    // XState waits for nothing that is not a number.
    if (typeof delay !== "number") this.#raised.push({ type: event });
  }

  #tell(issued: unknown): void {
    this.#issued.push(issued);
    this.#isHandled = true;
  }

  /** The params of an action, which may be a function of context and event. */
  #resolved(params: unknown, part: string): unknown {
    return typeof params === "function" ? answered(params(this.#args()), part) : params;
  }

  #args(): Args {
    return { context: this.#context, event: this.#event };
  }

  #assignArgs(): AssignArgs {
    return new AssignArgs(this.#context, this.#event);
  }
}
