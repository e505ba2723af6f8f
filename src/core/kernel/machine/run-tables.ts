/** Computes a step from a machine's tables: the macrostep of SCXML, as XState does it. */
import { AfterStarts, AfterStops } from "./after.js";
import { checkRaised, EndlessLoop, GuardThrew } from "./fault.js";
import { noActor, noSpawn, noSystem } from "./no-actor.js";
import type { MachineEvent, Path, Position, Taken } from "./path.js";
import type { Action, Args, Leaf, MachineFunction, Move, Tables } from "./tables.js";

/** Where a machine stands: in one leaf. */
class LeafPosition implements Position {
  readonly leaf: Leaf;
  readonly context: unknown;
  readonly output: unknown;
  readonly history: undefined = undefined;
  constructor(leaf: Leaf, context: unknown, output: unknown) {
    this.leaf = leaf;
    this.context = context;
    this.output = output;
  }
  get status(): "active" | "done" {
    return this.leaf.done ? "done" : "active";
  }
  get value(): unknown {
    return this.leaf.value;
  }
  get tags(): ReadonlySet<string> {
    return this.leaf.tags;
  }
}

/**
 * The path through a machine's tables.
 * @param xstate resolves values that are not whole
 */
export function tablesPath(tables: Tables, xstate: Path): Path {
  const positionAt = (value: unknown, context: unknown, output: unknown): LeafPosition => {
    const whole = () => xstate.restore(value, context, undefined).value;
    const leaf = tables.leafOf(value) ?? tables.leafOf(whole());
    if (leaf === undefined) throw new Error(`No state is ${JSON.stringify(value)}`);
    return new LeafPosition(leaf, context, output);
  };
  return {
    name: "tables",
    start(input) {
      const from = new LeafPosition(tables.start.to, tables.contextOf(input), undefined);
      const event = { type: "xstate.init", input };
      return new Macrostep(from, event, tables.limit).start(tables.start);
    },
    next: (position, event) =>
      new Macrostep(position as LeafPosition, event, tables.limit).take(position as LeafPosition),
    restore(value, context, history) {
      // It has no history states: what they remembered is refused as everywhere.
      if (history !== undefined) xstate.restore(value, context, history);
      return positionAt(value, context, undefined);
    },
    withContext(position, context) {
      const { leaf, output } = position as LeafPosition;
      return new LeafPosition(leaf, context, output);
    },
  };
}

/** What `assign` hands to its functions. What only a live actor has may not be touched. */
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
  #leaf: Leaf;
  #context: unknown;
  /** The event at hand: the one that came, later those that were raised. */
  #event: unknown;
  readonly #raised: MachineEvent[] = [];
  #output: unknown;
  /** Changes so far: a transition that makes none is not looked behind. */
  #changes = 0;
  #told = false;

  constructor(from: LeafPosition, event: MachineEvent, limit: number) {
    this.#leaf = from.leaf;
    this.#context = from.context;
    this.#event = event;
    this.#limit = limit;
  }

  take(from: LeafPosition): Taken {
    const first = this.#chosenFor(this.#event as MachineEvent);
    if (first !== undefined) this.#make(first);
    this.#rest();
    const changed = this.#changes > 0;
    const position = changed ? new LeafPosition(this.#leaf, this.#context, this.#output) : from;
    const unhandled = first === undefined && !changed && !this.#told;
    return { position, issued: this.#issued, unhandled };
  }

  start(move: Move): Taken {
    this.#make(move);
    this.#rest();
    const position = new LeafPosition(this.#leaf, this.#context, this.#output);
    return { position, issued: this.#issued, unhandled: false };
  }

  /** Microsteps until the machine rests or is done. */
  #rest(): void {
    let eventless = true;
    for (let count = 1; !this.#leaf.done; count++) {
      if (count > this.#limit) throw new EndlessLoop(this.#limit);
      const always: Move | undefined = eventless ? this.#first(this.#leaf.always) : undefined;
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
    const moves = this.#leaf.on(event.type);
    try {
      return this.#first(moves);
    } catch (thrown) {
      throw new GuardThrew(thrown);
    }
  }

  #first(moves: readonly Move[]): Move | undefined {
    for (let i = 0; i < moves.length; i++) {
      const move = moves[i] as Move;
      if (move.test === undefined || move.test({ context: this.#context, event: this.#event }))
        return move;
    }
    return undefined;
  }

  #make(move: Move): void {
    const { actions, to } = move;
    for (let i = 0; i < actions.length; i++) this.#act(actions[i] as Action);
    if (to !== this.#leaf) this.#changes += 1;
    this.#leaf = to;
  }

  #act(action: Action): void {
    switch (action.kind) {
      case "assign":
        this.#assign(action.change, this.#resolved(action.params), action.whole);
        return;
      case "issue": {
        const params = this.#resolved(action.params);
        const directives =
          action.directives === undefined ? params : action.directives(this.#args(), params);
        this.#tell(directives);
        return;
      }
      case "raise": {
        const params = this.#resolved(action.params);
        const event =
          typeof action.event === "function"
            ? (action.event as MachineFunction)(this.#assignArgs(), params)
            : action.event;
        this.#raise(checkRaised(event));
        this.#told = true;
        return;
      }
      case "afterStarts":
        this.#tell(new AfterStarts(action.event, this.#delay(action.delay)));
        return;
      case "afterStops":
        this.#tell(new AfterStops(action.event));
        return;
      case "final":
        this.#finish(action);
    }
  }

  #assign(
    change: MachineFunction | { readonly [key: string]: unknown },
    params: unknown,
    whole: boolean,
  ): void {
    const args = this.#assignArgs();
    let part: unknown;
    if (typeof change === "function") {
      part = change(args, params);
      if (whole) {
        this.#context = part;
        this.#changes += 1;
        return;
      }
    } else {
      const parts: Record<string, unknown> = {};
      for (const key of Object.keys(change)) {
        const each = change[key];
        parts[key] = typeof each === "function" ? (each as MachineFunction)(args, params) : each;
      }
      part = parts;
    }
    this.#context = Object.assign({}, this.#context, part);
    this.#changes += 1;
  }

  /** A final state tells its parent; at the top the machine is done, and puts something out. */
  #finish({ done, output, machine }: Extract<Action, { readonly kind: "final" }>): void {
    this.#raise({ type: done, output: this.#mapped(output, this.#event) } as MachineEvent);
    if (machine === undefined) return;
    this.#changes += 1;
    if (machine.output === undefined) return;
    const event = { type: machine.done, output: this.#mapped(output, this.#event) };
    this.#output = this.#mapped(machine.output, event);
  }

  #mapped(output: unknown, event: unknown): unknown {
    if (typeof output !== "function") return output;
    const map = output as (args: Args & { readonly self: object }) => unknown;
    return map({ context: this.#context, event, self: noActor });
  }

  #delay(delay: unknown): unknown {
    return typeof delay === "function"
      ? (delay as MachineFunction)(this.#assignArgs(), undefined)
      : delay;
  }

  #raise(event: MachineEvent): void {
    this.#raised.push(event);
  }

  #tell(issued: unknown): void {
    this.#issued.push(issued);
    this.#told = true;
  }

  /** The params of an action, which may be a function of context and event. */
  #resolved(params: unknown): unknown {
    return typeof params === "function" ? (params as MachineFunction)(this.#args()) : params;
  }

  #args(): Args {
    return { context: this.#context, event: this.#event };
  }

  #assignArgs(): AssignArgs {
    return new AssignArgs(this.#context, this.#event);
  }
}
