/**
 * The lines of a run as server-sent events, as they come. It reads as fast as its reader, and keeps one page; a
 * comment now and then tells proxies that it lives.
 */
import type { Clock } from "../../runtime/for-hosts.js";
import type { Seen } from "../watch.js";

/** Milliseconds without a word before a comment is sent. */
const SILENCE_MS = 15_000;

/** The body of a stream. @param stop ends the watch */
export function eventStream(
  seen: AsyncIterator<Seen>,
  clock: Clock,
  stop: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<Seen>> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        next ??= seen.next();
        const arrived = await within(next, clock);
        if (arrived === undefined) {
          controller.enqueue(encoder.encode(":\n\n"));
          return;
        }
        next = undefined;
        if (arrived.done === true) controller.close();
        else controller.enqueue(encoder.encode(textOf(arrived.value)));
      },
      cancel: stop,
    },
    { highWaterMark: 0 },
  );
}

/** Returns what a promise comes to within a time, else `undefined`. */
function within<T>(promise: Promise<T>, clock: Clock): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = clock.setTimer(SILENCE_MS, () => resolve(undefined));
    promise.finally(cancel).then(resolve, reject);
  });
}

/** An event: of a line its number is the id, by which a reader that was cut off goes on. */
function textOf(seen: Seen): string {
  if (seen.type === "rewound") {
    return `event: rewound\ndata: ${JSON.stringify({ journal: seen.journal })}\n\n`;
  }
  return `id: ${seen.number}\nevent: line\ndata: ${seen.text}\n\n`;
}
