/**
 * The agent loop as a statechart: decide whether to ask, ask the model, run its tool calls, decide
 * again. It can be drawn; each way to end is a state with its name.
 */
import {
  type AssistantMessage,
  addUsage,
  assign,
  emptyList,
  type LlmDirective,
  type LlmSucceeded,
  listOf,
  type Message,
  noUsage,
  type ReasonerMachine,
  type SeenEvent,
  type Start,
  setupReasoner,
  type ToolSchema,
  toolCallsOf,
  type UserMessage,
  type UserPart,
} from "../kernel/index.js";
import {
  closeBatch,
  dueDirectives,
  markIssued,
  openBatch,
  type SettledCall,
  settleCall,
} from "./batch.js";
import type { AgentContext } from "./context.js";
import type { AgentInput, AgentSpec } from "./spec.js";
import { addMessages, patchDanglingToolCalls } from "./transcript.js";

/** The machine of one agent. */
export function agentMachine<Deps extends object>(
  spec: AgentSpec,
): ReasonerMachine<AgentContext<Deps>, AgentInput<Deps>> {
  type Context = AgentContext<Deps>;
  const { createMachine } = setupReasoner<Context, AgentInput<Deps>>();
  const due = {
    type: "issue" as const,
    params: ({ context }: { context: Context }) => dueDirectives(context.batch),
  };
  const markDue = assign<Context, SeenEvent, undefined, SeenEvent, never>(({ context }) => ({
    batch: markIssued(context.batch),
  }));
  const settled = {
    actions: [
      assign<Context, SettledCall, undefined, SeenEvent, never>(({ context, event }) =>
        settleCall(context, event, spec),
      ),
      due,
      markDue,
    ],
  };

  return createMachine({
    id: "agent",
    context: ({ input }) => initialContext(spec, input),
    initial: "deciding",
    on: {
      message: {
        actions: assign(({ context, event }) => ({
          queue: [...context.queue, userMessage(event.content)],
        })),
      },
      cancel: {
        target: ".cancelled",
        actions: assign(({ context, event }) => ({
          ...takeQueue(closeBatch(context)),
          cancelReason: event.reason ?? null,
        })),
      },
    },
    states: {
      deciding: {
        entry: assign(({ context }) => takeQueue(context)),
        always: [
          { guard: ({ context }) => context.final !== null, target: "finished" },
          { guard: ({ context }) => !context.needsResponse, target: "answered" },
          {
            guard: ({ context }) => context.iteration >= context.maxIterations,
            target: "maxIterations",
            actions: assign(({ context }) => ({ error: maxIterationsExceeded(context) })),
          },
          { target: "thinking" },
        ],
      },
      thinking: {
        entry: { type: "issue", params: ({ context }) => request(spec, context) },
        on: {
          "llm.succeeded": [
            {
              guard: ({ event }) => toolCallsIn(event).length > 0,
              target: "acting",
              actions: assign(({ context, event }) =>
                openBatch(receive(context, event), context.iteration, toolCallsIn(event), spec),
              ),
            },
            {
              target: "deciding",
              actions: assign(({ context, event }) => ({
                ...receive(context, event),
                needsResponse: false,
              })),
            },
          ],
          "llm.failed": {
            target: "modelFailed",
            actions: assign(({ context, event }) => ({
              ...takeQueue(context),
              error: event.error,
            })),
          },
        },
      },
      acting: {
        entry: [due, markDue],
        always: { guard: ({ context }) => context.batch === null, target: "deciding" },
        on: {
          "tool.*": settled,
          "approval.*": settled,
          "read.*": settled,
          "write.*": settled,
          "run.*": settled,
        },
      },
      /** The model answered without calling a tool. */
      answered: { type: "final" },
      /** A `final` tool succeeded. */
      finished: { type: "final" },
      maxIterations: { type: "final", tags: ["failed"] },
      modelFailed: { type: "final", tags: ["failed"] },
      cancelled: { type: "final", tags: ["cancelled"] },
    },
  });
}

function initialContext<Deps extends object>(
  spec: AgentSpec,
  { input, at }: Start<AgentInput<Deps>>,
): AgentContext<Deps> {
  const given = typeof input === "string" ? { prompt: input } : input;
  const messages: Message[] = [...patchDanglingToolCalls(given.messages ?? [])];
  if (given.prompt !== undefined) messages.push(userMessage(given.prompt));
  return {
    agentName: spec.name,
    systemPrompt: spec.system,
    messages: listOf(messages),
    toolCalls: emptyList(),
    deps: (given.deps ?? spec.deps ?? {}) as Deps,
    usage: noUsage,
    needsResponse: true,
    iteration: 0,
    maxIterations: given.maxIterations ?? spec.maxIterations,
    startedAt: at,
    queue: [],
    batch: null,
    final: null,
    finishReason: null,
    error: null,
    cancelReason: null,
  };
}

function userMessage(content: string | readonly UserPart[]): UserMessage {
  return { role: "user", content };
}

/** The context with what the user said meanwhile in the transcript; it needs an answer. */
function takeQueue<Deps>(context: AgentContext<Deps>): AgentContext<Deps> {
  if (context.queue.length === 0) return context;
  return { ...addMessages(context, context.queue), queue: [], needsResponse: true, final: null };
}

function request<Deps>(spec: AgentSpec, context: AgentContext<Deps>): LlmDirective {
  const tools: readonly ToolSchema[] = spec.schemas;
  return {
    type: "llm",
    id: `llm/${context.iteration}`,
    ...(spec.model === undefined ? {} : { model: spec.model }),
    ...(context.systemPrompt === null ? {} : { system: context.systemPrompt }),
    messages: context.messages,
    ...(tools.length === 0 ? {} : { tools }),
    ...(spec.toolChoice === undefined ? {} : { toolChoice: spec.toolChoice }),
    ...(spec.settings === undefined ? {} : { settings: spec.settings }),
  };
}

/** The context with a model's answer in the transcript. */
function receive<Deps>(context: AgentContext<Deps>, event: LlmSucceeded): AgentContext<Deps> {
  const message: AssistantMessage = { role: "assistant", content: event.content };
  return {
    ...addMessages(context, [message]),
    usage: addUsage(context.usage, event.usage),
    iteration: context.iteration + 1,
    finishReason: event.finishReason,
  };
}

/** The calls that are ours to carry out; the provider has carried out its own. */
function toolCallsIn(event: LlmSucceeded) {
  return toolCallsOf({ role: "assistant", content: event.content }).filter(
    (call) => call.providerExecuted !== true,
  );
}

function maxIterationsExceeded<Deps>(context: AgentContext<Deps>) {
  return {
    code: "agent.maxIterations",
    message: `The model was asked ${context.maxIterations} times and gave no final answer; raise maxIterations or simplify the task.`,
  };
}
