/**
 * Checks one tool call (is it well-formed, does the tool exist, do the arguments match, must a person
 * approve) and concludes it with its outcome. Pure. An error of a tool's own function fails the call, not
 * the run.
 */

import {
  atOnce,
  cutText,
  isJsonObject,
  isReckonerError,
  isUnawaited,
  type Json,
  type JsonObject,
  ReckonerError,
  toJson,
  vectorItems,
  vectorOf,
} from "../../kernel/values/index.js";
import {
  applyUpdate,
  type CallIdentity,
  callIdentity,
  describeThrown,
  directiveFault,
  type EffectError,
  isToolError,
  type RunContext,
  type Schema,
  type Tool,
  type ToolFailed,
  type ToolFailure,
  type ToolFailureReason,
  type ToolRegistry,
  type ToolRequest,
  type ToolSettlement,
  takesText,
  toolReturn,
  validate,
} from "../../kernel/vocabulary/index.js";
import type { AgentContext, Call, CallOutcome, SaidOutcome } from "../context/context.js";
import { toRunContext } from "../extend/context-functions.js";
import * as texts from "../transcript/texts.js";
import { hookedOutcome, judgedByHooks } from "./apply-hooks.js";
import { returnedOutcome, say } from "./outcome.js";
import { type AgentStep, made, madeText } from "./pipeline-step.js";
import type { Wave } from "./wave.js";

/** A call whose wave begins: checked, and sent to the stage where it has to wait. */
export function beginCall(call: Call, step: AgentStep, context: AgentContext): Call {
  if (call.status !== "waiting") return call;
  if (call.approvalId !== undefined) {
    const judged = judgedByHooks(call, step, context);
    return judged.status === "settled" ? judged : { ...call, status: "asking" };
  }
  const tool = ownTool(step.spec.tools, call.name);
  if (tool === undefined) return noTool(call);
  if (tool.kind === "provider")
    return say(call, "failed", texts.providersOwn(call.name), "missing");
  const judged = judgedByHooks(call, step, context);
  if (judged.status === "settled") return judged;
  const checked = checkArguments(judged, tool, step, context);
  if (checked !== undefined) return checked;
  if (tool.kind === "ask") return { ...judged, status: "asking" };
  return guarded(judged, tool, step, context, () => {
    const { needsApproval } = tool;
    const asks: unknown =
      typeof needsApproval === "function"
        ? atOnce(
            "needsApproval",
            needsApproval(parse(tool, judged.input) as never, runContextOf(judged, step, context)),
          )
        : needsApproval;
    // A `return` that was forgotten must not let the tool run.
    if (typeof asks !== "boolean") throw new Error("needsApproval must return true or false");
    if (!asks) return readyCall(judged, tool, step, context);
    return tool.approvalBlocks
      ? { ...judged, status: "asking" }
      : say(judged, "asked", texts.asked(judged.id));
  });
}

/** A call of a tool that there is not. */
export function noTool(call: Call): Call {
  return say(call, "failed", texts.notFound(cutText(call.name, MAX_NAME_LENGTH)), "missing");
}

/** Characters of a tool's name in a text: a model may call anything. */
const MAX_NAME_LENGTH = 100;

/** Returns the run as a pure function of the call's tool sees it. */
function runContextOf({ id }: Call, { at }: AgentStep, context: AgentContext): RunContext {
  return toRunContext(context, { id, at });
}

/** A tool by its own name; never something that every object has. */
export function ownTool(tools: ToolRegistry, name: string): Tool | undefined {
  return Object.hasOwn(tools, name) ? tools[name] : undefined;
}

/** A call that may run: a pure one waits for its wave, an `issue` tool says what it wants. */
export function readyCall(call: Call, tool: Tool, step: AgentStep, context: AgentContext): Call {
  if (tool.kind === "reduce") return { ...call, status: "inline" };
  if (tool.kind === "execute") return { ...call, status: "issued" };
  return guarded(call, tool, step, context, () => {
    const input = parse(tool, call.input) as never;
    const asked = checkRequests(
      atOnce("issue", tool.issue?.(input, runContextOf(call, step, context))) ?? [],
    );
    const requests = made(step, asked as never, "What the tool asks for") as typeof asked;
    if (requests.length === 0) return { ...call, status: "inline" };
    const settlements = vectorOf(requests.map(() => null));
    return { ...call, status: "issued", requests, settlements, unsettled: requests.length };
  });
}

