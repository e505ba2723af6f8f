/** Calling functions of a user's: a behaviour's optional callbacks have a default where it has none. */
import { type AssistantMessage, atOnce } from "../kernel/index.js";
import { basicBehaviour } from "./basic-behaviour.js";
import type { AgentContext } from "./context.js";
import { shownContext } from "./copy-context.js";
import type { AgentSpec, Behaviour } from "./spec.js";

type Optional = "initContext" | "beforeRequest" | "afterTool" | "handleError";

/** Calls an optional callback, or gives the default where the behaviour has none. */
export function call<Name extends Optional>(
  behaviour: Behaviour,
  name: Name,
  args: Parameters<NonNullable<Behaviour[Name]>>,
  otherwise: ReturnType<NonNullable<Behaviour[Name]>>,
): ReturnType<NonNullable<Behaviour[Name]>> {
  const callback = behaviour[name] as
    | ((...args: unknown[]) => ReturnType<NonNullable<Behaviour[Name]>>)
    | undefined;
  if (callback === undefined) return otherwise;
  const shown: unknown[] = [...args];
  const at = CONTEXT_AT[name];
  if (at === 2) Object.freeze(args[1]);
  shown[at] = shownContext(args[at] as AgentContext);
  return atOnce(name, callback.apply(behaviour, shown));
}

/** Which of a callback's arguments the context is. A record or an error stands before it, a request behind. */
const CONTEXT_AT: { readonly [Name in Optional]: 1 | 2 } = {
  initContext: 1,
  beforeRequest: 1,
  afterTool: 2,
  handleError: 2,
};

type Required = "buildMessages" | "processResponse" | "extractOutput" | "getTools";

/** The context with a model's answer, as the behaviour takes it. */
export function processed(
  spec: AgentSpec,
  message: AssistantMessage,
  context: AgentContext,
): AgentContext {
  const { behaviour } = spec;
  const shown = shownTo(behaviour, "processResponse", context);
  return atOnce("processResponse", behaviour.processResponse(spec, message, shown));
}

/** The context as a behaviour may see it. The basic one's functions change nothing. */
export function shownTo(behaviour: Behaviour, name: Required, context: AgentContext): AgentContext {
  return behaviour[name] === basicBehaviour[name] ? context : shownContext(context);
}
