/**
 * Serves the AI SDK's `useChat` over a run: takes the requests that it sends, and streams the run's turn back as
 * UI messages.
 */

import * as shapes from "../../core/kernel/shapes.js";
import {
  digestOf,
  isReckonerError,
  ReckonerError,
  shownBriefly,
} from "../../core/kernel/values/index.js";
import {
  type ApprovalDecision,
  type MessageEvent,
  pairKey,
} from "../../core/kernel/vocabulary/index.js";
import type { Clock } from "../../runtime/for-hosts.js";
import {
  contentOf,
  type PageEvent,
  placeOf,
  type UiMessage,
  UiMessages,
  type UiPart,
  UiStream,
  WITHDRAWN_CALL,
} from "../page/index.js";
import type { Answer, RunHost, Sender } from "../run-host.js";
import { messageEvents, PageReader, type Wanted } from "./page-reader.js";
import type { Call, ServedRuns } from "./served.js";
import { dataEvent, eventStream, STREAM_HEADERS, stopWith } from "./stream.js";

/** A chat as a page sends it: its id is the run's. */
interface Chat {
  readonly id: string;
  readonly messages: readonly UiMessage[];
  readonly trigger?: string;
  /** Of the user's message that is edited, or of the agent's that goes on. */
  readonly messageId?: string;
  /** The reasoner of a run that begins. */
  readonly reasoner?: string;
}

/** The messages of a run. @throws ReckonerError `run.missing` */
export async function chatMessages(
  runs: ServedRuns,
  id: string,
  clock: Clock,
): Promise<{ readonly messages: readonly UiMessage[] }> {
  const reader = new PageReader(runs, id, clock, true);
  try {
    const messages = new UiMessages();
    for (const event of await reader.read()) messages.take(event);
    reader.leave();
    return { messages: messages.messages };
  } finally {
    reader.close();
  }
}

/** The newest message, for a page that was loaded anew or cut off: from its beginning, and on. */
export async function resumedChat(call: Call): Promise<Response> {
  const { runs, parts, query, clock } = call;
  const follows = query.get("follow") === "true";
  const reader = new PageReader(runs, parts.run as string, clock);
  try {
    const read = await reader.readIfThere();
    if (!reader.fold.isRunning && !read.some(({ type }) => type === "begin")) {
      reader.leave();
      return new Response(null, { status: 204 });
    }
    const wanted = { type: "newest", follows } as const;
    return streamed({ call, reader, wanted, read, isReplay: true });
  } catch (thrown) {
    reader.close();
    throw thrown;
  }
}

/** Something was said in a page, or decided: it is told to the run, and its answer streams back. */
export async function chat(call: Call): Promise<unknown> {
  const { runs, sender, clock } = call;
  const body = chatIn(call.body);
  const last = body.messages.at(-1) as UiMessage;
  const run = runs.run(body.id);
  let reader = new PageReader(runs, body.id, clock);
  const readAgain = async () => {
    reader.close();
    reader = new PageReader(runs, body.id, clock, true);
    return reader.readIfThere();
  };
  try {
    // A message of the agent's is of a run that is there.
    let read = await (last.role === "assistant" ? reader.read() : reader.readIfThere());
    const isOld = last.role === "assistant" || reader.fold.eventOf(last.id) !== undefined;
    // Of an earlier turn what was kept has no events.
    if (reader.isPartial && isOld && !read.some((each) => isOf(each, last.id))) {
      read = await readAgain();
    }
    if (last.role === "assistant") {
      if (!read.some((each) => isOf(each, last.id))) throw noMessage(body.id, last.id);
      const parts = body.messages.flatMap((message) => message.parts);
      const refused = await decideAll(reader, run, sender, ({ id, call, asks }) => {
        const part = parts.find((each) => isAnswerTo(each, id, call, asks));
        return part && decisionIn(part, asks);
      });
      if (refused !== undefined) {
        reader.leave();
        return refused;
      }
      // The decisions are in the lines by now: the run does not wait any more.
      read = [...read, ...(await reader.readIfThere())];
      const has = placesIn(last.parts);
      return streamed({ call, reader, wanted: { type: "message", id: last.id }, read, has });
    }
    const seq = reader.fold.eventOf(last.id);
    const isAgain = body.trigger === "regenerate-message";
    const content = isAgain ? undefined : contentOf(last.parts);
    const edited =
      isAgain || body.messageId === last.id
        ? await edit(run, { id: last.id, seq, content }, sender)
        : undefined;
    const isEdit = edited !== undefined;
    if (content === undefined && !isEdit) throw noMessage(body.id, last.id);
    const message = { id: last.id, content: content ?? "" };
    const answer = edited ?? (await begunWith(run, message, sender, body.reasoner));
    if (answer.outcome === "refused") {
      reader.leave();
      return answer;
    }
    if (isEdit) read = await readAgain();
    return streamed({ call, reader, wanted: { type: "answer", to: last.id }, read });
  } catch (thrown) {
    reader.close();
    throw thrown;
  }
}

