/**
 * `agentLaws`: the laws of the agent loop: valid transcripts (P3), independence of order (P4),
 * iterations, user messages.
 */

import fc from "fast-check";
import type { Agent, AgentContext, AgentInput } from "../core/agent/index.js";
import { owedBy, type Reasoner, type RunState } from "../core/kernel/machine/index.js";
import * as shapes from "../core/kernel/shapes.js";
import { isJsonObject, ReckonerError, toArray } from "../core/kernel/values/index.js";
import { type LlmDirective, messagesOf } from "../core/kernel/vocabulary/index.js";
import { transcript, userMessage } from "./arbitrary-messages.js";
import { anyTranscript } from "./arbitrary-transcripts.js";
import { checkLawOptions } from "./check-plan.js";
import type { History, HistoryStep } from "./checking/world.js";
import { drive } from "./drive.js";
import { laws } from "./laws.js";
import {
  hold,
  type LawOptions,
  type PropertyLaw,
  propertyLaw,
  type Subject,
  same,
} from "./property-law.js";
import type { Script } from "./script.js";
import { transcriptFault } from "./transcript-fault.js";

type AnyAgent<Deps extends object, Output> = Reasoner<AgentInput<Deps>, Output, AgentContext<Deps>>;

/** Options of the laws of an agent; the input is generated if none is given. */
export type AgentLawOptions<Deps extends object> = shapes.Options<
  Partial<LawOptions<AgentInput<Deps>>>
>;

/** Draws inputs of an agent: a prompt, or more. */
export function agentInput<Deps extends object>(
  tools: readonly string[] = ["t"],
  deps?: fc.Arbitrary<Deps>,
): fc.Arbitrary<AgentInput<Deps>> {
  const whole = fc.record(
    {
      prompt: userMessage().map(({ content }) => content),
      messages: fc.oneof(transcript(tools), anyTranscript(tools)),
      maxIterations: fc.integer({ min: 1, max: 6 }),
      ...(deps === undefined ? {} : { deps }),
    },
    { requiredKeys: ["prompt"] },
  );
  return fc.oneof(fc.string(), whole);
}

/** The laws of every reasoner, and those of an agent. */
export function agentLaws<Deps extends object, Output>(
  subject: Subject<AgentInput<Deps>, Output, AgentContext<Deps>>,
  ownOptions: AgentLawOptions<Deps> = {},
): readonly PropertyLaw[] {
  const options = {
    confluent: true,
    input: agentInput<Deps>(),
    // Of a conversation.
    waits: ({ value }: RunState) => value === "ready",
    ...shapes.defined(ownOptions),
  };
  checkLawOptions("agentLaws", subject, options);
  type Judge = (history: AgentHistory<Deps>, agent: AnyAgent<Deps, Output>) => void;
  const judged = (name: string, judge: Judge): PropertyLaw =>
    propertyLaw(name, subject, options, (agent, input, script) =>
      judge(drive(agent, input, script, options), agent),
    );
  return [
    ...laws(subject, options),
    judged("before each model call, and in the end, every tool call has one result", isValid),
    judged("each request begins with the one before it, or a notice says why not", goesOnAsBefore),
    judged("the model is never asked more often than it may be", keepsIterations),
    judged("what the user says is in the transcript once", hearsTheUser),
    // A deadline or a budget cuts off whatever comes after it.
    ...(options.confluent
      ? [
          propertyLaw(
            "the order in which answers arrive changes no request and no context",
            subject,
            options,
            (agent, input, script) => orderIsNothing(agent, input, script, options),
          ),
        ]
      : []),
  ];
}

type AgentHistory<Deps extends object> = History<AgentInput<Deps>, AgentContext<Deps>>;

function requestsOf<Deps>({ step }: HistoryStep<AgentContext<Deps>>): LlmDirective[] {
  return step.directives.filter((each) => each.type === "llm");
}

function isValid<Deps extends object>({ steps, state }: AgentHistory<Deps>): void {
  for (const current of steps) {
    for (const { id, messages } of requestsOf(current)) {
      const fault = transcriptFault(messagesOf({ messages }));
      hold(fault === undefined, () => `the request ${id}: ${fault}`);
    }
  }
  // A machine that throws ends with the context before its last step (K6), whatever that was.
  if (state.status === "active" || state.fault !== undefined) return;
  const fault = transcriptFault(toArray(state.context.messages));
  hold(fault === undefined, () => `the transcript of the run, ${state.status}: ${fault}`);
}

