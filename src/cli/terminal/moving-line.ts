/** `MovingLine`: a progress line of a terminal that is written over itself, and leaves nothing behind. */
import { endWithin } from "./columns.js";
import type { Output } from "./io.js";
import { visible } from "./visible.js";

/** Goes to the beginning of the line and erases it. */
const ERASE = "\r\u001b[2K";

/** Shows how far something is; where no terminal is there, nothing. */
export class MovingLine {
  readonly #stream: Output;
  #shown = "";

  constructor(stream: Output) {
    this.#stream = stream;
  }

  /** Returns true when lines can move: a terminal that does not know its width has none to be erased. */
  static isOn({ isTTY, columns }: Output): boolean {
    return isTTY === true && columns !== 0;
  }

  /** Shows a text: as much of its end as fits. */
  show(text: string): void {
    if (text === this.#shown || !MovingLine.isOn(this.#stream)) return;
    this.#shown = text;
    // A line as wide as the terminal would wrap, and could not be erased.
    const width = Math.max(20, (this.#stream.columns ?? 80) - 2);
    this.#stream.write(`${ERASE}${endWithin(visible(text), width)}`);
  }

  /** Erases the line; what is written next begins where it was. */
  stop(): void {
    if (this.#shown !== "") this.#stream.write(ERASE);
    this.#shown = "";
  }
}
