/**
 * Simulates one process that drives a run: a driver, its journal, its attempts in flight and a virtual clock,
 * as data. It uses no `Promise`: it goes on step by step, and may die between any two steps of what its
 * driver has to do.
 */
import type {
  Arrived,
  Attempt,
  Call,
  DriverOptions,
  InFlight,
  LinesPlace,
  Owed,
  Path,
  RunDriver,
  Shown,
} from "../core/driver/index.js";
import type { Reasoner } from "../core/kernel/machine/index.js";
import { ReckonerError } from "../core/kernel/values/index.js";
import type { ApprovalDirective } from "../core/kernel/vocabulary/index.js";
import type { WorldOptions } from "./checking/what-may-happen.js";
import type { Crash, FaultPlan } from "./fault-plan.js";
import type { Script } from "./script.js";
import { STREAMED, type Written } from "./scripted-ports.js";
import type { SimulatedDisk } from "./simulated-disk.js";
import { type Flight, Flights, keyOf } from "./simulated-flights.js";

/** Something that a run was told from outside, and took. */
export interface AcceptedInput {
  readonly type: "approval.decided" | "message";
  /** The path of the run whose it is. */
  readonly run: Path;
  /** The id of the approval, or what the user said. */
  readonly what: string;
}

/** The faults of one process. */
export interface ProcessFaults
  extends Pick<FaultPlan, "calls" | "jumps" | "stands" | "decisions" | "handovers"> {
  readonly crash?: Crash | undefined;
  /** At this append another process goes on with the journal. */
  readonly takeover?: { readonly at: number; go(): void } | undefined;
}

/** The facts of a process. */
export interface ProcessParts<Input, Output, Context> {
  readonly reasoner: Reasoner<Input, Output, Context>;
  readonly script: Script;
  readonly options: WorldOptions;
  /** Absent where nothing goes wrong: then all tools may be repeated, since nothing happens. */
  readonly faults: ProcessFaults | undefined;
  readonly disk: SimulatedDisk;
  /** Opens a driver over what is on the disk. */
  open(
    scripted: Reasoner<Input, Output, Context>,
    options: DriverOptions,
    at: number,
    inFlight?: InFlight,
  ): RunDriver<Context>;
}

/** A step of what a driver owes. */
type Task<Context> =
  | { readonly do: "begin"; readonly attempt: Attempt }
  | { readonly do: "append"; readonly lines: readonly string[]; readonly at: LinesPlace }
  | { readonly do: "show"; readonly shown: Shown<Context> }
  | { readonly do: "stop"; readonly call: Call };

/** A decision that is on its way. */
interface Deciding {
  readonly run: Path;
  readonly approval: ApprovalDirective;
  left: number;
}

const START = 1_000;
/** Wake-ups in a row that lead to nothing, after which a process waits for what never comes. */
const MOST_IDLE = 100;

/** One process. */
export class SimulatedProcess<Input, Output, Context> {
  readonly shown: Shown<Context>[] = [];
  readonly started: Attempt[] = [];
  readonly inputs: AcceptedInput[] = [];
  readonly begun: string[] = [];
  readonly begunOnce: string[] = [];
  readonly written: Written[] = [];
  /** The script let the user speak, interrupt or cancel. */
  disturbed = false;
  /** The reason why it could not go on, where its journal failed. */
  thrown: unknown;
  readonly #parts: ProcessParts<Input, Output, Context>;
  readonly #faults: ProcessFaults;
  readonly #driverOptions: DriverOptions;
  #driver: RunDriver<Context>;
  #owed: Owed<Context> | undefined;
  readonly #tasks: Task<Context>[] = [];
  readonly #flights: Flights<Input, Output, Context>;
  /** Attempts that were taken out before they began. */
  readonly #unbegun = new Set<string>();
  readonly #reports: Arrived[] = [];
  readonly #deciding: Deciding[] = [];
  #over: "dead" | "halted" | "returned" | undefined;
  /** Virtual time, which never goes back; the process's clock may. */
  #time = START;
  #ahead = 0;
  #standing: number | undefined;
  #wake: number | undefined;
  #idle = 0;
  #steps = 0;
  #takes = 0;
  #handedOver = 0;
  #appends = 0;
  #observations = 0;
  #asked = 0;

  constructor(parts: ProcessParts<Input, Output, Context>) {
    const { reasoner, script, options, faults } = parts;
    this.#parts = parts;
    this.#faults = faults ?? {};
    const { begun, begunOnce, written } = this;
    const own = { reasoner, script, options, faults, begun, begunOnce, written };
    this.#flights = new Flights({ ...own, die: () => this.#die() });
    const approvals = this.#faults.decisions === undefined ? "host" : "outside";
    this.#driverOptions = { approvals, stores: this.#flights.stores };
    this.#driver = this.#open();
  }

