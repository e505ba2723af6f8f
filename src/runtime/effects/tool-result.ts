/**
 * Converts what a tool returned or threw to the settlement of its call. Only here does a result become JSON:
 * a tool that ran is not recorded as failed because its result does not fit into JSON.
 */
import type { Outcome } from "../../core/driver/for-live-runs.js";
import * as shapes from "../../core/kernel/shapes.js";
import {
  cutText,
  exceeds,
  MAX_DEPTH,
  ownJson,
  ReckonerError,
  type ResultChange,
  resultJson,
  toJson,
} from "../../core/kernel/values/index.js";
import {
  type ContextOperation,
  contentOfThrown,
  isToolError,
  type Tool,
  type ToolContentPart,
  type ToolFailed,
  type ToolFailureReason,
  type ToolReturn,
  type ToolSucceeded,
  toolContentFault,
  toolReturn,
  UPDATE_OPERATIONS,
} from "../../core/kernel/vocabulary/index.js";
import { errorOf, thrownByTool } from "./error-of.js";
import { MAX_RESULT_LENGTH, tooLarge } from "./result-length.js";

type Succeeded = Omit<ToolSucceeded, "at">;
type Failed = Omit<ToolFailed, "at">;

/** What is in a settlement is less deep than it. */
const INSIDE: number = MAX_DEPTH - 1;

/** So much of a result is kept, however large its parts and its update are. */
const LEAST_OUTPUT: number = 64 * 1024;

/** Stands in the place of a result of which nothing can be kept. */
const NOTHING_KEPT = "The tool ran. Its result is not JSON, and nothing of it can be kept.";

/**
 * The settlement of a tool that returned.
 * @param notice is told what of the result was changed to make it JSON
 */
export function settledTool(
  id: string,
  { name, final }: Pick<Tool, "name" | "final">,
  value: unknown,
  notice: (message: string) => void,
): Outcome {
  let returned: ToolReturn<unknown>;
  let update: readonly ContextOperation[];
  try {
    returned = toolReturn(value);
    update = operations(returned.update);
    // The run's own data are as strict as all that is not a tool's result.
    if (exceeds(update, MAX_RESULT_LENGTH)) throw tooLarge("context update");
  } catch (thrown) {
    return unusable(id, errorOf(thrown, "tool.result").message);
  }
  const left = MAX_RESULT_LENGTH - lengthOf(update);
  const content = keptContent(returned.content, left);
  const room = Math.max(LEAST_OUTPUT, left - lengthOf(content.parts ?? []));
  const { json, changes } = resultJson(returned.output, {
    // An output is not cut: half of it would be another.
    most: final ? undefined : room,
    maxDepth: INSIDE,
  });
  if (final && (json === undefined || exceeds(json, room))) {
    const { message } = json === undefined ? new Error(NOTHING_KEPT) : tooLarge("result");
    return unusable(id, message);
  }
  const settlement = ownJson<Succeeded>(
    {
      type: "tool.succeeded",
      id,
      output: json === undefined ? NOTHING_KEPT : json,
      ...(content.parts === undefined ? {} : { content: content.parts }),
      ...(update.length === 0 ? {} : { update }),
    },
    "result",
  );
  const words = [...changes.map(inWords), ...content.faults];
  if (words.length > 0) notice(`Tool ${name}, call ${id}: ${words.join("; ")}.`);
  return { type: "settled", settlement };
}

/** The attempt of a tool that threw. */
export function thrownTool(thrown: unknown): Outcome {
  const content = partsOfThrown(thrown);
  return {
    type: "failed",
    error: thrownByTool(thrown),
    ...(isToolError(thrown) ? { forModel: true } : {}),
    ...(content === undefined ? {} : { content }),
  };
}

/** The parts that a `ToolError` brings along, as far as they can be kept: they must not hide what failed. */
function partsOfThrown(thrown: unknown): readonly ToolContentPart[] | undefined {
  try {
    const parts = toJson<readonly ToolContentPart[]>(contentOfThrown(thrown), "content", INSIDE);
    return parts.length === 0 || exceeds(parts as never, MAX_RESULT_LENGTH) ? undefined : parts;
  } catch {
    return undefined;
  }
}

/** The settlement of a tool call that has no result, and that no other attempt would give one. */
export function failedTool(
  id: string,
  reason: ToolFailureReason,
  code: string,
  message: string,
): Outcome {
  const settlement: Failed = {
    type: "tool.failed",
    id,
    reason,
    error: { code, message: cutText(message) },
  };
  return { type: "settled", settlement };
}

/** The settlement of a tool that ran and whose result cannot be used. */
function unusable(id: string, why: string): Outcome {
  return failedTool(id, "result", "tool.result", why);
}

function lengthOf(list: readonly object[]): number {
  return list.length === 0 ? 0 : JSON.stringify(list).length;
}

function inWords({ place, how, count }: ResultChange): string {
  return `${place} ${how}${count > 1 ? ` (and ${count - 1} more)` : ""}`;
}

/** The parts for the model; where they cannot be kept, one that says so stands in their place. */
function keptContent(
  content: unknown,
  most: number,
): { readonly parts?: readonly ToolContentPart[]; readonly faults: readonly string[] } {
  if (content === undefined) return { faults: [] };
  let fault: string;
  try {
    const parts = toJson(content, "content", INSIDE);
    const wrong = toolContentFault(parts);
    if (wrong === undefined && !exceeds(parts, most)) {
      return { parts: parts as readonly ToolContentPart[], faults: [] };
    }
    fault = wrong === undefined ? "the content is larger than 5 MiB of JSON" : `the ${wrong}`;
  } catch (thrown) {
    fault = errorOf(thrown, "tool.result").message.replace(/\.$/, "");
  }
  const text = `The tool ran. What it gave to read cannot be kept: ${fault}.`;
  return { parts: [{ type: "text", text }], faults: [fault] };
}

/** @throws ReckonerError `tool.result` for what is no operation, `json.refused` for what is not JSON */
function operations(update: readonly ContextOperation[]): readonly ContextOperation[] {
  const fault = shapes.misfit(update, UPDATE_OPERATIONS, "update");
  if (fault !== undefined) throw new ReckonerError("tool.result", `The context ${fault}.`);
  return toJson<readonly ContextOperation[]>(update, "update", INSIDE);
}
