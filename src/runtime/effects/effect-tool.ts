/**
 * Carries out `tool` directives, at most once or with an unknown outcome: an attempt begins only
 * after its start mark is durable, and is repeated only if the tool allows it (P2).
 */
import {
  type Json,
  pairKey,
  type RunContext,
  type Tool,
  type ToolContext,
  type ToolDirective,
  validate,
} from "../../core/kernel/index.js";
import type { LazyAbort } from "../running/lazy-abort.js";
import { attempt, errorOf, thrownByTool } from "./attempt.js";
import type { EffectHost } from "./effect-host.js";
import { withLazyProperty } from "./lazy-property.js";
import { mayTryAgain } from "./may-begin.js";
import { failedTool as failed, settledTool, type ToolOutcome, thrownTool } from "./tool-result.js";

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
): Promise<ToolOutcome | undefined> {
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
    if (outcome.type === "returned") {
      const { settlement, notice } = settledTool(id, tool, outcome.value, count);
      if (notice !== undefined) {
        host.observe({ type: "notice", code: "tool.result", message: notice });
      }
      return settlement;
    }
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
    if (!again) return thrownTool(id, outcome.thrown, count);
    const error = thrownByTool(outcome.thrown);
    host.observe({ type: "retry", id, attempt: count + 1, delayMs: 0, error });
  }
}

/** The settlement of a tool that had started before a crash and may not start again. */
export function interruptedTool(directive: ToolDirective, begun: number): ToolOutcome {
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
