/**
 * The calls that a simulated process makes (models, tools, stores, approvers, timers), with
 * injected faults. It counts them, and knows whether the process is alive; it must not know what
 * they are for.
 */
import type { Clock } from "../runtime/index.js";
import type { CallFault, Crash } from "./fault-plan.js";

/** The faults of one process's calls. */
export interface CallPlan {
  /** When the process dies; of crashes in appends others take care. */
  readonly crash?: Crash;
  readonly calls?: readonly CallFault[];
}

/** The making of a call, and of its faults. */
export interface FaultyCall<T> {
  ask(): Promise<T>;
  /** The answer comes a second time. */
  again?(answer: T): void;
  /** Makes the error of a lost connection. */
  broken?(message: string): Error;
}

const NEVER = new Promise<never>(() => {});

/** The calls of one process. */
export class FaultyCalls {
  readonly #plan: CallPlan;
  readonly #clock: Clock;
  readonly #onDeath: () => void;
  #calls = 0;
  #observations = 0;
  #dead = false;
  #unanswered = 0;

  /** @param onDeath from now on nothing that the process does has an effect */
  constructor(plan: CallPlan, clock: Clock, onDeath: () => void) {
    this.#plan = plan;
    this.#clock = clock;
    this.#onDeath = onDeath;
  }

  get dead(): boolean {
    return this.#dead;
  }

  /** Returns true when a question is open that will never be answered: the process may wait for ever. */
  get hangs(): boolean {
    return this.#unanswered > 0;
  }

  die(): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#onDeath();
  }

  /** Something is observed. @returns whether the process is alive to see it */
  observes(): boolean {
    if (this.#dead) return false;
    const { crash } = this.#plan;
    const number = this.#observations++;
    if (crash?.in !== "observation" || crash.at !== number) return true;
    this.die();
    return false;
  }

  /** Makes a call, as far as the plan lets it be made. */
  call<T>({ ask, again, broken = systemBroken }: FaultyCall<T>): Promise<T> {
    if (this.#dead) return NEVER;
    const number = this.#calls++;
    const { crash, calls = [] } = this.#plan;
    const dies = crash?.in === "call" && crash.at === number ? crash.reached : undefined;
    if (dies === "nothing") return this.#gone();
    const { how, ms = 0 } = calls.find(({ at }) => at === number) ?? {};
    if (how === "refused") return Promise.reject(broken("The connection was refused."));
    const asked = ask();
    if (dies === "all") return settled(asked).then(() => this.#gone());
    if (dies === "part" || how === "never") {
      // Nobody awaits its result any more.
      void settled(asked);
      if (dies === "part") return this.#gone();
      this.#unanswered += 1;
      return NEVER;
    }
    if (how === "twice") return twice(asked, again);
    // Late on the virtual clock; aborting the call does not stop the answer.
    if (how === "late") return settled(asked).then(() => this.#clock.sleep(ms).then(() => asked));
    if (how !== "lost") return asked;
    return asked.then(() => {
      throw broken("The connection was lost.");
    });
  }

  #gone(): Promise<never> {
    this.die();
    return NEVER;
  }
}

function settled(asked: Promise<unknown>): Promise<unknown> {
  return asked.catch(() => {});
}

/** Makes a promise that settles twice, as none of the platform's does. */
function twice<T>(asked: Promise<T>, again: ((answer: T) => void) | undefined): Promise<T> {
  const settling = (resolve: (answer: T) => void, reject: (thrown: unknown) => void) => {
    asked.then((answer) => {
      resolve(answer);
      again?.(answer);
      resolve(answer);
      reject(new Error("It came a second time."));
    }, reject);
  };
  // biome-ignore lint/suspicious/noThenProperty: a promise of somebody else's making
  return { then: settling } as unknown as Promise<T>;
}

function systemBroken(message: string): Error {
  return Object.assign(new Error(message), { code: "ECONNRESET" });
}
