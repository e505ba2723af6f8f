/**
 * Makes the body of a response that streams server-sent events, as fast as its reader takes them. A comment
 * now and then tells proxies that the connection is in use.
 */
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
    controller.enqueue(encoder.encode(cutText(rest)));
    rest = rest.slice(cutText(rest).length);
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

/** The beginning of a text, as much as is given at once; no letter is torn. */
function cutText(text: string): string {
  if (text.length <= MAX_CHUNK) return text;
  const last = text.charCodeAt(MAX_CHUNK - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? MAX_CHUNK - 1 : MAX_CHUNK);
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