/** The requests of an `issue`, validated: otherwise one tool's mistake would fail the run. */
export function checkRequests(requests: unknown): readonly ToolRequest[] {
  const asked = toJson(requests, "requests");
  if (!Array.isArray(asked)) throw new Error("issue did not return a list of requests");
  asked.forEach((request: Json, i) => {
    const withId = { ...(request as JsonObject | null), id: "id" };
    const { type } = withId as { readonly type?: Json };
    const fault =
      type === "read" || type === "write" || type === "run"
        ? directiveFault(withId)
        : "it is not a read, write or run";
    if (fault !== undefined) throw new Error(`request ${i}: ${fault}`);
  });
  return asked as readonly ToolRequest[];
}

/** A call whose arguments are none; `undefined` where they are an object, and fit the schema. */
export function checkArguments(
  call: Call,
  tool: Tool,
  step: AgentStep,
  context: AgentContext,
): Call | undefined {
  // Arguments from a hook or a person are validated like the model's.
  const fits = takesText(tool.schema) ? typeof call.input === "string" : isJsonObject(call.input);
  if (!fits) {
    const wrong = takesText(tool.schema) ? texts.notAText : texts.notAnObject;
    const words = madeText(step, wrong(JSON.stringify(call.input)));
    return say(call, "failed", words, "arguments");
  }
  if (tool.inputSchema === undefined) return undefined;
  let issues: string;
  try {
    const result = validate(tool.inputSchema, call.input);
    if (result.ok) return undefined;
    issues = result.issues;
  } catch (thrown) {
    issues = describeThrown(thrown);
  }
  return fail(call, tool, step, context, failureOf("arguments", "tool.arguments", issues, 0));
}

/** A person's answer to what a tool asks as its schema has it (defaults, transforms); the issues where it does not fit. */
export function answerOf(
  { ask }: Tool,
  value: Json,
): { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly issues: string } {
  const result = validate(ask as Schema, value);
  return result.ok ? { ok: true, value: toJson(result.value) } : result;
}

/**
 * The outcome of a settled or pure call when its wave is written into the transcript, and the run's
 * `deps` after it. An update that does not fit is a failure that the model reads.
 * @param context what the calls before it in its wave have led to
 */
export function concludeCall(
  call: Call,
  step: AgentStep,
  context: AgentContext,
  { begun, notices }: Pick<Wave, "begun" | "notices">,
): { readonly outcome: CallOutcome; readonly deps: AgentContext["deps"] } {
  const tool = ownTool(step.spec.tools, call.name);
  const own = call.outcome ?? pureOutcome(call, tool as Tool, step, begun);
  const outcome = hookedOutcome(own, call, step, context, notices);
  if (outcome.type === "said") return { outcome, deps: context.deps };
  try {
    return { outcome, deps: applyUpdate(context.deps, outcome.update) };
  } catch (thrown) {
    const error = failureOf("result", "tool.result", describeThrown(thrown), 1);
    const failed = fail(call, tool, step, context, error).outcome as CallOutcome;
    return { outcome: failed, deps: context.deps };
  }
}

function pureOutcome(call: Call, tool: Tool, step: AgentStep, context: AgentContext): CallOutcome {
  const settled = guarded(call, tool, step, context, () => {
    const run = runContextOf(call, step, context);
    const input = parse(tool, call.input) as never;
    const value =
      tool.kind === "reduce"
        ? atOnce("reduce", tool.reduce?.(input, run))
        : atOnce("settle", tool.settle?.(input, run, settlementsOf(call)));
    const outcome = made(
      step,
      returnedOutcome(toolReturn(value)) as never,
      "The result",
    ) as CallOutcome;
    return { ...call, status: "settled", outcome };
  });
  return settled.outcome as CallOutcome;
}

function settlementsOf(call: Call): readonly ToolSettlement[] {
  const { settlements } = call;
  return settlements === undefined ? [] : (vectorItems(settlements) as ToolSettlement[]);
}

/**
 * The reason why a call failed, the number of its attempts, and a mark that the error was written for the
 * model.
 */
type Failure = Pick<ToolFailure, "reason" | "error" | "attempts"> & { readonly forModel?: boolean };

function failureOf(
  reason: ToolFailureReason,
  code: string,
  message: string,
  attempts: number,
): Failure {
  return { reason, error: { code, message: cutText(message) }, attempts };
}

