/** The disk of a simulated run: the lines of its journal, and what was torn behind them. */
import { textOfLines } from "../core/journal/index.js";
import type { Reached } from "./fault-plan.js";

/** A journal's lines. */
export class SimulatedDisk {
  /** Its whole lines. */
  readonly lines: string[];
  /** The text behind the last newline. */
  torn: string;

  constructor({ lines, torn }: Pick<SimulatedDisk, "lines" | "torn"> = { lines: [], torn: "" }) {
    this.lines = [...lines];
    this.torn = torn;
  }

  /** The text of the journal. */
  get text(): string {
    return textOfLines(this.lines) + this.torn;
  }

  /** Appends lines, as far as the append reaches the disk. A torn line is cut off before. */
  append(lines: readonly string[], reached: Reached): void {
    const text = reached === "all" ? "" : partOf(textOfLines(lines), reached);
    const whole = reached === "all" ? lines : text.split("\n").slice(0, -1);
    this.torn = text.slice(text.lastIndexOf("\n") + 1);
    for (const line of whole) this.lines.push(line);
  }
}

/** As much of a text as was reached. */
function partOf(text: string, reached: Reached): string {
  if (reached === "nothing") return "";
  return reached === "all" ? text : text.slice(0, Math.floor(text.length / 2));
}
