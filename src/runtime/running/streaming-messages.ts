/**
 * The messages that models are streaming, in a run and its children: an observer that joins in the
 * middle gets the text so far. (For interrupts see `partials.ts`.)
 */

import type { Observation } from "../ports/observation.js";
import type { Delta } from "../ports/ports.js";

/** One message that is being written. */
interface Present {
  /** The child runs that lead to it, from the outermost. */
  readonly path: readonly string[];
  readonly id: string;
  readonly attempt: number;
  /** Pieces of one kind that follow each other are one. */
  readonly deltas: Delta[];
}

type Stepped = Extract<Observation, { type: "step" }>;

/** The messages that are being written. */
export class StreamingMessages {
  readonly #present = new Map<string, Present>();

  /** Whether there are any. */
  get any(): boolean {
    return this.#present.size > 0;
  }

  /** Takes what happened into account. */
  take(observation: Observation, path: readonly string[] = []): void {
    switch (observation.type) {
      case "delta":
        this.#append(path, observation.id, observation.attempt, observation.delta);
        break;
      // What an earlier attempt wrote is void, and so is what a call wrote that begins anew.
      case "started":
      case "retry":
        this.#present.delete(keyOf(path, observation.id));
        break;
      case "step":
        if (this.any) this.#drop(path, observation);
        break;
      case "child":
        this.take(observation.observation, [...path, observation.runId]);
        break;
      default:
    }
  }

  /** What was written so far, as it is observed; each piece as long as it can be. */
  missed(): Observation[] {
    return [...this.#present.values()].flatMap(({ path, id, attempt, deltas }) =>
      deltas.map((delta) =>
        path.reduceRight<Observation>(
          (observation, runId) => ({ type: "child", runId, observation }),
          { type: "delta", id, attempt, delta: { ...delta } },
        ),
      ),
    );
  }

  #append(path: readonly string[], id: string, attempt: number, delta: Delta): void {
    const key = keyOf(path, id);
    let present = this.#present.get(key);
    if (present?.attempt !== attempt) {
      present = { path, id, attempt, deltas: [] };
      this.#present.set(key, present);
    }
    const last = present.deltas.at(-1);
    const goesOn = last?.type === delta.type && last.toolCallId === delta.toolCallId;
    if (last === undefined || !goesOn) present.deltas.push(delta);
    else present.deltas[present.deltas.length - 1] = { ...last, text: last.text + delta.text };
  }

  /** A message whose call is settled or cancelled is in the transcript, or nowhere. */
  #drop(path: readonly string[], { event, directives, state, ignored }: Stepped): void {
    if (state.status !== "active") {
      for (const [key, present] of this.#present) {
        if (path.every((run, i) => run === present.path[i])) this.#present.delete(key);
      }
    }
    if ("id" in event && ignored === undefined) this.#present.delete(keyOf(path, String(event.id)));
    for (const directive of directives) {
      if (directive.type === "cancel") this.#present.delete(keyOf(path, directive.target));
    }
  }
}

function keyOf(path: readonly string[], id: string): string {
  return JSON.stringify([path, id]);
}
