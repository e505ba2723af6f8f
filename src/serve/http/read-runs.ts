/**
 * Caches runs as far as pages have read them, so that a request goes on behind the lines that an earlier one
 * has read. A cached run is handed to one reader at a time, so that no line is taken twice.
 */
import { BoundedCache } from "../bounded-cache.js";
import { type PageEvent, PageFold } from "../page/index.js";

/** Runs that are kept, and characters of what they hold in all. */
const MAX_RUNS = 100;
const MAX_LENGTH = 16 * 1024 * 1024;

/** A run as far as it was read. */
export class ReadRun {
  readonly fold: PageFold = new PageFold();
  journal: string | undefined;
  /** The number of lines that were read, and the last of them. */
  lines = 0;
  last = "";
  /** The events of the last turn, and of what was said since. */
  #turn: PageEvent[] = [];
  #turnLength = 0;
  #isOver = false;

  get turn(): readonly PageEvent[] {
    return [...this.#turn];
  }

  /** The number of characters that it holds. */
  get length(): number {
    return this.fold.length + this.last.length + this.#turnLength;
  }

  /** Takes lines of its journal. */
  take(lines: readonly string[]): readonly PageEvent[] {
    this.lines += lines.length;
    this.last = lines.at(-1) ?? this.last;
    return this.took(lines.flatMap((line) => this.fold.take(line)));
  }

  /** Takes events that its fold made. */
  took(events: readonly PageEvent[]): readonly PageEvent[] {
    for (const event of events) this.#keep(event);
    return events;
  }

  #keep(event: PageEvent): void {
    if (this.#isOver && (event.type === "user" || event.type === "begin")) {
      this.#turn = [];
      this.#turnLength = 0;
      this.#isOver = false;
    }
    if (event.type === "end") this.#isOver = true;
    this.#turnLength += JSON.stringify(event).length;
    const last = this.#turn.at(-1);
    if (isPiece(event) && isPiece(last) && continues(event, last)) {
      this.#turn[this.#turn.length - 1] = { ...event, text: `${last.text}${event.text}` };
    } else this.#turn.push(event);
  }
}

type Piece = Extract<PageEvent, { readonly type: "text" | "input" }>;

function isPiece(event: PageEvent | undefined): event is Piece {
  return event?.type === "text" || event?.type === "input";
}

/** True for a piece of that of which another one is. */
function continues(event: Piece, last: Piece): boolean {
  if (event.type === "text") return last.type === "text" && last.id === event.id;
  return last.type === "input" && last.call === event.call;
}

/** See the banner: those of a process. */
export class ReadRuns {
  readonly #kept = new BoundedCache<ReadRun>(MAX_RUNS, MAX_LENGTH);

  /** Hands out a run to one who reads it on. */
  take(key: string): ReadRun | undefined {
    return this.#kept.take(key);
  }

  keep(key: string, run: ReadRun): void {
    // Behind a text that streams in no other reader can go on.
    if (run.lines === 0 || run.fold.isStreaming) return;
    this.#kept.keep(key, run, run.length);
  }
}
