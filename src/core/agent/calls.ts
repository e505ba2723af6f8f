/**
 * One tool call through the pipeline: is it well-formed, does the tool exist, do the arguments fit,
 * must a person approve, and what did it come to. Pure; what a tool's own function throws is that
 * call's failure and not the run's.
 */
import {
  directiveFault,
  isToolReturn,
  type Json,
  type JsonObject,
  operationFault,
  ReckonerError,
  type RunContext,
  type Tool,
  type ToolFailed,
  type ToolFailureReason,
  type ToolRegistry,
  type ToolRequest,
  type ToolSettlement,
  toJson,
  validate,
} from "../kernel/index.js";
import type { AgentContext, Call, CallOutcome } from "./context.js";
import { toRunContext } from "./context-functions.js";
import { withoutLegacyUpdate } from "./legacy-update.js";
import type { AgentSpec } from "./spec.js";
import * as texts from "./texts.js";

/** A call whose wave begins: checked, and sent to the stage where it has to wait. */
export function beginCall(call: Call, spec: AgentSpec, context: AgentContext): Call {
  if (call.status !== "waiting") return call;
  const tool = ownTool(spec.tools, call.name);
  if (tool === undefined) return say(call, "failed", texts.notFound(call.name));
  const judged = judge(call, spec, context);
  if (judged.status === "settled") return judged;
  const checked = checkArguments(judged, tool);
  if (checked !== undefined) return checked;
  return guarded(judged, tool, () => {
    const { needsApproval } = tool;
    const asks =
      typeof needsApproval === "function"
        ? needsApproval(toRunContext(context) as RunContext, judged.input)
        : needsApproval;
    return asks ? { ...judged, status: "asking" } : readyCall(judged, tool, context);
  });
}

/** What the policy makes of a call; one that throws denies it. */
function judge(call: Call, spec: AgentSpec, context: AgentContext): Call {
  const { id, name, input } = call;
  try {
    const verdict = spec.policy.beforeTool?.(context, { id, name, input });
    if (verdict === undefined || verdict.type === "allow") return call;
    if (verdict.type === "modify") return { ...call, input: toJson(verdict.input, "input") };
    // Whatever else comes, a typing error or a promise among it, must not let the tool run.
    const known = verdict.type === "deny";
    return say(call, "rejected", texts.denied(known ? verdict.reason : "its verdict is none"));
  } catch (thrown) {
    return say(call, "rejected", texts.denied(describeThrown(thrown)));
  }
}

/** A tool by its own name; never something that every object has. */
export function ownTool(tools: ToolRegistry, name: string): Tool | undefined {
  return Object.hasOwn(tools, name) ? tools[name] : undefined;
}

/** A call that may run: a pure one waits for its wave, an `issue` tool says what it wants. */
export function readyCall(call: Call, tool: Tool, context: AgentContext): Call {
  if (tool.kind === "reduce") return { ...call, status: "inline" };
  if (tool.kind === "execute") return { ...call, status: "ready" };
  return guarded(call, tool, () => {
    const input = parse(tool, call.input) as never;
    const requests = checkRequests(tool.issue?.(toRunContext(context), input) ?? []);
    return { ...call, status: requests.length === 0 ? "inline" : "ready", requests };
  });
}

/** What an `issue` asks for, as far as it may: else the run would fail for one tool's mistake. */
export function checkRequests(requests: unknown): readonly ToolRequest[] {
  const asked = toJson(requests, "requests");
  if (!Array.isArray(asked)) throw new Error("issue did not return a list of requests");
  asked.forEach((request: Json, i) => {
    const withId = { ...(request as JsonObject | null), id: "id" };
    const { type } = withId as { readonly type?: Json };
    const fault =
      type === "read" || type === "write" || type === "run"
        ? directiveFault(withId)
        : "is no read, write or run";
    if (fault !== undefined) throw new Error(`request ${i} ${fault}`);
  });
  return asked as unknown as readonly ToolRequest[];
}

/** A call with other arguments than the model's; `undefined` where they fit the schema. */
export function checkArguments(call: Call, tool: Tool): Call | undefined {
  if (tool.inputSchema === undefined) return undefined;
  let issues: string;
  try {
    const result = validate(tool.inputSchema, call.input);
    if (result.ok) return undefined;
    issues = result.issues;
  } catch (thrown) {
    issues = describeThrown(thrown);
  }
  return fail(call, tool, "arguments", "tool.arguments", issues, 0);
}

