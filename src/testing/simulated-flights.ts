/**
 * Holds the attempts in flight of a simulated process: the script and the faults decide each one's outcome
 * when it begins, and it is reported at its virtual time.
 */
import { type Attempt, type Call, childNamed, type Outcome } from "../core/driver/index.js";
import type { Reasoner } from "../core/kernel/machine/index.js";
import type {
  ApprovalDecision,
  ApprovalDirective,
  ToolRegistry,
} from "../core/kernel/vocabulary/index.js";
import { LazyAbort, type PerformPorts, performByPort } from "../runtime/index.js";
import { defaultSettlers } from "./checking/settlers.js";
import type { WorldOptions } from "./checking/what-may-happen.js";
import type { Crash, FaultPlan } from "./fault-plan.js";
import { choicesFor, type Script } from "./script.js";
import {
  delayOf,
  inScript,
  type PortCall,
  type Scripted,
  scriptedModel,
  scriptedStores,
} from "./scripted-ports.js";

/** A call that a port has made in an attempt. */
interface Made {
  readonly ms: number;
  readonly how: "never" | "twice" | undefined;
  /** The process dies when it would report. */
  readonly dies: boolean;
}

/** An attempt that was begun and has not reported. */
export interface Flight extends Pick<Made, "how" | "dies"> {
  readonly attempt: Attempt;
  readonly at: number;
  readonly outcome: Outcome;
}

/** The world of the attempts of one process. */
export interface FlightParts<Input, Output, Context>
  extends Pick<Scripted, "begun" | "begunOnce" | "written"> {
  readonly reasoner: Reasoner<Input, Output, Context>;
  readonly script: Script;
  readonly options: WorldOptions;
  /** Absent where nothing goes wrong. */
  readonly faults: (Pick<FaultPlan, "calls"> & { readonly crash?: Crash | undefined }) | undefined;
  /** The process dies. */
  die(): void;
}

const AT_ONCE: Made = { ms: 0, how: undefined, dies: false };

/** The attempts in flight of one process. */
export class Flights<Input, Output, Context> {
  /** The reasoner with the script's tools. */
  readonly scripted: Reasoner<Input, Output, Context>;
  readonly stores: NonNullable<PerformPorts["stores"]>;
  readonly #parts: FlightParts<Input, Output, Context>;
  readonly #ports: Pick<PerformPorts, "model" | "stores">;
  readonly #flights = new Map<string, Flight>();
  #made = AT_ONCE;
  #isDead = false;
  #calls = 0;

  constructor(parts: FlightParts<Input, Output, Context>) {
    const { reasoner, script, options, faults, begun, begunOnce, written } = parts;
    this.#parts = parts;
    const world: Scripted = {
      ...{ script, options, begun, begunOnce, written },
      call: (call) => this.#call(call),
      streams: false,
      asTheyAre: faults !== undefined,
    };
    this.scripted = inScript(reasoner, world);
    this.stores = scriptedStores(world);
    this.#ports = { model: scriptedModel(world), stores: this.stores };
  }

  get size(): number {
    return this.#flights.size;
  }

  /** Begins an attempt. @param time virtual milliseconds */
  begin(attempt: Attempt, time: number): void {
    this.#made = AT_ONCE;
    const outcome = this.#outcomeOf(attempt);
    if (this.#isDead) return;
    const { ms, how, dies } = this.#made;
    this.#flights.set(keyOf(attempt), { attempt, at: time + ms, outcome, how, dies });
  }

  /** Takes one out. @returns it, where it was in flight */
  take(call: Call): Flight | undefined {
    const key = keyOf(call);
    const flight = this.#flights.get(key);
    this.#flights.delete(key);
    return flight;
  }

  /** The flight that lands first. */
  get next(): Flight | undefined {
    let next: Flight | undefined;
    for (const each of this.#flights.values()) {
      if (each.how !== "never" && (next === undefined || each.at < next.at)) next = each;
    }
    return next;
  }

  /** The script's decision. */
  decisionOn(approval: ApprovalDirective): ApprovalDecision {
    const { options, script } = this.#parts;
    const settler = options.settlers?.approval ?? defaultSettlers.approval;
    const { type: _type, ...decision } = settler(approval, choicesFor(script, approval.id));
    return decision;
  }

  #outcomeOf(attempt: Attempt): Outcome {
    const { directive } = attempt;
    if (directive.type === "approval") return this.#approve(directive);
    const ports = { ...this.#ports, tools: this.#toolsOf(attempt) };
    const outcome = performByPort(attempt as never, ports, new LazyAbort());
    if (!(outcome instanceof Promise)) return outcome;
    throw new Error(`The scripted ${directive.type} ${directive.id} did not answer at once.`);
  }

  #approve(approval: ApprovalDirective): Outcome {
    const { id } = approval;
    const settled = (decision: ApprovalDecision): Outcome => {
      return { type: "settled", settlement: { ...decision, type: "approval.decided", id } };
    };
    try {
      const ms = delayOf(this.#parts.script, id);
      const ask = () => this.decisionOn(approval);
      return settled(this.#call({ key: id, ms, signal: () => undefined, ask }));
    } catch (thrown) {
      return settled({ approve: false, reason: `The approver failed: ${String(thrown)}` });
    }
  }

  /** The tools of the run that an attempt is of. */
  #toolsOf({ through }: Attempt): ToolRegistry {
    let found: Pick<Reasoner, "tools"> | undefined = this.scripted as Reasoner;
    for (const name of through) found = childNamed(found as never, name);
    return found?.tools ?? {};
  }

  /** Makes a call, as far as the faults let it be made. */
  #call<T>({ ms, ask, broken = systemBroken }: PortCall<T>): T {
    const number = this.#calls++;
    const { crash, calls = [] } = this.#parts.faults ?? {};
    const dies = crash?.in === "call" && crash.at === number ? crash.reached : undefined;
    const { how, ms: late = 0 } = calls.find(({ at }) => at === number) ?? {};
    if (dies === "nothing") this.#die();
    if (dies === "nothing" || how === "refused") throw broken("The connection was refused.");
    this.#made = {
      ms: how === "late" ? ms + late : ms,
      how: how === "never" || how === "twice" ? how : undefined,
      dies: dies === "all",
    };
    try {
      const answer = ask();
      if (how === "lost") throw broken("The connection was lost.");
      return answer;
    } finally {
      if (dies === "part") this.#die();
    }
  }

  #die(): void {
    this.#isDead = true;
    this.#parts.die();
  }
}

/** The name of an attempt of a run. */
export const keyOf = ({ run, id, attempt }: Call): string => `${attempt} ${run} ${id}`;

function systemBroken(message: string): Error {
  return Object.assign(new Error(message), { code: "ECONNRESET" });
}