function noMessage(run: string, message: string): ReckonerError {
  return new ReckonerError("fork.point", `The run ${run} has no message ${message}.`);
}

/** True for the event with which a message begins. */
function isOf(event: PageEvent, message: string): boolean {
  return (event.type === "user" || event.type === "begin") && event.id === message;
}

/** @throws ReckonerError `event.invalid` */
function chatIn(body: Call["body"]): Chat {
  const { id, messages } = body;
  const list = Array.isArray(messages) ? messages : [];
  const last = list.at(-1);
  const isMessage =
    typeof last?.id === "string" &&
    (last.role === "user" || last.role === "assistant") &&
    list.every((each) => Array.isArray(each?.parts) && each.parts.every(shapes.OBJECT[0]));
  if (typeof id === "string" && isMessage) return body as unknown as Chat;
  const message =
    "A chat is { id, messages, trigger, messageId }, as the AI SDK's transport sends it; its last message is the user's or the agent's.";
  throw new ReckonerError("event.invalid", message);
}

/** An edit, as a page names it. */
interface PageEdit {
  /** Of the message. */
  readonly id: string;
  /** The number of its event; absent where it is in no line: perhaps it was just taken back by this edit. */
  readonly seq: number | undefined;
  readonly content: MessageEvent["content"] | undefined;
}

/**
 * Edits a message. A page that heard no answer sends it again, and the message may stand elsewhere by then: the edit
 * is known by the message and its words, and is done once.
 * @returns `undefined` where there is no such message
 */
async function edit(
  run: RunHost,
  { id, seq, content }: PageEdit,
  sender: Sender,
): Promise<Answer | undefined> {
  const { key: senderKey, by = null, role = null } = sender;
  const words = JSON.stringify([id, content ?? null, by, role]);
  const key = senderKey === undefined ? undefined : `edit-${digestOf(pairKey(senderKey, words))}`;
  if (seq !== undefined) {
    const answer = await run.edit(seq, content, { ...sender, key });
    if (answer.outcome !== "refused" || answer.code !== "event.key") return answer;
  }
  if (key === undefined) return undefined;
  return run.answer(key).catch((thrown: unknown) => {
    if (isReckonerError(thrown) && thrown.code === "run.missing") return undefined;
    throw thrown;
  });
}

/** Says something to a run, which begins where it is not there: it must be a conversation. */
export async function begunWith(
  run: RunHost,
  { id, content }: Pick<MessageEvent, "content"> & { readonly id: string },
  sender: Sender,
  reasoner: string | undefined,
): Promise<Answer> {
  const withKey = { ...sender, key: id };
  const answer = await run.message(content, withKey);
  if (answer.outcome !== "refused" || answer.code !== "run.missing") return answer;
  const { by } = sender;
  const begun = await run.start({ reasoner, input: { messages: [] }, person: by }, { by });
  return begun.outcome === "refused" ? begun : run.message(content, withKey);
}

