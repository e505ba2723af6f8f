/**
 * Serves a run to clients of AG-UI: its thread is the run, approvals are interrupts, and each request streams
 * until the run waits or ends.
 */

import * as shapes from "../../core/kernel/shapes.js";
import { type Json, ReckonerError } from "../../core/kernel/values/index.js";
import { AgUiStream, contentOfAgUi } from "../page/index.js";
import type { Answer, RunHost, Sender } from "../run-host.js";
import { begunWith, decideAll, notDecided } from "./chat.js";
import { PageReader } from "./page-reader.js";
import type { Call } from "./served.js";
import { dataEvent, eventStream, STREAM_HEADERS, stopWith } from "./stream.js";

/** A request of AG-UI, as far as it is needed. */
interface RunInput {
  readonly threadId: string;
  readonly runId: string;
  readonly messages: readonly {
    readonly id: string;
    readonly role: string;
    readonly content?: unknown;
  }[];
  readonly resume?: readonly {
    readonly interruptId: string;
    readonly status: "resolved" | "cancelled";
    readonly payload?: unknown;
  }[];
  readonly forwardedProps?: { readonly reasoner?: unknown } | null;
}

/** Something was said to a thread, or its interrupts were answered; or it is only looked at. */
export async function agUi(call: Call): Promise<unknown> {
  const { runs, body, sender, clock } = call;
  const input = inputIn(body);
  const run = runs.run(input.threadId);
  const reader = new PageReader(runs, input.threadId, clock, true);
  try {
    const read = [...(await reader.readIfThere())];
    const { resume = [] } = input;
    const decided = await decideAll(reader, run, sender, ({ id, asks }) => {
      const entry = resume.find(({ interruptId }) => interruptId === id);
      return entry && decisionIn(entry, asks);
    });
    const refused = decided ?? (await say(reader, run, input, sender));
    if (refused !== undefined) {
      reader.close();
      return refused;
    }
    read.push(...(await reader.readIfThere()));
    const stream = new AgUiStream();
    for (const event of read) stream.take(event);
    const { stop, stopped } = stopWith(call.signal, () => reader.close());
    const texts = threadEvents(reader, stream, input, stopped);
    const held = () => reader.length + stream.length;
    return new Response(eventStream({ texts, held, stop }, call), { headers: STREAM_HEADERS });
  } catch (thrown) {
    reader.close();
    throw thrown;
  }
}

async function* threadEvents(
  reader: PageReader,
  stream: AgUiStream,
  { threadId, runId, messages }: RunInput,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const last = messages.at(-1);
  const isHeard = () => last?.role !== "user" || reader.fold.eventOf(last.id) !== undefined;
  yield dataEvent({ type: "RUN_STARTED", threadId, runId, protocolVersion: "1.0" });
  yield stream.soFar().map(dataEvent).join("");
  reader.want();
  try {
    while (!signal.aborted && !reader.isRewound && (reader.fold.isRunning || !isHeard())) {
      await reader.news();
      const events = [...(await reader.read()), ...reader.live()];
      const agUiEvents = events.flatMap((event) => stream.take(event));
      if (agUiEvents.length > 0) yield agUiEvents.map(dataEvent).join("");
      const parked = events.length > 0 ? [] : await reader.parked();
      for (const event of parked) stream.take(event);
      if (parked.length > 0) break;
    }
    const waits = reader.fold.approvals.map(({ id }) => id);
    yield stream.finished(threadId, runId, waits).map(dataEvent).join("");
  } finally {
    reader.close();
  }
}

/** @throws ReckonerError `event.invalid` */
function inputIn(body: Call["body"]): RunInput {
  const { threadId, runId, messages, resume = [] } = body;
  const isInput =
    typeof threadId === "string" &&
    typeof runId === "string" &&
    Array.isArray(messages) &&
    messages.every((each) => typeof (each as { id?: unknown } | null)?.id === "string") &&
    Array.isArray(resume) &&
    resume.every(isEntry);
  if (isInput) return body as unknown as RunInput;
  const message =
    "A request of AG-UI is { threadId, runId, messages, resume }; each of resume has an interruptId, and a status resolved or cancelled.";
  throw new ReckonerError("event.invalid", message);
}

/** An answer to an interrupt. One that is none would be passed over in silence, or would deny what it was to allow. */
function isEntry(entry: unknown): boolean {
  if (!shapes.OBJECT[0](entry)) return false;
  const { interruptId, status } = entry as { readonly interruptId?: unknown; status?: unknown };
  return typeof interruptId === "string" && (status === "resolved" || status === "cancelled");
}

/** Says the last message, where the run has not heard it. @returns why it is refused */
async function say(
  { fold }: PageReader,
  run: RunHost,
  { messages, forwardedProps }: RunInput,
  sender: Sender,
): Promise<Answer | undefined> {
  const last = messages.at(-1);
  if (last?.role !== "user" || fold.eventOf(last.id) !== undefined) return undefined;
  const reasoner = forwardedProps?.reasoner;
  const own = typeof reasoner === "string" ? reasoner : undefined;
  const answer = await begunWith(
    run,
    { id: last.id, content: contentOfAgUi(last.content) },
    sender,
    own,
  );
  return answer.outcome === "refused" ? answer : undefined;
}

function decisionIn({ status, payload }: NonNullable<RunInput["resume"]>[number], asks: boolean) {
  if (status !== "resolved") return { approve: false, reason: "cancelled" };
  if (asks) return { approve: true, value: payload as Json };
  const { approve, reason, input } = (payload ?? {}) as { [part: string]: unknown };
  if (typeof approve !== "boolean") throw notDecided("payload.approve", approve);
  return {
    approve,
    ...(typeof reason === "string" ? { reason } : {}),
    ...(approve && input !== undefined ? { input: input as Json } : {}),
  };
}
