/**
 * Shows the progress of a run: on a terminal a line with the current activity and the streamed
 * text; elsewhere one line per observation.
 */
import { tableHas } from "../../core/kernel/values/index.js";
import type { Observation } from "../../runtime/index.js";
import { type Io, say, styles } from "../terminal/io.js";
import { MovingLine } from "../terminal/moving-line.js";
import { RunTeller } from "./describe-observation.js";

/** The work in progress, shown to a person. */
export interface Progress {
  observe(observation: Observation): void;
  /** Clears the moving line while somebody else has the terminal. */
  pause(): void;
  resume(): void;
  stop(): void;
}

/** Progress of one run, on standard error. */
export function progressOf(io: Io): Progress {
  const teller = new RunTeller();
  if (!MovingLine.isOn(io.stderr)) {
    return {
      observe: (observation) => {
        const line = teller.tell(observation);
        if (line !== undefined) say(io, line);
      },
      pause() {},
      resume() {},
      stop() {},
    };
  }
  return new TerminalProgress(io, teller);
}

/** Letters of a text that is being written that are kept: more than a terminal has columns. */
const MOST = 1_000;

class TerminalProgress implements Progress {
  readonly #io: Io;
  readonly #teller: RunTeller;
  readonly #line: MovingLine;
  /** The running work, with the end of its output so far. */
  readonly #running = new Map<string, string>();
  #paused = false;

  constructor(io: Io, teller: RunTeller) {
    this.#io = io;
    this.#teller = teller;
    this.#line = new MovingLine(io.stderr);
  }

  observe(observation: Observation): void {
    const line = this.#teller.tell(observation);
    if (line !== undefined) this.#say(line);
    if (observation.type === "started") this.#running.set(observation.id, "");
    if (observation.type === "delta") {
      const { id, delta } = observation;
      const written = `${this.#running.get(id) ?? ""}${delta.text}`;
      this.#running.set(id, written.slice(-MOST));
    }
    if (observation.type === "step") {
      const { outstanding } = observation.state;
      for (const id of this.#running.keys()) {
        if (!tableHas(outstanding, id)) this.#running.delete(id);
      }
    }
    this.#show();
  }

  pause(): void {
    this.#paused = true;
    this.#line.stop();
  }

  resume(): void {
    this.#paused = false;
    this.#show();
  }

  stop(): void {
    this.#running.clear();
    this.pause();
  }

  #say(line: string): void {
    this.#line.stop();
    say(this.#io, styles.dim(line));
  }

  #show(): void {
    if (this.#paused || this.#running.size === 0) {
      this.#line.stop();
      return;
    }
    const [[id, written] = ["", ""]] = [...this.#running].slice(-1);
    const others = this.#running.size > 1 ? ` (and ${this.#running.size - 1} more)` : "";
    const words = written.replace(/\s+/g, " ").trim();
    // The end of a text that is being written is what moves.
    this.#line.show(`${this.#teller.label(id)}${others} ${words}`);
  }
}
