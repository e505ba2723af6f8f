/**
 * Carries out `tool` directives, at most once or with an unknown outcome: an attempt begins only
 * after its start mark is durable, and is repeated only if the tool allows it (P2).
 */
import {
  type ContextOperation,
  contentOfThrown,
  cutText,
  exceeds,
  type Json,
  MAX_DEPTH,
  operationFault,
  ownJson,
  pairKey,
  ReckonerError,
  type RunContext,
  type Tool,
  type ToolContentPart,
  type ToolContext,
  type ToolDirective,
  type ToolFailed,
  type ToolFailureReason,
  type ToolSucceeded,
  toJson,
  toolContentFault,
  toolReturn,
  validate,
} from "../../core/kernel/index.js";
import type { LazyAbort } from "../running/lazy-abort.js";
import { attempt, errorOf } from "./attempt.js";
import type { EffectHost } from "./effect-host.js";
import { withLazyProperty } from "./lazy-property.js";
import { mayTryAgain } from "./may-begin.js";
import { isTooLong, MAX_RESULT_LENGTH } from "./result-length.js";

type Outcome = Omit<ToolSucceeded, "at"> | Omit<ToolFailed, "at">;

/**
 * @param begun how many attempts have begun already; the mark of the next one is durable if `marked`
 * @returns the settlement, or `undefined` where the call was cancelled
 */
export async function runTool(
  directive: ToolDirective,
  run: Omit<RunContext, "id" | "idempotencyKey" | "retry">,
  host: EffectHost,
  stop: LazyAbort,
  begun: number,
  marked: boolean,
): Promise<Outcome | undefined> {
  const { id, name } = directive;
  const tool = Object.hasOwn(host.tools, name) ? host.tools[name] : undefined;
  if (tool?.execute === undefined) {
    return failed(id, "missing", "tool.missing", `Tool not found: ${name}`, 0);
  }
  const parsed = parse(tool, directive.input);
  if (!parsed.ok) return failed(id, "arguments", "tool.arguments", parsed.issues, 0);

  for (let count = begun + 1; ; count++) {
    if (!host.isOwed(id)) return undefined;
    if (!(marked && count === begun + 1)) await host.mark({ id, attempt: count });
    // It may have been cancelled while its mark was written.
    if (stop.aborted || !host.isOwed(id)) return undefined;
    host.observe({ type: "started", id, attempt: count });
    const outcome = await attempt(host.clock, tool.timeoutMs, stop, (inner) => {
      const given: Omit<ToolContext, "signal"> = {
        runId: run.runId,
        id,
        at: run.at,
        deps: run.deps,
        usage: run.usage,
        retry: count - 1,
        services: host.options.services,
        idempotencyKey: pairKey(host.runId, id),
      };
      const context: ToolContext = withLazyProperty(given, "signal", inner);
      return tool.execute?.(parsed.value as never, context);
    });
    if (outcome.type === "aborted") return undefined;
    if (outcome.type === "returned") return succeeded(id, outcome.value, count);
    const again = mayTryAgain(tool, count, outcome.type === "timeout");
    if (outcome.type === "timeout") {
      const late = `Tool ${name} did not finish within ${tool.timeoutMs} ms`;
      if (!tool.idempotent) return failed(id, "unknown", "tool.unknown", `${late}.`, count);
      if (!again) return failed(id, "timeout", "tool.timeout", `${late}.`, count);
      host.observe({
        type: "retry",
        id,
        attempt: count + 1,
        delayMs: 0,
        error: { code: "tool.timeout", message: late },
      });
      continue;
    }
    const error = errorOf(outcome.thrown, "tool.threw");
    if (!again) {
      const parts = partsOf(contentOfThrown(outcome.thrown));
      return { type: "tool.failed", id, reason: "error", error, ...parts, ...attempts(count) };
    }
    host.observe({ type: "retry", id, attempt: count + 1, delayMs: 0, error });
  }
}

/** The settlement of a tool that had started before a crash and may not start again. */
export function interruptedTool(directive: ToolDirective, begun: number): Outcome {
  const message = `The process ended while tool ${directive.name} ran (attempt ${begun}).`;
  return failed(directive.id, "unknown", "tool.unknown", message, begun);
}

function parse(tool: Tool, input: Json) {
  if (tool.inputSchema === undefined) return { ok: true as const, value: input };
  try {
    return validate(tool.inputSchema, input);
  } catch (thrown) {
    return { ok: false as const, issues: errorOf(thrown, "tool.arguments").message };
  }
}

function succeeded(id: string, value: unknown, count: number): Outcome {
  try {
    const { output, update, content } = toolReturn(value);
    // What is around a result makes it deeper, and has to pass the border as well.
    const settlement = ownJson<Omit<ToolSucceeded, "at">>(
      {
        type: "tool.succeeded",
        id,
        output: toJson(output === undefined ? null : output, "result"),
        ...(content === undefined ? {} : { content: checkContent(content) }),
        ...(update.length === 0 ? {} : { update: operations(update) }),
        ...attempts(count),
      },
      "result",
      MAX_DEPTH,
    );
    if (isTooLong(settlement)) {
      throw new ReckonerError(
        "tool.result",
        "The result is larger than 5 MiB of JSON; store it elsewhere and return where it is.",
      );
    }
    return settlement;
  } catch (thrown) {
    const { message } = errorOf(thrown, "tool.result");
    return failed(id, "result", "tool.result", message, count);
  }
}

/** @throws ReckonerError `tool.result` */
function checkContent(content: unknown): readonly ToolContentPart[] {
  const parts = toJson(content, "content");
  const fault = toolContentFault(parts);
  if (fault === undefined) return parts as unknown as readonly ToolContentPart[];
  throw new ReckonerError("tool.result", `The result's content ${fault}.`);
}

/** The parts of an error, as far as they may be journalled: they must not hide what failed. */
function partsOf(content: readonly ToolContentPart[]): { content?: readonly ToolContentPart[] } {
  if (content.length === 0) return {};
  try {
    const parts = checkContent(content);
    return exceeds(parts as never, MAX_RESULT_LENGTH) ? {} : { content: parts };
  } catch {
    return {};
  }
}

function operations(update: readonly ContextOperation[]): readonly ContextOperation[] {
  update.forEach((operation, i) => {
    const fault = operationFault(operation);
    if (fault !== undefined) {
      throw new ReckonerError("tool.result", `Operation ${i} of the context update ${fault}.`);
    }
  });
  return toJson<readonly ContextOperation[]>(update, "update");
}

function failed(
  id: string,
  reason: ToolFailureReason,
  code: string,
  message: string,
  count: number,
): Outcome {
  return {
    type: "tool.failed",
    id,
    reason,
    error: { code, message: cutText(message) },
    ...attempts(count),
  };
}

const attempts = (count: number) => (count > 1 ? { attempts: count } : {});
