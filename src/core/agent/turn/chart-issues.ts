/** The directives that the agent's chart issues, by the names in a drawn chart. */
import type { Directive } from "../../kernel/vocabulary/index.js";
import { dueDirectives, pendingDirectives } from "../calls/call-directives.js";
import { isAtWork } from "../calls/pending.js";
import { againNotices } from "../calls/send-back.js";
import type { AgentSpec } from "../definition/spec.js";
import { pluginDirectives, pluginNotices } from "../request/plugin.js";
import { buildRequest, requestDirectives } from "../request/request.js";
import type { ChartArgs } from "./chart-guards.js";
import { deadlineTimer, movedDeadline } from "./deadline.js";
import { waitingFor } from "./turn-changes.js";

/** An issue's name. */
export type AgentIssue =
  | "tellNotices"
  | "tellAgain"
  | "cancelAll"
  | "startDeadline"
  | "startDeadlineOfPlugins"
  | "cancelDeadline"
  | "moveDeadline"
  | "runPlugins"
  | "askModel"
  | "askModelAtOnce"
  | "runCalls"
  | "runPending"
  | "runPendingAtWork";

/** Makes one agent's directives. */
export function agentIssues(spec: AgentSpec): {
  readonly [Name in AgentIssue]: (args: ChartArgs) => readonly Directive[];
} {
  // A turn's deadline comes with the first effect of the turn: one that asks for nothing needs none.
  const startDeadline = ({ context, event }: ChartArgs) =>
    deadlineTimer(spec, context, event?.at ?? context.startedAt);
  return {
    tellNotices: ({ context }) => context.notices,
    tellAgain: ({ context }) => againNotices(context),
    cancelAll: ({ context }) => waitingFor(context).map((target) => ({ type: "cancel", target })),
    startDeadline,
    startDeadlineOfPlugins: (args) => (args.context.preparing === null ? [] : startDeadline(args)),
    cancelDeadline: ({ context: { deadline } }) =>
      typeof deadline?.timer === "string" ? [{ type: "cancel", target: deadline.timer }] : [],
    moveDeadline: ({ context, event }) => movedDeadline(context, event),
    runPlugins: ({ context }) => pluginDirectives(context),
    askModel: ({ context }) => [...pluginNotices(context), ...requestDirectives(context)],
    askModelAtOnce: ({ context }) => requestDirectives(buildRequest(spec, context, true)),
    runCalls: ({ context }) => dueDirectives(spec, context),
    runPending: ({ context }) => pendingDirectives(spec, context),
    runPendingAtWork: ({ context }) => (isAtWork(context) ? pendingDirectives(spec, context) : []),
  };
}
