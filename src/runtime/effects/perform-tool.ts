/** Carries out one attempt of a `tool` directive: validates the arguments, and calls the tool once. */
import { type Attempt, type Outcome, toolNamed } from "../../core/driver/for-live-runs.js";
import type { Json } from "../../core/kernel/values/index.js";
import {
  type Tool,
  type ToolContext,
  type ToolDirective,
  validate,
} from "../../core/kernel/vocabulary/index.js";
import type { LazyAbort } from "../ports/lazy-abort.js";
import { withLazyProperty } from "../ports/lazy-property.js";
import { missingServices, noServices } from "../ports/services.js";
import { type AttemptPorts, call, handleOf, progressOf } from "./call-port.js";
import { errorOf } from "./error-of.js";
import { failedTool, settledTool, thrownTool } from "./tool-result.js";

/** Calls the tool once. */
export function performTool(
  attempt: Attempt<ToolDirective>,
  { tools, services, keep, onProgress, onNotice }: AttemptPorts,
  signal: LazyAbort,
): Outcome | Promise<Outcome> {
  const { runId, directive, attempt: count, idempotencyKey, sees } = attempt;
  const { id, name } = directive;
  const tool = toolNamed(tools, name);
  if (tool === undefined) {
    return failedTool(id, "missing", "tool.missing", `Tool not found: ${name}`);
  }
  const parsed = parse(tool, directive.input);
  if (!parsed.ok) return failedTool(id, "arguments", "tool.arguments", parsed.issues);
  const { at, deps, usage } = sees;
  const retry = count - 1;
  let isUnserved = false;
  const own =
    services ??
    (Array.isArray(tool.services)
      ? undefined
      : noServices(name, () => {
          isUnserved = true;
        }));
  const facts = { runId, id, at, deps, usage, retry, services: own, idempotencyKey };
  const seen = { ...facts, ...handleOf(attempt, keep), progress: progressOf(onProgress) };
  const context: ToolContext = withLazyProperty(seen, "signal", () => signal.signal);
  const work = () => tool.execute?.(parsed.value as never, context as never);
  return call(signal, work, (called) => {
    if (called.type === "stopped") return called;
    // Whatever the tool made of the error: without what it needs it has no result.
    if (isUnserved)
      return failedTool(id, "error", "services.missing", missingServices(name).message);
    if (called.type === "threw") return thrownTool(called.thrown);
    return settledTool(id, tool, called.value, (notice) => onNotice?.("tool.result", notice));
  });
}

function parse(tool: Tool, input: Json) {
  if (tool.inputSchema === undefined) return { ok: true as const, value: input };
  try {
    return validate(tool.inputSchema, input);
  } catch (thrown) {
    return { ok: false as const, issues: errorOf(thrown, "tool.arguments").message };
  }
}
