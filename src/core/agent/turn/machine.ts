/**
 * The agent loop as a statechart: decide whether to ask, prepare, ask the model, run its tool
 * calls, decide again. Each way to end is a state with its name.
 */
import {
  not,
  type ReasonerMachine,
  type ReasonerTypes,
  setupMachine,
} from "../../kernel/machine/index.js";
import { flawedEnds, flaws } from "../calls/send-back.js";
import type { AgentContext, Limit } from "../context/context.js";
import type { AgentInput, AgentSpec } from "../definition/spec.js";
import { agentChanges } from "./chart-changes.js";
import { agentGuards } from "./chart-guards.js";
import { agentIssues } from "./chart-issues.js";
import { type AgentShape, shapeOf } from "./shape.js";
import { type EndConversation, initialContext } from "./turn-changes.js";

const limits: readonly Limit[] = ["maxIterations", "tokenBudget", "costBudget", "deadline"];

/** The machine of one agent. */
export function agentMachine(
  spec: AgentSpec,
  shape: AgentShape = shapeOf(spec),
): ReasonerMachine<AgentContext, AgentInput> {
  const { createMachine } = setupMachine({
    types: {} as ReasonerTypes<AgentContext, AgentInput, EndConversation>,
    guards: agentGuards(spec),
    changes: agentChanges(spec),
    issues: agentIssues(spec),
  });
  const timed = shape.has("deadline");
  const deadline = timed ? (["startDeadline", "markDeadline"] as const) : [];
  const duePlugins = [
    ...(timed ? (["startDeadlineOfPlugins", "markDeadlineOfPlugins"] as const) : []),
    "runPlugins" as const,
    "markPlugins" as const,
  ];
  const cutOff = {
    cancel: { target: "#agent.cancelled", actions: "closeCutOffRun" as const },
    interrupt: {
      target: "#agent.interrupting",
      actions: ["cancelAll" as const, "stopAnswer" as const],
    },
  };
  const pace = ["moveDeadline", "paceDeadline"] as const;
  const putOff = timed ? pace : [];
  // People are asked once it is settled that the run goes on: before that the step may end it.
  const asksBeside = shape.has("pending");
  const askBeside = asksBeside ? (["runPending", "markPending"] as const) : [];
  const askAtWork = asksBeside ? (["runPendingAtWork", "markPendingAtWork"] as const) : [];
  const settled = {
    guard: not("isPending"),
    actions: ["settleCall" as const, "runCalls" as const, ...askAtWork, ...pace],
  };
  // A call whose approval did not block goes on beside whatever is under way.
  const beside = {
    guard: "isPending" as const,
    actions: [
      "settlePending" as const,
      "runCalls" as const,
      "runPending" as const,
      "markPending" as const,
    ],
  };
  const queued = { actions: "changeQueue" as const };
  const prepared = {
    guard: not("isPending"),
    actions: ["settlePlugin" as const, ...duePlugins],
  };
  const ask = shape.has("requests") ? "requesting" : "thinking";
  const send = [...askBeside, ...deadline, "askModel" as const, "sendRequest" as const];
  const sendAtOnce = [...askBeside, ...deadline, "askModelAtOnce" as const];
  // A failed turn ends no conversation.
  const failed = shape.has("conversation")
    ? {
        entry: [],
        always: { target: "ready" as const, actions: ["failTurn"] as const },
      }
    : { type: "final" as const, tags: ["failed"], entry: ["closePending" as const] };
  const disbelieved = flaws.map((flaw) => ({
    guard: { type: "isDisbelieved" as const, params: { flaw } },
    target: flawedEnds[flaw],
  }));

  return createMachine({
    id: "agent",
    context: ({ input }) => initialContext(spec, input),
    initial: "deciding",
    entry: ["tellNotices", "clearNotices"],
    on: {
      message: { actions: "hearMessage" },
      "message.edited": queued,
      "message.removed": queued,
      "message.moved": queued,
      cancel: { target: ".cancelled", actions: "closeRun" },
      interrupt: { target: ".interrupting", actions: ["cancelAll", "stopTurn"] },
      "tool.*": beside,
      "approval.*": beside,
      "read.*": beside,
      "write.*": beside,
      "run.*": beside,
      "timer.fired": { target: ".deciding", actions: ["cancelAll", "endAtDeadline"] },
    },
    states: {
      deciding: {
        entry: "takeMessages",
        always: [
          { guard: "hasFinalResult", target: "finishing" },
          ...disbelieved,
          { guard: "hasError", target: "invalidOutput" },
          { guard: not("needsAnswer"), target: "answering" },
          { guard: "isLimitReached", target: "limited", actions: "noteLimit" },
          { guard: "lacksPrice", target: "unpriced" },
          { target: shape.has("plugins") ? "preparing" : ask },
        ],
      },
      /** The plug-ins take their steps, in order. */
      preparing: {
        entry: ["preparePlugins", ...askAtWork, ...duePlugins],
        always: { guard: "isPrepared", target: "requesting" },
        on: { "read.*": prepared, "write.*": prepared, "run.*": prepared },
      },
      requesting: {
        entry: "buildRequest",
        always: [
          { guard: "isDenied", target: "denied" },
          { guard: "isUnaffordable", target: "limited", actions: "noteCostLimit" },
          { target: "thinking" },
        ],
      },
      thinking: {
        entry: shape.has("requests") ? send : sendAtOnce,
        on: {
          ...cutOff,
          "llm.succeeded": [
            { guard: "callsTools", target: "acting", actions: [...putOff, "openCalls"] },
            { target: "deciding", actions: [...putOff, "receiveAnswer"] },
          ],
          "llm.failed": { target: "recovering", actions: [...putOff, "recover"] },
        },
      },
      /** The behaviour has had its say on a failed model call. */
      recovering: {
        always: [
          { guard: "hasError", target: "modelFailed" },
          { guard: "mayRetry", target: ask },
          { target: "deciding", actions: "tellAgain" },
        ],
      },
      acting: {
        entry: ["runCalls", ...askAtWork, ...pace],
        always: { guard: "isBatchSettled", target: "deciding" },
        on: {
          "tool.*": settled,
          "approval.*": settled,
          "read.*": settled,
          "write.*": settled,
          "run.*": settled,
        },
      },
      answering: {
        entry: "takeAnswer",
        always: [
          ...disbelieved,
          { guard: "hasError", target: "invalidOutput" },
          { guard: "needsAnswer", target: "deciding", actions: "tellAgain" },
          { guard: "staysOpen", target: "ready" },
          { guard: "isStopped", target: "stopped" },
          { target: "answered" },
        ],
      },
      finishing: {
        entry: "takeFinalResult",
        always: [{ guard: "staysOpen", target: "ready" }, { target: "finished" }],
      },
      limited: {
        always: [
          { guard: "answersAtLimit", target: "wrappingUp" },
          { guard: "isModelDown", target: "modelFailed", actions: "failByModel" },
          ...limits.map((limit) => ({
            guard: { type: "isLimit" as const, params: { limit } },
            target: limit,
            actions: { type: "failByLimit" as const, params: { limit } },
          })),
        ],
      },
      /** A limit is reached: the model is asked once more, without tools. */
      wrappingUp: {
        entry: "askForBestAnswer",
        always: [
          { guard: "isDenied", target: "denied" },
          { guard: "isUnaffordable", target: "costBudget", actions: "failByCost" },
          { target: "concluding" },
        ],
      },
      concluding: {
        entry: send,
        on: {
          ...cutOff,
          "timer.fired": {},
          "llm.succeeded": { target: "closing", actions: "receiveAnswer" },
          "llm.failed": { target: "modelFailed", actions: "giveUp" },
        },
      },
      closing: {
        entry: "conclude",
        always: [
          ...disbelieved.map((end) => ({ ...end, actions: "takeAllMessages" as const })),
          { guard: "hasError", target: "invalidOutput", actions: "takeAllMessages" },
          { guard: "staysOpen", target: "ready" },
          { target: "concluded", actions: "takeAllMessages" },
        ],
      },
      /** The conversation waits for a message. */
      ready: {
        entry: [...askBeside, "cancelDeadline", "nextTurn"],
        // A message begins the next turn, also one that came while the last answer was given.
        always: { guard: "hasMessages", target: "deciding" },
        on: {
          // There is no turn to stop.
          interrupt: {},
          "conversation.end": "ended",
        },
      },
      /** The turn was stopped: a conversation is ready, and a message that came meanwhile begins the next turn. */
      interrupting: {
        always: [{ guard: "goesOn", target: "ready" }, { target: "interrupted" }],
      },
      /** The model answered without calling a tool. */
      answered: { type: "final" },
      /** A behaviour, or `stopWhen`, ended the run at the calls of an answer. */
      stopped: { type: "final" },
      /** A `final` tool succeeded. */
      finished: { type: "final" },
      /** A limit was reached, and the model gave its best answer. */
      concluded: { type: "final" },
      /** The conversation was ended. */
      ended: { type: "final", entry: "closePending" },
      maxIterations: failed,
      tokenBudget: failed,
      costBudget: failed,
      deadline: failed,
      /** There is a budget of money, and no price for the model. */
      unpriced: { ...failed, entry: ["failByPrice", ...failed.entry] },
      modelFailed: failed,
      invalidOutput: failed,
      /** The model said nothing, also when it was asked again. */
      emptyAnswer: failed,
      /** Its answer was cut off at the limit of its length. */
      truncatedAnswer: failed,
      /** A filter of the provider stopped its answer. */
      filteredAnswer: failed,
      /** Its provider ended its answer as faulty. */
      faultyAnswer: failed,
      /** A plug-in denied a request. */
      denied: { ...failed, entry: ["failByDenial", ...failed.entry] },
      cancelled: { type: "final", tags: ["cancelled"], entry: "closePending" },
      /** The turn was interrupted, and no message is queued. */
      interrupted: { type: "final", tags: ["cancelled"] },
    },
  });
}
