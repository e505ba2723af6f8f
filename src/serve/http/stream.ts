/**
 * Makes the body of a response that streams server-sent events, as fast as its reader takes them. A comment
 * now and then tells proxies that the connection is in use.
 */
import { beginningOf } from "../../core/kernel/values/index.js";
import type { Clock } from "../../runtime/for-hosts.js";
import type { Seen } from "../watch.js";
import type { SlowReaders } from "./slow-readers.js";

/** Milliseconds without a word before a comment is sent. Bun closes what is silent for ten seconds. */
const SILENCE_MS = 5_000;

/** The headers of a stream. */
export const STREAM_HEADERS: { readonly [name: string]: string } = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store, no-transform",
  // Proxies that keep answers back until they are whole are told not to, and none is to compress it.
  "x-accel-buffering": "no",
};

/** Characters that are given to a reader at once: whatever is behind a reader holds no more of them. */
const MAX_CHUNK = 64 * 1024;

/** A stream of events. */
export interface EventTexts {
  readonly texts: AsyncIterator<string>;
  /** The number of characters that are held for it, beside the text that is on its way. */
  readonly held: () => number;
  /** Ends what they come from. */
  readonly stop: () => void;
}

/** The body of a stream. */
export function eventStream(
  events: EventTexts,
  { clock, slow }: { readonly clock: Clock; readonly slow: SlowReaders },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<string>> | undefined;
  // Nobody holds a source that was cut off, also where its stream is still held.
  let source: EventTexts | undefined = events;
  let rest = "";
  let goesOn = () => {};
  const leave = () => {
    goesOn();
    source?.stop();
    // Behind a text that nobody takes it would wait for ever.
    void source?.texts.return?.().catch(() => {});
    source = undefined;
    next = undefined;
    rest = "";
  };
  const give = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const chunk = beginningOf(rest, MAX_CHUNK);
    controller.enqueue(encoder.encode(chunk));
    rest = rest.slice(chunk.length);
    goesOn = slow.wait(rest.length + (source?.held() ?? 0), () => {
      leave();
      controller.error(new Error("The reader of a stream did not read, and others need the room."));
    });
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        goesOn();
        if (rest === "") {
          next ??= (source as EventTexts).texts.next();
          const arrived = await within(next, clock);
          if (source === undefined) return;
          if (arrived !== undefined) next = undefined;
          if (arrived?.done === true) {
            controller.close();
            return;
          }
          rest = arrived?.value ?? ":\n\n";
        }
        give(controller);
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}

/** Makes a stop for what a stream comes from. It also stops when the request is aborted. @param close lets go of the source */
export function stopWith(
  signal: AbortSignal,
  close: () => void = () => {},
): { readonly stop: () => void; readonly stopped: AbortSignal } {
  const gone = new AbortController();
  const stop = () => {
    gone.abort();
    close();
  };
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  return { stop, stopped: gone.signal };
}

/** Writes a value as an event that has data alone. */
export function dataEvent(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** Returns what a promise comes to within a time, else `undefined`. */
function within<T>(promise: Promise<T>, clock: Clock): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = clock.setTimer(SILENCE_MS, () => resolve(undefined));
    promise.finally(cancel).then(resolve, reject);
  });
}

/** The lines of a run as events: of a line its number is the id, by which a reader that was cut off goes on. */
export async function* lineEvents(seen: AsyncIterable<Seen>): AsyncGenerator<string> {
  for await (const each of seen) {
    if (each.type === "rewound") {
      yield `event: rewound\ndata: ${JSON.stringify({ journal: each.journal })}\n\n`;
    } else yield `id: ${each.number}\nevent: line\ndata: ${each.text}\n\n`;
  }
}
