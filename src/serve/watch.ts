/** Watches the lines of a run: reads as fast as it is asked, keeps one page, and waits for what comes. */
import type { LinesPage } from "./run-host.js";

/** Something that whoever watches a run sees. */
export type Seen =
  /** A line, by its number from 0. */
  | { readonly type: "line"; readonly number: number; readonly text: string }
  /**
   * The run goes on in another journal since it was rewound: lines are numbered anew, and the first of them, its
   * header, says behind which event of the other one it goes on.
   */
  | { readonly type: "rewound"; readonly journal: string };

/** The parts of a watch. */
interface Watching {
  page(from: number): Promise<LinesPage>;
  readonly from: number;
  readonly signal: AbortSignal | undefined;
  /** Resolves when there may be more, or after a time. */
  news(ms: number): Promise<void>;
}

const LOOK_MS = 50;
const MAX_LOOK_MS = 1_000;

/** See the banner. */
export async function* watch({ page, from, signal, news }: Watching): AsyncGenerator<Seen> {
  let number = from;
  let journal: string | undefined;
  for (let wait = LOOK_MS; signal?.aborted !== true; ) {
    const read = await page(number);
    if (journal !== undefined && read.journal !== journal) {
      number = 0;
      yield { type: "rewound", journal: read.journal };
      journal = read.journal;
      continue;
    }
    journal = read.journal;
    for (const text of read.lines) {
      yield { type: "line", number, text };
      number += 1;
    }
    if (read.ended) return;
    wait = read.lines.length > 0 ? LOOK_MS : Math.min(2 * wait, MAX_LOOK_MS);
    if (read.lines.length === 0) await news(wait);
  }
}