/**
 * Decides what a page has answered and what still waits for it.
 * @returns why the run does not take it; what others have decided meanwhile is passed over
 */
export async function decideAll(
  { fold }: PageReader,
  run: RunHost,
  sender: Sender,
  decisionOn: (waiting: PageReader["fold"]["approvals"][number]) => ApprovalDecision | undefined,
): Promise<Answer | undefined> {
  for (const waiting of fold.approvals) {
    const decision = decisionOn(waiting);
    if (decision === undefined) continue;
    const answer = await run.decide(waiting.id, decision, { ...sender, key: undefined });
    if (answer.outcome === "refused" && answer.code !== "approval.stale") return answer;
  }
  return undefined;
}

function isAnswerTo(part: UiPart, id: string, call: string, asks: boolean): boolean {
  const { state, approval, toolCallId } = part;
  if (asks) return toolCallId === call && /^output-(?:available|error)$/.test(String(state));
  return (
    state === "approval-responded" && (approval as { readonly id?: unknown } | undefined)?.id === id
  );
}

function decisionIn(part: UiPart, asks: boolean) {
  if (!asks) {
    const { approved, reason } = part.approval as { approved?: unknown; reason?: unknown };
    const why = typeof reason === "string" ? { reason } : {};
    if (typeof approved !== "boolean") throw notDecided("approval.approved", approved);
    return { approve: approved, ...(approved ? {} : why) };
  }
  if (part.state === "output-available") return { approve: true, value: part.output as never };
  return { approve: false, reason: String(part.errorText ?? "The page did not answer.") };
}

/** A decision that is neither yes nor no decides nothing. */
export function notDecided(place: string, value: unknown): ReckonerError {
  const found = value === undefined ? "missing" : shownBriefly(value);
  return new ReckonerError("event.invalid", `${place} must be true or false; it is ${found}.`);
}

/** The places of the texts, and the ids of the calls, that a message has already. */
function placesIn(parts: readonly UiPart[]): ReadonlySet<string> {
  const has = new Set<string>();
  for (const part of parts) {
    const { state, toolCallId, providerMetadata } = part;
    const own = providerMetadata as { readonly reckoner?: { readonly id?: unknown } } | undefined;
    const id = own?.reckoner?.id;
    if (typeof id === "string" && state === "done") has.add(placeOf(id));
    if (typeof toolCallId === "string" && !isUnfinished(part)) has.add(toolCallId);
  }
  return has;
}

/** A call of which the page has not the whole input. */
function isUnfinished({ state, errorText }: UiPart): boolean {
  return state === "input-streaming" || errorText === WITHDRAWN_CALL;
}

/** A message that is streamed. */
interface Streamed {
  readonly call: Call;
  readonly reader: PageReader;
  readonly wanted: Wanted;
  readonly read: readonly PageEvent[];
  readonly has?: ReadonlySet<string>;
  readonly isReplay?: boolean;
}

function streamed({ call, reader, wanted, read, has, isReplay }: Streamed): Response {
  const { stop, stopped } = stopWith(call.signal, () => reader.close());
  const events = messageEvents(reader, wanted, read, stopped);
  const texts = uiTexts(events, new UiStream(has, isReplay));
  return new Response(eventStream({ texts, held: () => reader.length, stop }, call), {
    headers: { ...STREAM_HEADERS, "x-vercel-ai-ui-message-stream": "v1" },
  });
}

async function* uiTexts(
  events: AsyncIterable<readonly PageEvent[]>,
  stream: UiStream,
): AsyncGenerator<string> {
  let isWhole = false;
  for await (const some of events) {
    const chunks = some.flatMap((event) => stream.take(event));
    isWhole ||= some.some(({ type }) => type === "end");
    if (chunks.length > 0) yield chunks.map(dataEvent).join("");
  }
  if (!isWhole) yield stream.end(false).map(dataEvent).join("");
  yield "data: [DONE]\n\n";
}