/** What a call that is settled, or pure, comes to when its wave is written into the transcript. */
export function outcomeOf(call: Call, spec: AgentSpec, context: AgentContext): CallOutcome {
  const outcome = withoutLegacyUpdate(
    call.outcome ?? pureOutcome(call, spec.tools[call.name] as Tool, context),
  );
  const { id, name, input } = call;
  try {
    const replaced = spec.policy.afterTool?.(context, { id, name, input }, outcome);
    if (replaced?.type !== outcome.type) return outcome;
    return toJson<CallOutcome>(replaced, "outcome");
  } catch {
    return outcome;
  }
}

function pureOutcome(call: Call, tool: Tool, context: AgentContext): CallOutcome {
  const settled = guarded(call, tool, () => {
    const run = toRunContext(context);
    const input = parse(tool, call.input) as never;
    const value =
      tool.kind === "reduce"
        ? tool.reduce?.(run, input)
        : tool.settle?.(run, input, settlementsOf(call));
    return { ...call, status: "settled", outcome: returned(value) };
  });
  return settled.outcome as CallOutcome;
}

function settlementsOf(call: Call): readonly ToolSettlement[] {
  return (call.requests ?? []).map((_, i) => call.settlements?.[i] as ToolSettlement);
}

function returned(value: unknown): CallOutcome {
  const { output, update } = isToolReturn(value) ? value : { output: value, update: [] };
  update.forEach((operation, i) => {
    const fault = operationFault(operation);
    if (fault !== undefined) {
      throw new ReckonerError("tool.result", `operation ${i} of the context update ${fault}`);
    }
  });
  return toJson(
    { type: "returned", output: output === undefined ? null : output, update },
    "result",
  ) as unknown as CallOutcome;
}

/** A call that is settled with a text for the model. */
export function say(
  call: Call,
  status: Extract<CallOutcome, { type: "said" }>["status"],
  text: string,
): Call {
  return { ...call, status: "settled", outcome: { type: "said", status, text } };
}

/** A call that failed, with the text that its tool's `formatError` gives it. */
export function fail(
  call: Call,
  tool: Tool | undefined,
  reason: ToolFailureReason,
  code: string,
  message: string,
  attempts: number,
): Call {
  const status = reason === "unknown" ? "unknown" : "failed";
  const standard =
    reason === "unknown"
      ? texts.MAY_HAVE_RUN
      : reason === "missing"
        ? texts.notFound(call.name)
        : reason === "arguments"
          ? texts.invalidArguments(message)
          : texts.failed(message);
  if (tool?.formatError === undefined) return say(call, status, standard);
  try {
    const failure = {
      tool: call.name,
      input: call.input,
      reason,
      error: { code, message },
      attempts,
    };
    const text = tool.formatError(failure);
    return say(call, status, typeof text === "string" ? text : standard);
  } catch {
    return say(call, status, standard);
  }
}

/** A call whose `tool.failed` has come. */
export function failFrom(call: Call, tool: Tool | undefined, event: ToolFailed): Call {
  const { reason, error, attempts = 1 } = event;
  return fail(call, tool, reason, error.code, error.message, attempts);
}

function guarded(call: Call, tool: Tool, work: () => Call): Call {
  try {
    return work();
  } catch (thrown) {
    return fail(call, tool, "error", "tool.threw", describeThrown(thrown), 1);
  }
}

function parse(tool: Tool, input: Json): unknown {
  if (tool.inputSchema === undefined) return input;
  const result = validate(tool.inputSchema, input);
  if (!result.ok) throw new ReckonerError("tool.arguments", result.issues);
  return result.value;
}

/** The engines' own errors are named, not quoted: their messages differ from engine to engine. */
const engineErrors = [TypeError, RangeError, ReferenceError, SyntaxError, EvalError, URIError];

/** What a pure function of the user's threw, the same on every engine. */
export function describeThrown(thrown: unknown): string {
  if (engineErrors.some((kind) => thrown instanceof kind)) return (thrown as Error).name;
  if (thrown instanceof Error) return thrown.message;
  return typeof thrown === "string" ? thrown : "an unknown error";
}
