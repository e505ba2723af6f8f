/**
 * `watch`: yields the lines of a run from a number on, and waits for those that are still written. It reads as
 * fast as it is asked, and keeps one page.
 */
import * as shapes from "../core/kernel/shapes.js";
import { checkAllOptions, SIGNAL } from "../runtime/for-hosts.js";
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

/** Options of a watch. */
export interface WatchOptions {
  /** The number of the first line. Default 0. */
  readonly from?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The parts of a watch. */
interface Watching {
  page(from: number): Promise<LinesPage>;
  /** Resolves when there may be more, or after a time. */
  news(ms: number): Promise<void>;
}

const LOOK_MS = 50;
const MAX_LOOK_MS = 1_000;

const WATCH: shapes.Shapes<WatchOptions> = {
  from: shapes.whole(0),
  signal: SIGNAL,
};

/** See the banner. @throws ReckonerError `option.invalid`, and what `page` throws */
export async function* watch(
  options: WatchOptions,
  { page, news }: Watching,
): AsyncGenerator<Seen> {
  const { from = 0, signal } = checkAllOptions("watch", options, WATCH);
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
