/**
 * `KeptRun`: takes one turn of a run for an engine: opens the run, takes what arrived, and writes lines,
 * record and answers at once. The engine carries out the directives. It decides nothing, and the same texts,
 * arrivals and time give the same writes.
 */
import { Answers } from "./answers.js";
import type { KeptOpen } from "./open-kept.js";
import { RECORD, recordIn } from "./record.js";
import { Turn } from "./turn.js";
import type { Arrivals, KeptRunParts, Turned } from "./turn-types.js";

/** See the banner. */
export class KeptRun {
  readonly #parts: KeptRunParts;
  #open: KeptOpen | undefined;

  constructor(parts: KeptRunParts) {
    this.#parts = parts;
  }

  /** The run is opened anew at the next turn: its writes failed, or nobody knows. */
  drop(): void {
    this.#open = undefined;
  }

  /** Takes what arrived, and writes what came of it. Rejects only where the texts cannot be read or written. */
  async turn(arrivals: Arrivals, now: number): Promise<Turned> {
    const { kept } = this.#parts;
    const answers = new Answers(kept, now);
    const record = recordIn(await answers.load(RECORD, arrivals.mail ?? []));
    const turn = new Turn(this.#parts, { record, answers, now, open: this.#open });
    const turned = await turn.run(arrivals);
    this.#open = this.#parts.stays ? turn.open : undefined;
    return turned;
  }
}
