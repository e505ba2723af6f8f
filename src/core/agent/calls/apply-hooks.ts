/**
 * Applies the hooks of an agent's plug-ins to a tool call: they may deny or change the call, and change what
 * the model reads of its result. If a hook throws or returns a wrong value, the call is denied, or its result
 * is withheld from the model.
 */
import { atOnce, toJson } from "../../kernel/values/index.js";
import {
  callIdentity,
  describeThrown,
  type NotifyDirective,
} from "../../kernel/vocabulary/index.js";
import type { AgentContext, Call, CallOutcome, SaidOutcome } from "../context/context.js";
import { shownContext } from "../context/copy-context.js";
import type { JudgedCall, Plugin } from "../definition/spec.js";
import * as texts from "../transcript/texts.js";
import { returnedOutcome, say } from "./outcome.js";
import { type AgentStep, made, madeText } from "./pipeline-step.js";

function judgedCall({ id, name, input }: Call, context: AgentContext): JudgedCall {
  return Object.freeze({ ...callIdentity(context.runId, id), name, input });
}

/** A call as the hooks leave it: each judges what those in front of it made of it. */
export function judgedByHooks(call: Call, step: AgentStep, context: AgentContext): Call {
  let judged = call;
  for (const plugin of step.spec.plugins) {
    const next = judgedBy(plugin, judged, step, context);
    // It is answered already: no other is asked.
    if (next.status === "settled") return next;
    judged = next;
  }
  return judged;
}

/** A call as one plug-in leaves it; a hook that throws denies it. */
function judgedBy(plugin: Plugin, call: Call, step: AgentStep, context: AgentContext): Call {
  if (plugin.beforeTool === undefined) return call;
  const deny = (reason: string | undefined) =>
    say(call, "denied", madeText(step, texts.denied(reason)));
  try {
    const judged = judgedCall(call, context);
    const verdict = atOnce("beforeTool", plugin.beforeTool(shownContext(context), judged));
    const type = verdict === undefined ? "allow" : verdict?.type;
    if (type === "allow") return call;
    if (verdict?.type === "modify") {
      return { ...call, input: made(step, toJson(verdict.input, "input"), "The changed input") };
    }
    // Any other return value, such as one with a typing error, must not let the tool run.
    return deny(verdict?.type === "deny" ? verdict.reason : texts.NO_VERDICT);
  } catch (thrown) {
    return deny(describeThrown(thrown));
  }
}

/**
 * An outcome as the hooks leave it, each of them asked of what those in front of it made. Where one fails,
 * nothing of the outcome is read, and observers hear why.
 * @param notices words to observers are put behind them
 */
export function hookedOutcome(
  outcome: CallOutcome,
  call: Call,
  step: AgentStep,
  context: AgentContext,
  notices: NotifyDirective[],
): CallOutcome {
  return step.spec.plugins.reduce(
    (before, plugin) => outcomeBy(plugin, before, call, step, context, notices),
    outcome,
  );
}

function outcomeBy(
  plugin: Plugin,
  outcome: CallOutcome,
  call: Call,
  step: AgentStep,
  context: AgentContext,
  notices: NotifyDirective[],
): CallOutcome {
  const hook = outcome.type === "returned" || hasRun(outcome) ? "afterTool" : "afterNoResult";
  if (plugin[hook] === undefined) return outcome;
  try {
    const judged = judgedCall(call, context);
    const replaced: unknown = atOnce(
      hook,
      plugin[hook]?.(shownContext(context), judged, Object.freeze(outcome) as SaidOutcome),
    );
    return replaced === undefined ? outcome : replacedBy(outcome, replaced, step);
  } catch (thrown) {
    const message = madeText(step, describeThrown(thrown));
    const data = { id: call.id, plugin: plugin.name, hook, message };
    notices.push({ type: "notify", topic: "hook.failed", data });
    const why = texts.withheld(stateOf(outcome), hook);
    const kept =
      outcome.type === "said"
        ? because(outcome)
        : ({ status: "failed", reason: "result" } as const);
    return { type: "said", ...kept, text: madeText(step, why) };
  }
}

/** @throws Error where it is no outcome, or of another kind: a failure stays one */
function replacedBy(outcome: CallOutcome, replaced: unknown, step: AgentStep): CallOutcome {
  const json = toJson(replaced, "outcome") as Partial<CallOutcome> | null;
  if (json?.type === "returned" && outcome.type === "returned") {
    const { output, update = [], content } = json;
    const result = returnedOutcome({ output, update, ...(content && { content }) });
    return made(step, result as never, "The outcome");
  }
  if (json?.type === "said" && outcome.type === "said" && typeof json.text === "string") {
    return { type: "said", ...because(outcome), text: madeText(step, json.text) };
  }
  throw new Error(texts.NO_OUTCOME);
}

function because({ status, reason }: SaidOutcome): Pick<SaidOutcome, "status" | "reason"> {
  return { status, ...(reason === undefined ? {} : { reason }) };
}

/** Returns true when a tool that gave no result has run, and it is known how that ended. */
function hasRun({ reason }: SaidOutcome): boolean {
  return reason === "error" || reason === "timeout" || reason === "result";
}

function stateOf(outcome: CallOutcome): string {
  if (outcome.type === "returned") return "The tool has run";
  if (hasRun(outcome)) return "The tool failed";
  return outcome.status === "unknown" ? "The tool may have run" : "The tool was not run";
}
