/**
 * Repairs the transcript of an agent's context that comes from elsewhere (it was deserialized, or a run
 * continues the conversation of another), and answers the tool calls that were under way in it.
 */

import { listOf, toArray, vectorItems } from "../../kernel/values/index.js";
import { callIdentity, type Message } from "../../kernel/vocabulary/index.js";
import type { AgentContext, Call } from "../context/context.js";
import { repairTranscript, type TranscriptRepair } from "./repair-transcript.js";
import * as texts from "./texts.js";
import { resultMessage } from "./transcript.js";

/**
 * Returns the context without the calls that are being carried out. One that had begun may have taken
 * effect, and reads so: its result has not gone through the agent's hooks.
 */
export function withoutBatch<Deps>(context: AgentContext<Deps>): AgentContext<Deps> {
  const { batch, runId } = context;
  if (batch === null) return context;
  const begun = vectorItems(batch.calls).slice(batch.from).filter(hasBegun);
  const results = begun.map((call): Message => {
    const value = texts.mayHaveRun(callIdentity(runId, call.id));
    return resultMessage(call, { type: "error-text", value });
  });
  const messages = listOf([...toArray(context.messages), ...results]);
  return { ...context, messages, batch: null };
}

function hasBegun({ status, outcome, settlements }: Call): boolean {
  return status === "issued" || settlements !== undefined || outcome?.type === "returned";
}

/**
 * The context with its transcript repaired, and what was done. A call that had no result before, and has
 * one now, has to be read: the context then needs a response.
 * @param open the last answer's calls are being carried out: they may lack their results
 */
export function repairContext<Deps>(
  context: AgentContext<Deps>,
  open = false,
): { readonly context: AgentContext<Deps>; readonly repair: TranscriptRepair | null } {
  const { messages, repair } = repairTranscript(toArray(context.messages), open);
  if (repair === null) return { context, repair };
  const needsResponse = context.needsResponse || repair.answered + repair.moved > 0;
  return { context: { ...context, messages: listOf(messages), needsResponse }, repair };
}
