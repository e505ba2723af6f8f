/**
 * `OwnerChanges`: commits to the store what the owner of a run has changed (lines, row, answers to what was
 * sent), and asks again until the outcome is known. It knows nothing of what a run does.
 */
import type { RunParts } from "./host-parts.js";
import { CONFLICT } from "./leave.js";
import { faultOf } from "./mail-content.js";
import type { Answer } from "./run-host.js";
import type { Change, Held } from "./store.js";

type Parts = Pick<RunParts, "store" | "owner" | "clock" | "committed">;

/** Milliseconds before a change is asked for again whose outcome nobody knows; doubled each time. */
const AGAIN_MS = 100;

/** See the banner. */
export class OwnerChanges {
  readonly #held: Held;
  readonly #parts: Parts;
  #answers: Answer[] = [];
  #isProgress = false;
  #count = 0;
  #token = "";
  #isDropped = false;

  constructor(held: Held, parts: Parts) {
    this.#held = held;
    this.#parts = parts;
  }

  /** Of the last change. */
  get token(): string {
    return this.#token;
  }

  /** Answers are owed, which go with the next change. */
  get owesAnswers(): boolean {
    return this.#answers.length > 0;
  }

  /** Something that was said is taken by the lines of the next change. */
  taken(key: string): void {
    this.#answers.push({ outcome: "taken", key, lines: 0 });
  }

  refuse(key: string, thrown: unknown): void {
    const { code, message } = faultOf(thrown);
    this.#answers.push({ outcome: "refused", key, code: code as never, message });
  }

  /** Drops what is owed: the mail waits for another owner. */
  forgetAnswers(): void {
    this.#answers = [];
  }

  /** An attempt has come to something: the next change says so. */
  progress(): void {
    this.#isProgress = true;
  }

  /** The run is another host's: nothing more is asked for. */
  drop(): void {
    this.#isDropped = true;
  }

  /**
   * Asks for a change until its outcome is known.
   * @param lines of the run, by then
   * @returns the answers that are durable by then; `undefined` where the run is this host's no more
   * @throws ReckonerError `journal.conflict`
   */
  async commit(
    parts: Omit<Change, "token" | "answers" | "progress">,
    lines: number,
  ): Promise<readonly Answer[] | undefined> {
    const { store, owner, clock, committed } = this.#parts;
    const answers = this.#answers.map((each) => ("lines" in each ? { ...each, lines } : each));
    this.#answers = [];
    const progress = this.#isProgress;
    this.#isProgress = false;
    this.#count += 1;
    const token = `${owner}/${this.#held.epoch}/${this.#count}`;
    this.#token = token;
    const change: Change = { ...parts, token, answers, progress };
    for (let wait = AGAIN_MS; ; wait *= 2) {
      if (this.#isDropped) return undefined;
      try {
        if (!(await store.commit(owner, this.#held, change))) return undefined;
        committed(this.#held, answers);
        return answers;
      } catch (thrown) {
        if (CONFLICT.test(faultOf(thrown).code)) throw thrown;
        await clock.sleep(wait);
      }
    }
  }
}
