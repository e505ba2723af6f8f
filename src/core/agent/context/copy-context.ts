/**
 * Copies an agent's context with object literals: V8 takes thirty times as long to spread a frozen object
 * with as many keys, or to freeze a spread.
 */
import { wholeContext } from "../../kernel/machine/index.js";
import type { AgentContext } from "./context.js";

function literal(c: AgentContext): AgentContext {
  return {
    runId: c.runId,
    agentName: c.agentName,
    systemPrompt: c.systemPrompt,
    messages: c.messages,
    toolCalls: c.toolCalls,
    deps: c.deps,
    usage: c.usage,
    needsResponse: c.needsResponse,
    iteration: c.iteration,
    maxIterations: c.maxIterations,
    startedAt: c.startedAt,
    queue: c.queue,
    batch: c.batch,
    pending: c.pending,
    final: c.final,
    answer: c.answer,
    finishReason: c.finishReason,
    error: c.error,
    failure: c.failure,
    modelError: c.modelError,
    model: c.model,
    tokenBudget: c.tokenBudget,
    costBudget: c.costBudget,
    budgets: c.budgets,
    turnSpent: c.turnSpent,
    cancelReason: c.cancelReason,
    limit: c.limit,
    turn: c.turn,
    turnIteration: c.turnIteration,
    deadline: c.deadline,
    retry: c.retry,
    flaw: c.flaw,
    answerTries: c.answerTries,
    checked: c.checked,
    notices: c.notices,
    request: c.request,
    plugins: c.plugins,
    preparing: c.preparing,
    turnMessages: c.turnMessages,
    instructions: c.instructions,
    sent: c.sent,
  };
}

const FIELDS: readonly string[] = Object.keys(literal({} as AgentContext));

/** Returns true when a context has these fields in this order, and no others. */
function isUsual(context: AgentContext): boolean {
  let at = 0;
  for (const key in context) {
    if (key !== FIELDS[at]) return false;
    at += 1;
  }
  return at === FIELDS.length;
}

/** The context with parts instead of its own: over a literal, since a copy by keys grows key by key. */
export function withFields<Deps>(
  context: AgentContext<Deps>,
  parts: Partial<AgentContext<Deps>>,
): AgentContext<Deps> {
  if (!isUsual(context as AgentContext)) return { ...context, ...parts };
  return Object.assign(literal(context as AgentContext), parts);
}

/**
 * The context as a user's function gets it, frozen: a change in place would change the run without
 * a transition. Only the parts that the loop itself makes need freezing; the others are sealed
 * already, or were just made by a behaviour.
 */
export function shownContext(context: AgentContext): AgentContext {
  if (Object.isFrozen(context)) return context;
  const { batch, checked, error, modelError, notices, plugins, preparing, request, usage } =
    context;
  const made = [batch, checked, error, modelError, notices, plugins, preparing, request, usage];
  for (const part of made) Object.freeze(part);
  const { instructions, sent, deadline, budgets, turnSpent, pending } = context;
  for (const part of [instructions, sent, deadline, budgets, turnSpent, pending]) {
    Object.freeze(part);
  }
  return Object.freeze(isUsual(context) ? literal(context) : { ...context });
}

type ChartArgs<Event> = { readonly context: AgentContext; readonly event: Event };

/**
 * A change of the chart from a function of context and event. A behaviour may leave fields out, or
 * bring its own: then what it returns is laid over the context, as `assign` does it.
 */
export function changeOf<Event>(
  change: (context: AgentContext, event: Event) => AgentContext,
): (args: ChartArgs<Event>) => AgentContext {
  return wholeContext(({ context, event }: ChartArgs<Event>) => {
    if (!isUsual(context)) return { ...context, ...change(context, event) };
    const working = literal(context);
    const next = change(working, event);
    if (next === working) return working;
    return isUsual(next) ? literal(next) : { ...working, ...next };
  });
}
