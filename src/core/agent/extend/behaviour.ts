/**
 * Calls the functions of an agent's behaviour: optional ones have a default, and each return value is
 * checked, since a forgotten `return` would otherwise show up elsewhere as another error.
 */

import { callPart } from "../../kernel/machine/index.js";
import * as shapes from "../../kernel/shapes.js";
import { isList, type List } from "../../kernel/values/index.js";
import type { AssistantMessage, Message, Tool } from "../../kernel/vocabulary/index.js";
import type { AgentContext } from "../context/context.js";
import { shownContext } from "../context/copy-context.js";
import { invalid } from "../context/invalid.js";
import type { AgentSpec, Behaviour, Extracted } from "../definition/spec.js";
import { basicBehaviour } from "./basic-behaviour.js";

type Optional = "initContext" | "beforeRequest" | "afterTool" | "handleError";
type Required = "buildMessages" | "processResponse" | "extractOutput" | "getTools";
type Callback = Optional | Required;

/** Calls an optional callback, or gives the default where the behaviour has none. */
export function call<Name extends Optional>(
  behaviour: Behaviour,
  name: Name,
  args: Parameters<NonNullable<Behaviour[Name]>>,
  otherwise: ReturnType<NonNullable<Behaviour[Name]>>,
): ReturnType<NonNullable<Behaviour[Name]>> {
  if (behaviour[name] === undefined) return otherwise;
  const shown: unknown[] = [...args];
  const at = CONTEXT_AT[name];
  if (at === 2) Object.freeze(args[1]);
  shown[at] = shownContext(args[at] as AgentContext);
  return answerOf(behaviour, name, shown);
}

/**
 * The index of the context among a callback's arguments. A record or an error stands before it, a request
 * behind.
 */
const CONTEXT_AT: { readonly [Name in Optional]: 1 | 2 } = {
  initContext: 1,
  beforeRequest: 1,
  afterTool: 2,
  handleError: 2,
};

/** The context with a model's answer, as the behaviour takes it. */
export function processed(
  spec: AgentSpec,
  message: AssistantMessage,
  context: AgentContext,
): AgentContext {
  const shown = shownTo(spec.behaviour, "processResponse", context);
  return answerOf(spec.behaviour, "processResponse", [spec, message, shown]);
}

/** The messages for the model, as the behaviour builds them. */
export function builtMessages(
  spec: AgentSpec,
  context: AgentContext,
): List<Message> | readonly Message[] {
  return asked(spec, "buildMessages", context);
}

/** Returns the agent's tools that the behaviour has the model shown. */
export function shownTools(spec: AgentSpec, context: AgentContext): readonly Tool[] {
  return asked(spec, "getTools", context);
}

/** The output, as the behaviour extracts it. */
export function extracted(spec: AgentSpec, context: AgentContext): Extracted {
  return asked(spec, "extractOutput", context);
}

function asked<Name extends Exclude<Required, "processResponse">>(
  spec: AgentSpec,
  name: Name,
  context: AgentContext,
): ReturnType<Behaviour[Name]> {
  const { behaviour } = spec;
  return answerOf(behaviour, name, [spec, shownTo(behaviour, name, context)]);
}

/** The context as a behaviour may see it. The basic one's functions change nothing. */
function shownTo(behaviour: Behaviour, name: Required, context: AgentContext): AgentContext {
  return behaviour[name] === basicBehaviour[name] ? context : shownContext(context);
}

/**
 * Returns a callback's answer. A fault names it: what it threw, or a promise, is the run's end.
 * @throws ReckonerError `agent.invalid` where it returns something else than it must
 */
function answerOf<Name extends Callback>(
  behaviour: Behaviour,
  name: Name,
  args: unknown[],
): ReturnType<NonNullable<Behaviour[Name]>> {
  const callback = behaviour[name] as (...parameters: unknown[]) => unknown;
  const part = `${name} of behaviour ${behaviour.name}`;
  const answer = callPart(part, () => callback.apply(behaviour, args));
  const fault = answers[name][0](answer) ? undefined : shapes.misfit(answer, answers[name]);
  if (fault === undefined) return answer as ReturnType<NonNullable<Behaviour[Name]>>;
  throw invalid(`what ${part} returns ${fault}`);
}

type Loose = { readonly [part: string]: unknown };

const isObject = (value: unknown): value is Loose => typeof value === "object" && value !== null;
/** The parts without which the loop would go astray; it is laid over the context that it came from. */
const isContext = (value: unknown): boolean =>
  isObject(value) && typeof value.iteration === "number" && isList(value.messages);
const isMessages = (value: unknown): boolean => isList(value) || Array.isArray(value);

const CONTEXT: shapes.Shape = [
  isContext,
  "a whole context: the one it was given, with its changes",
];

/** The answer that each callback must return. */
const answers: { readonly [Name in Callback]: shapes.Shape } = {
  buildMessages: [isMessages, "a list of messages"],
  processResponse: CONTEXT,
  extractOutput: [
    (value) =>
      isObject(value) &&
      (value.ok === true
        ? "output" in value
        : value.ok === false && typeof value.error === "string"),
    "{ ok: true, output } or { ok: false, error: a string }",
  ],
  getTools: [(value) => Array.isArray(value) && value.every(isObject), "an array of tools"],
  initContext: CONTEXT,
  beforeRequest: [
    (value) => isObject(value) && isMessages(value.messages),
    "a whole request: the one it was given, with its changes",
  ],
  afterTool: CONTEXT,
  handleError: [
    (value) => isObject(value) && isRecovery(value),
    '{ type: "retry" or "continue", context } or { type: "error", error: { code, message } }',
  ],
};

function isRecovery({ type, context, error }: Loose): boolean {
  if (type === "retry" || type === "continue") return isContext(context);
  const { code, message } = isObject(error) ? error : {};
  return type === "error" && typeof code === "string" && typeof message === "string";
}
