/** A line of a terminal that moves while something is done, and leaves nothing behind. */
import { endWithin } from "./columns.js";
import type { Output } from "./io.js";

const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
/** Milliseconds that a frame is shown. */
const INTERVAL = 80;
/** Goes to the beginning of the line and erases it. */
const ERASE = "\r\u001b[2K";

/** A moving line on a terminal; nothing is shown until it has a text. */
export class Spinner {
  readonly #stream: Output;
  #timer: NodeJS.Timeout | undefined;
  #text = "";
  #frame = 0;

  constructor(stream: Output) {
    this.#stream = stream;
  }

  /** Shows a text: as much of its end as fits. */
  show(text: string): void {
    this.#text = text;
    if (this.#timer !== undefined) return;
    this.#draw();
    this.#timer = setInterval(() => this.#draw(), INTERVAL);
  }

  /** Erases the line; what is written next begins where it was. */
  stop(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#stream.write(ERASE);
  }

  #draw(): void {
    const frame = FRAMES[this.#frame++ % FRAMES.length];
    // A line as wide as the terminal would wrap, and could not be erased.
    const width = Math.max(20, (this.#stream.columns ?? 80) - 4);
    this.#stream.write(`${ERASE}${frame} ${endWithin(this.#text, width)}`);
  }
}