/** The parts of a request with which the next one has to begin: that keeps a provider's cache. */
const lasting: readonly {
  readonly part: string;
  readonly items: (request: LlmDirective) => readonly unknown[];
}[] = [
  { part: "tools", items: ({ tools = [] }) => tools },
  { part: "system", items: ({ system = "" }) => [system] },
  { part: "messages", items: ({ messages }) => messagesOf({ messages }) },
];

function goesOnAsBefore<Deps extends object>({ steps }: AgentHistory<Deps>): void {
  let before: LlmDirective | undefined;
  for (const current of steps) {
    const excused = current.step.directives.flatMap((each) =>
      each.type === "notify" && each.topic === "request.changed" && isJsonObject(each.data)
        ? [each.data.part]
        : [],
    );
    for (const request of requestsOf(current)) {
      const last = before;
      before = request;
      if (last === undefined) continue;
      for (const { part, items } of lasting) {
        if (excused.includes(part)) continue;
        const now = items(request);
        items(last).forEach((item, i) => {
          const place = () => `${part}[${i}] of ${request.id}, and of ${last.id} before it`;
          hold(
            JSON.stringify(item) === JSON.stringify(now[i]),
            () => `${place()}, are not the same`,
          );
        });
      }
    }
  }
}

function keepsIterations<Deps extends object, Output>(
  { steps }: AgentHistory<Deps>,
  agent: AnyAgent<Deps, Output>,
): void {
  const { limits } = (agent as Partial<Agent<Deps, Output>>).spec ?? {};
  // At its limit an agent may be told to ask once more, without tools, for the best answer it has.
  const more = limits?.onLimit === "answer" ? 1 : 0;
  for (const current of steps) {
    const { maxIterations, iteration, turnIteration } = current.step.state.context;
    const taken = iteration - turnIteration;
    const allowed = maxIterations + more;
    for (const { id } of requestsOf(current)) {
      hold(taken < allowed, () => `${id} asks after ${taken} answers of ${allowed} in its turn`);
    }
    // An ended run takes nothing more.
    if (current.step.ignored !== undefined) continue;
    // A turn that was stopped takes one more, so that what comes next has ids of its own.
    const most = allowed + (current.event.type === "interrupt" ? 1 : 0);
    hold(taken <= most, () => `${taken} iterations of ${allowed} in one turn`);
  }
}

function hearsTheUser<Deps extends object>({ steps, state }: AgentHistory<Deps>): void {
  // While something is outstanding, what was said may still wait in the queue.
  if (owedBy(state).length > 0 || state.fault !== undefined) return;
  const texts = steps.flatMap(({ before, event }) => {
    if (event.type !== "message" || before?.status !== "active") return [];
    return [JSON.stringify(event.content)];
  });
  const kept = toArray(state.context.messages)
    .filter(({ role }) => role === "user")
    .map(({ content }) => JSON.stringify(content));
  for (const text of texts) {
    const times = kept.filter((each) => each === text).length;
    hold(times === 1, () => `${text} is in the transcript ${times} times, not once`);
  }
}

/** One script's answers in the order of its moves, and in the order of their issue (P4). */
function orderIsNothing<Deps extends object, Output>(
  agent: AnyAgent<Deps, Output>,
  input: AgentInput<Deps>,
  script: Script,
  options: LawOptions<AgentInput<Deps>>,
): void {
  const beside = Object.values(agent.tools).find(({ approvalBlocks }) => !approvalBlocks);
  if (beside !== undefined) {
    throw new ReckonerError(
      "option.invalid",
      `The law of order is not for agents whose approvals do not block, such as that of ${beside.name}: what comes of them is a message, and messages have an order. Leave confluent out.`,
    );
  }
  const outcome = (moves: readonly number[]) => {
    const history = drive(agent, input, { ...script, moves }, { ...options, answersOnly: true });
    const { state, steps } = history;
    return {
      status: state.status,
      value: state.value,
      requests: steps.flatMap(requestsOf),
      context: state.context,
      // The ids; their order is that of the answers.
      issued: toArray(state.issued).toSorted(),
    };
  };
  const plain = outcome([]);
  same(plain, outcome(script.moves), "the run in order of issue and the run in the script's order");
  const last = script.moves.map((move) => 254 - (move % 3));
  same(plain, outcome(last), "the run in order of issue and one in another order");
}