  /** The newest state of the root. */
  get driver(): RunDriver<Context> {
    return this.#driver;
  }

  /** True if the run has ended or waits; false where the process died, or could not go on. */
  get hasReturned(): boolean {
    return this.#over === "returned";
  }

  /** Goes on until the run ends or waits, or the process can go on no more. */
  go(): void {
    this.#take([]);
    while (this.#over === undefined) this.#step();
  }

  #open(inFlight?: InFlight): RunDriver<Context> {
    return this.#parts.open(this.#flights.scripted, this.#driverOptions, this.#now, inFlight);
  }

  get #now(): number {
    return this.#standing ?? this.#time + this.#ahead;
  }

  // Steps.

  #step(): void {
    this.#steps += 1;
    this.#decideDue();
    if (this.#over !== undefined) return;
    const report = this.#nextReport;
    if (this.#tasks.length > 0 && !(report !== undefined && this.#isAhead)) {
      this.#do(this.#tasks.shift() as Task<Context>);
    } else if (this.#tasks.length === 0 && this.#isHandedOver) this.#handOver();
    else if (report !== undefined) this.#takeReport(report);
    else if (this.#owed?.more === true) this.#take([]);
    else if (this.#owed?.stands !== "running") this.#over = "returned";
    else this.#sleep();
  }

  /** True if the script has a report taken before what is owed is done. */
  get #isAhead(): boolean {
    const { moves } = this.#parts.script;
    return moves.length > 0 && (moves[this.#steps % moves.length] as number) % 5 === 4;
  }

  #take(arrived: readonly Arrived[]): Owed<Context>["refused"] {
    const owed = this.#driver.take(arrived, this.#now);
    const { lines, at, early, show, stop, begin, wakeAt, broken } = owed;
    if (broken !== undefined) throw broken.thrown;
    this.#takes += 1;
    this.#owed = owed;
    this.#wake = wakeAt === undefined ? undefined : this.#time + Math.max(0, wakeAt - this.#now);
    for (const call of stop) this.#takeOut(keyOf(call));
    for (const attempt of early) this.#tasks.push({ do: "begin", attempt });
    if (lines.length > 0) this.#tasks.push({ do: "append", lines, at });
    for (const shown of show) this.#tasks.push({ do: "show", shown });
    for (const call of stop) this.#tasks.push({ do: "stop", call });
    for (const attempt of begin) this.#tasks.push({ do: "begin", attempt });
    return owed.refused;
  }

  /** Takes an attempt out of what was to begin. */
  #takeOut(key: string): void {
    const at = this.#tasks.findIndex((each) => each.do === "begin" && keyOf(each.attempt) === key);
    if (at < 0) return;
    this.#tasks.splice(at, 1);
    this.#unbegun.add(key);
  }

  #do(task: Task<Context>): void {
    if (task.do === "begin") this.#begin(task.attempt);
    else if (task.do === "append") this.#append(task.lines, task.at);
    else if (task.do === "show") this.#show(task.shown);
    else this.#stop(task.call);
  }

  #die(): void {
    this.#over = "dead";
  }

  // The journal.

  #append(lines: readonly string[], at: LinesPlace): void {
    const { disk } = this.#parts;
    const { crash, takeover } = this.#faults;
    const number = this.#appends++;
    if (takeover?.at === number) takeover.go();
    if (disk.lines.length !== at.lines) {
      this.thrown = new ReckonerError("journal.conflict", "The journal ends elsewhere.");
      this.#over = "halted";
      return;
    }
    const dies = crash?.in === "append" && crash.at === number;
    disk.append(lines, dies ? crash.reached : "all");
    if (dies) this.#die();
  }

  get #isHandedOver(): boolean {
    const { handovers = [] } = this.#faults;
    return this.#handedOver !== this.#takes && handovers.includes(this.#takes);
  }

  /** The driver is dropped, and another goes on with its lines and what is in flight. */
  #handOver(): void {
    this.#handedOver = this.#takes;
    this.#driver = this.#open(JSON.parse(JSON.stringify(this.#driver.inFlight)));
  }

  // Observers, and people.

  #show(shown: Shown<Context>): void {
    const { crash } = this.#faults;
    const number = this.#observations++;
    if (crash?.in === "observation" && crash.at === number) {
      this.#die();
      return;
    }
    this.shown.push(shown);
    if (shown.type !== "step") return;
    const { run, step } = shown;
    for (const each of step.directives) if (each.type === "approval") this.#ask(run, each);
    if (run !== "") return;
    const { status, seq } = step.state;
    if (status !== "active") return;
    this.#moveClock(seq);
    if (seq >= (this.#parts.options.bound ?? 200)) this.#over = "halted";
    else this.#disturb(seq);
  }

  #ask(run: Path, approval: ApprovalDirective): void {
    const { decisions } = this.#faults;
    const left = decisions?.[this.#asked];
    this.#asked += 1;
    if (left !== undefined) this.#deciding.push({ run, approval, left });
  }

  /** Decides what is due; what is refused is no fault. */
  #decideDue(): void {
    for (const each of [...this.#deciding]) {
      each.left -= 1;
      if (each.left >= 0) continue;
      this.#deciding.splice(this.#deciding.indexOf(each), 1);
      const { run, approval } = each;
      const { id } = approval;
      const decision = this.#flights.decisionOn(approval);
      const refused = this.#take([{ type: "decided", run, id, decision }]);
      if (refused.length === 0) this.inputs.push({ type: "approval.decided", run, what: id });
    }
  }

  #disturb(seq: number): void {
    const move = this.#parts.script.moves[seq] ?? 0;
    if (move < 245) return;
    this.disturbed = true;
    if (move >= 253) this.#take([{ type: "cancel" }]);
    else if (move >= 250) {
      this.#take([{ type: "interrupt", reason: "Stop.", graceMs: move === 250 ? 0 : 3 }]);
    } else {
      const what = `user message at ${seq}`;
      const event = { type: "message", content: what } as const;
      if (this.#take([{ type: "event", event }]).length > 0) return;
      this.inputs.push({ type: "message", run: "", what });
    }
  }

  // Attempts.

  #begin(attempt: Attempt): void {
    this.started.push(attempt);
    this.#flights.begin(attempt, this.#time);
  }

  #stop(call: Call): void {
    const { run, id, attempt } = call;
    const flight = this.#flights.take(call);
    if (flight === undefined && !this.#unbegun.delete(keyOf(call))) return;
    const content = [{ type: "text" as const, text: STREAMED.join("") }];
    const partial = { content, usage: { requests: attempt } };
    const isModel = flight?.attempt.directive.type === "llm";
    this.#reports.push({ type: "stopped", run, id, attempt, ...(isModel ? { partial } : {}) });
  }

  get #nextReport(): Arrived | Flight | undefined {
    if (this.#reports.length > 0) return this.#reports[0];
    const { next } = this.#flights;
    return next === undefined || next.at > this.#time ? undefined : next;
  }

  #takeReport(report: Arrived | Flight): void {
    this.#idle = 0;
    if ("type" in report) {
      this.#reports.shift();
      this.#take([report]);
      return;
    }
    const { attempt: of, outcome, how, dies } = report;
    this.#flights.take(of);
    if (dies) {
      this.#die();
      return;
    }
    const { run, id, attempt } = of;
    const arrived = { ...outcome, run, id, attempt };
    this.#take([arrived]);
    if (how === "twice") this.#take([arrived]);
  }

  // Time.

  /** Moves on to the next moment at which something is due. */
  #sleep(): void {
    const flight = this.#flights.next;
    const next = Math.min(
      flight?.at ?? Number.POSITIVE_INFINITY,
      this.#wake ?? Number.POSITIVE_INFINITY,
    );
    if (next === Number.POSITIVE_INFINITY || this.#idle > MOST_IDLE) {
      const hangs = this.#flights.size > 0 || this.#standing !== undefined;
      if (!hangs) throw new Error("The run neither goes on nor ends nor waits for a time.");
      this.#die();
      return;
    }
    this.#time = Math.max(this.#time, next);
    if (flight !== undefined && flight.at <= this.#time) return;
    this.#idle += 1;
    this.#take([]);
    if (this.#tasks.length > 0) this.#idle = 0;
  }

  #moveClock(seq: number): void {
    const { jumps = [], stands: [from, until] = [-1, -1] } = this.#faults;
    const jump = jumps.reduce((sum, each) => sum + (each.seq === seq ? each.ms : 0), 0);
    // A computer that slept wakes all that was due meanwhile; a clock that is set back wakes nobody.
    if (jump > 0) this.#time += jump;
    else this.#ahead += jump;
    if (seq === from) this.#standing = this.#now;
    if (seq >= until) this.#standing = undefined;
  }
}
