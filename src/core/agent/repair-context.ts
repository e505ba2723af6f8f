/** Repairs the transcript of a whole context. */
import { listOf, toArray } from "../kernel/index.js";
import type { AgentContext } from "./context.js";
import { repairTranscript, type TranscriptRepair } from "./repair-transcript.js";

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
