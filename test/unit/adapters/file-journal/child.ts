// Real processes that hold journals, for the tests of the lock.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { JournalPosition } from "../../../../src/runtime/index.js";

/** The program that a child runs. */
export const CHILD: string = join(import.meta.dirname, "child.mjs");

/** What a child answers: nothing, or what it was refused with. */
export interface Answer {
  readonly code?: string;
  readonly message?: string;
}

/** A process that writes journals as it is told. */
export class Child {
  readonly #process: ChildProcess;
  #settle: (answer: Answer) => void = () => {};

  private constructor(process: ChildProcess) {
    this.#process = process;
    process.on("message", (answer: Answer) => this.#settle(answer));
    process.on("exit", () => this.#settle({ code: "exited" }));
  }

  /** Starts one that is ended with the test. */
  static async start(): Promise<Child> {
    const started = fork(CHILD);
    onTestFinished(() => void started.kill("SIGKILL"));
    const child = new Child(started);
    await child.#answer();
    return child;
  }

  get pid(): number {
    return this.#process.pid as number;
  }

  open(path: string, mode: "create" | "append" = "append"): Promise<Answer> {
    return this.#ask({ task: "open", path, mode });
  }

  append(lines: readonly string[], expected: JournalPosition): Promise<Answer> {
    return this.#ask({ task: "append", lines, expected });
  }

  close(): Promise<Answer> {
    return this.#ask({ task: "close" });
  }

  /** Ends it where it stands; resolves when it is gone. */
  async kill(): Promise<void> {
    const gone = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await gone;
  }

  #ask(message: object): Promise<Answer> {
    const answer = this.#answer();
    this.#process.send(message);
    return answer;
  }

  /** The next one; a child is asked one thing at a time. */
  #answer(): Promise<Answer> {
    return new Promise((resolve) => {
      this.#settle = resolve;
    });
  }
}
