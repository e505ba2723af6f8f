/**
 * Checks an agent's transcript before a request if a behaviour may have changed it, or if the agent has
 * prices and needs its length. Only the messages since the last check are read, so that a turn costs the same
 * at any length; the List's hash chain proves that the rest is unchanged.
 */
import {
  asJson,
  chain,
  itemAt,
  type List,
  listHead,
  listOf,
  sizeOf,
  toArray,
} from "../../kernel/values/index.js";
import {
  lettersOfMessages,
  type Message,
  messageFault,
  type NotifyDirective,
} from "../../kernel/vocabulary/index.js";
import type { AgentContext, ValidTranscript } from "../context/context.js";
import { invalid } from "../context/invalid.js";
import type { AgentSpec, Behaviour } from "../definition/spec.js";
import {
  isWhole,
  repairTranscript,
  type TranscriptRepair,
} from "../transcript/repair-transcript.js";
import { basicBehaviour } from "./basic-behaviour.js";

/** Returns true when a behaviour leaves the transcript to the agent: it is then valid by construction. */
export function leavesTranscript({ processResponse, afterTool, handleError }: Behaviour): boolean {
  const own = processResponse !== basicBehaviour.processResponse;
  return !own && afterTool === undefined && handleError === undefined;
}

/**
 * The context with its transcript valid, and its notices with what was done to it: as a behaviour has
 * left it.
 * @param open the last answer's calls may lack their results: they are still to be carried out
 */
export function keepTranscript(spec: AgentSpec, context: AgentContext, open = false): AgentContext {
  if (leavesTranscript(spec.behaviour)) return context;
  const { context: next, notices } = checkTranscript(spec, context, open);
  return notices.length === 0 ? next : { ...next, notices: [...next.notices, ...notices] };
}

/** The context with its transcript valid, how far it was looked through, and what was done to it. */
export function checkTranscript(
  spec: AgentSpec,
  context: AgentContext,
  open = false,
): { readonly context: AgentContext; readonly notices: readonly NotifyDirective[] } {
  if (leavesTranscript(spec.behaviour) && spec.prices === undefined)
    return { context, notices: [] };
  const { messages, checked } = context;
  const from = checked !== null && goesOn(messages, checked) ? checked : NOTHING;
  const added = itemsFrom(messages, from.size);
  checkMessages(spec, added, from.size);
  const whole = isWhole(added, open);
  const { messages: all, repair } = whole
    ? { messages: added, repair: null }
    : repairTranscript(toArray(messages), open);
  const now = repair === null ? messages : listOf(all);
  const characters = whole ? from.characters + lettersOfMessages(added) : lettersOfMessages(all);
  // An answer whose calls are open is looked at once more, with their results.
  const looked = open ? checked : { size: sizeOf(now), head: listHead(now), characters };
  return {
    context: { ...context, messages: now, checked: looked },
    notices: repairNotices("behaviour", repair),
  };
}

/** @throws ReckonerError `agent.invalid` where a behaviour has put into the transcript what is no message */
function checkMessages({ behaviour }: AgentSpec, added: readonly Message[], from: number): void {
  if (leavesTranscript(behaviour)) return;
  added.forEach((message, i) => {
    const fault = messageFault(message, `messages[${from + i}]`);
    if (fault === undefined) return;
    throw invalid(`the transcript of behaviour ${behaviour.name}: ${fault}`);
  });
}

const NOTHING: ValidTranscript = { size: 0, head: "", characters: 0 };

/** Returns true when a list continues an earlier one. */
export function goesOn(
  list: List<Message>,
  { size, head }: Pick<ValidTranscript, "size" | "head">,
): boolean {
  if (sizeOf(list) < size) return false;
  let end = head;
  for (let i = size; i < sizeOf(list); i++) end = chain(end, asJson(itemAt(list, i) as Message));
  return end === listHead(list);
}

function itemsFrom(list: List<Message>, from: number): readonly Message[] {
  if (from === 0) return toArray(list);
  const items: Message[] = [];
  for (let i = from; i < sizeOf(list); i++) items.push(itemAt(list, i) as Message);
  return items;
}

/** The origin of a transcript that had to be repaired. */
export type TranscriptSource = "input" | "from" | "behaviour" | "request";

/** A word to observers about what was done to a transcript. */
export function repairNotices(
  source: TranscriptSource,
  repair: TranscriptRepair | null,
): NotifyDirective[] {
  if (repair === null) return [];
  return [{ type: "notify", topic: "transcript.repaired", data: { source, ...repair } }];
}