/** The code of a call whose outcome may stand behind the end of a journal that was longer once. */
export const LOST = "journal.short";

/** A call that failed, with the text that its tool's `formatError` gives it. */
function fail(
  call: Call,
  tool: Tool | undefined,
  step: AgentStep,
  context: AgentContext,
  failure: Failure,
): Call {
  const { forModel: _forModel, ...details } = failure;
  const { reason } = details;
  const status = reason === "unknown" ? "unknown" : "failed";
  const identity = callIdentity(context.runId, call.id);
  let text = standardText(call, tool, failure, identity);
  try {
    const { name, input } = call;
    const own = tool?.formatError?.({ ...identity, tool: name, input, ...details });
    if (!isUnawaited(own) && typeof own === "string") text = own;
  } catch {
    // If `formatError` fails, the standard text is used.
  }
  const failedCall = say(call, status, madeText(step, text), reason);
  const keepsError = reason === "error" || reason === "result" || details.error.code === LOST;
  return keepsError ? withError(failedCall, details.error) : failedCall;
}

/** A call that failed, with its error. The stack stays in the event: no two processes agree on it. */
function withError(call: Call, { stack: _stack, ...error }: EffectError): Call {
  return { ...call, outcome: { ...(call.outcome as SaidOutcome), error } };
}

/** Returns true if a call may have had an effect: a pure tool has none. */
function hasRun({ status, settlements }: Call, tool: Tool | undefined): boolean {
  return tool?.kind === "execute" ? status !== "waiting" : settlements !== undefined;
}

function standardText(
  call: Call,
  tool: Tool | undefined,
  { reason, error, forModel = false }: Failure,
  identity: CallIdentity,
): string {
  switch (reason) {
    case "unknown":
      return error.code === LOST ? texts.mayBeLost(identity) : texts.mayHaveRun(identity);
    case "missing":
      return texts.notFound(cutText(call.name, MAX_NAME_LENGTH));
    case "arguments":
      return texts.invalidArguments(error.message);
    case "result":
      return hasRun(call, tool) ? texts.ranInVain(error.message) : texts.failed(error.message);
    case "error":
      return forModel ? texts.failed(error.message) : texts.threw(call.name);
    default:
      return texts.failed(error.message);
  }
}

/** A call that had started and is cut off: its outcome is unknown. */
export function cutOff(call: Call, step: AgentStep, context: AgentContext): Call {
  const error = failureOf("unknown", "tool.unknown", "The call was cut off.", 1);
  return fail(call, ownTool(step.spec.tools, call.name), step, context, error);
}

/** A call whose `tool.failed` has come. */
export function failFrom(
  call: Call,
  tool: Tool | undefined,
  step: AgentStep,
  context: AgentContext,
  event: ToolFailed,
): Call {
  const { reason, error, attempts = 1, content, forModel = false } = event;
  const failure = {
    reason,
    error: { ...error, message: cutText(error.message) },
    attempts,
    forModel,
  };
  const failed = fail(call, tool, step, context, failure);
  if (content === undefined || failed.outcome === undefined) return failed;
  return { ...failed, outcome: { ...failed.outcome, content } };
}

function guarded(
  call: Call,
  tool: Tool,
  step: AgentStep,
  context: AgentContext,
  work: () => Call,
): Call {
  try {
    return work();
  } catch (thrown) {
    const [reason, code] = isResultFault(thrown)
      ? (["result", "tool.result"] as const)
      : (["error", "tool.threw"] as const);
    const failure = failureOf(reason, code, describeThrown(thrown), 1);
    return fail(call, tool, step, context, { ...failure, forModel: isToolError(thrown) });
  }
}

function parse(tool: Tool, input: Json): unknown {
  if (tool.inputSchema === undefined) return input;
  const result = validate(tool.inputSchema, input);
  if (!result.ok) throw new ReckonerError("tool.arguments", result.issues);
  return result.value;
}

const RESULT_FAULTS: ReadonlySet<string> = new Set([
  "tool.result",
  "json.refused",
  "json.reserved",
]);

/** Returns true when something thrown says that a result is invalid. */
function isResultFault(thrown: unknown): boolean {
  try {
    return isReckonerError(thrown) && RESULT_FAULTS.has(thrown.code);
  } catch {
    return false;
  }
}
