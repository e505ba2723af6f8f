/**
 * Carries an agent's context over to another definition when its run is upgraded: recomputes what comes
 * from the definition and not from the past. A context with which the new agent could not go on is refused.
 */
import { type CarriedOver, checkCarried, upgradeRefused } from "../../kernel/machine/index.js";
import { isJsonObject, vectorItems } from "../../kernel/values/index.js";
import type { Tool } from "../../kernel/vocabulary/index.js";
import { totalBudgets, withBounds } from "../budget/budgets.js";
import { ownTool } from "../calls/one-call.js";
import type { AgentContext, Call } from "../context/context.js";
import type { AgentSpec } from "../definition/spec.js";
import { call } from "../extend/behaviour.js";
import { newContext } from "../extend/context-functions.js";
import { initPlugins } from "../request/plugin.js";

/**
 * The context under another definition.
 * @throws ReckonerError `upgrade.refused`
 */
export function adopt(spec: AgentSpec, context: AgentContext, over: CarriedOver): AgentContext {
  checkCarried(spec.name, context, newContext());
  const { batch, pending } = context;
  const calls = [...(batch === null ? [] : vectorItems(batch.calls)), ...(pending?.calls ?? [])];
  for (const waiting of calls) {
    const { id, name, status } = waiting;
    // A provider's own tools are none of ours.
    if (status === "settled" || waiting.approvalId !== undefined) continue;
    const tool = ownTool(spec.tools, name);
    // A person may still say no to it; a yes is answered as a call of no tool.
    if (tool === undefined && status === "asking") continue;
    if (tool === undefined) {
      throw upgradeRefused(`the call ${id} waits, and ${spec.name} has no tool ${name}`);
    }
    if (!goesOnAs(waiting, tool, over)) {
      throw upgradeRefused(
        `the call ${id} is under way, and ${name} does it in another way now (${tool.kind})`,
      );
    }
  }
  let next: AgentContext = { ...context, agentName: spec.name };
  if (over.differs("system") || over.differs("behaviour")) {
    next = { ...next, systemPrompt: firstPrompt(spec, context), instructions: null, sent: null };
  }
  if (over.differs("limits")) next = withLimits(spec, next, over);
  if (!over.differs("plugins")) return next;
  return { ...withPlugins(spec, next), instructions: null, sent: null };
}

/**
 * Returns true when a tool can go on with a call as it stands: what has begun needs a tool of the same
 * kind.
 */
function goesOnAs({ status, settlements, name }: Call, { kind }: Tool, over: CarriedOver): boolean {
  if (settlements !== undefined) return kind === "issue";
  if (status === "issued") return kind === "execute";
  // Once it is approved it is carried out here, which a provider's tool is not.
  if (status === "asking") {
    return kind === "ask" ? !over.differs(`tools.${name}`) : kind !== "provider";
  }
  if (status !== "inline") return true;
  // A pure tool's, or one of an `issue` tool that wanted nothing: the call does not say which.
  return kind === "issue" ? !over.differs(`tools.${name}`) : kind === "reduce";
}

/** The system prompt with which a run of this definition begins. */
function firstPrompt(spec: AgentSpec, { runId, deps, startedAt }: AgentContext): string | null {
  const systemPrompt = typeof spec.system === "function" ? null : spec.system;
  const fresh = newContext({ runId, agentName: spec.name, systemPrompt, deps, startedAt });
  return call(spec.behaviour, "initContext", [spec, fresh], fresh).systemPrompt;
}

/** Limits of the input or the parent stay; the rest is the definition's. */
function withLimits(
  spec: AgentSpec,
  context: AgentContext,
  { input, budget }: CarriedOver,
): AgentContext {
  const limit = isJsonObject(input) ? input.maxIterations : undefined;
  return withBounds(spec, {
    ...context,
    maxIterations: typeof limit === "number" ? limit : spec.limits.maxIterations,
    budgets: totalBudgets(spec.limits, budget),
  });
}

/** New plug-ins begin, those that are gone are forgotten, the others keep their states. */
function withPlugins(spec: AgentSpec, context: AgentContext): AgentContext {
  if (context.preparing !== null) {
    throw upgradeRefused("a plug-in's step before a request is under way, and the plug-ins differ");
  }
  const fresh = initPlugins(spec, { ...context, plugins: {} });
  const kept = Object.keys(fresh.plugins).filter((name) => Object.hasOwn(context.plugins, name));
  const pairs = kept.map((name) => [name, context.plugins[name]] as const);
  return { ...fresh, plugins: { ...fresh.plugins, ...Object.fromEntries(pairs) } } as AgentContext;
}
