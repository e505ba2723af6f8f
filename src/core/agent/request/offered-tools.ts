/**
 * Chooses the tools that an agent's request offers the model: those that the behaviour's `getTools` returns,
 * each of which must be the agent's, and the tool by which the model gives the run's output.
 */
import { canonical, type JsonObject, toJson } from "../../kernel/values/index.js";
import type { Tool } from "../../kernel/vocabulary/index.js";
import { ownTool } from "../calls/one-call.js";
import { outputToolName } from "../calls/output.js";
import type { AgentContext } from "../context/context.js";
import { invalid } from "../context/invalid.js";
import type { AgentSpec } from "../definition/spec.js";
import { basicBehaviour } from "../extend/basic-behaviour.js";
import { shownTools } from "../extend/behaviour.js";
import { newContext } from "../extend/context-functions.js";

/**
 * The tools that the behaviour's `getTools` adds to those of the agent when it is defined. One that
 * depends on a run adds nothing then.
 */
export function addedTools(spec: AgentSpec): readonly Tool[] {
  if (spec.behaviour.getTools === basicBehaviour.getTools) return [];
  try {
    const fresh = newContext({ agentName: spec.name, deps: toJson<JsonObject>(spec.deps ?? {}) });
    return named(shownTools(spec, fresh)).filter(({ name }) => !Object.hasOwn(spec.tools, name));
  } catch {
    // The run says what is wrong, at its first request.
    return [];
  }
}

/**
 * The tools that the model is shown: the behaviour's choice, and the output's.
 * @throws ReckonerError `agent.invalid` where the behaviour chooses one that the agent does not have
 */
export function offeredTools(spec: AgentSpec, context: AgentContext): readonly Tool[] {
  const { output, tools } = spec;
  const chosen = named(shownTools(spec, context)).map((tool) => ownOf(spec, tool));
  const last = output?.via === "tool" ? tools[outputToolName(output)] : undefined;
  return last === undefined || chosen.includes(last) ? chosen : [...chosen, last];
}

/** One tool of each name: `getTools` may add to tools that have its own already. */
function named(tools: readonly Tool[]): readonly Tool[] {
  const byName = new Map<string, Tool>();
  for (const each of tools) if (!byName.has(each.name)) byName.set(each.name, each);
  return byName.size === tools.length ? tools : [...byName.values()];
}

/** The agent's own tool for one that was chosen: itself, or the same tool made anew. */
function ownOf({ tools, behaviour, name }: AgentSpec, chosen: Tool): Tool {
  const own = ownTool(tools, chosen.name);
  if (own === chosen) return own;
  const what = `what getTools of behaviour ${behaviour.name} returns has`;
  if (own === undefined) {
    const mend = `add it to the behaviour's tools, or to the tools of agent ${name}`;
    throw invalid(`${what} the tool ${chosen.name}, which it did not have at definition; ${mend}`);
  }
  if (looksOf(own) === looksOf(chosen)) return own;
  throw invalid(`${what} another tool named ${chosen.name} than agent ${name} has; rename one`);
}

/** All of a tool but its functions. */
function looksOf(tool: Tool): string {
  const { kind, schema, idempotent, retries, timeoutMs, sequential, final, onUnknown } = tool;
  const looks = { kind, schema, idempotent, retries, timeoutMs, sequential, final };
  return canonical(toJson({ ...looks, onUnknown }));
}
