/**
 * Makes the system text of a request from the definition and the plug-ins. The text of the first request
 * stays, so that each request begins as the one before it; a change in a later turn is told in a message
 * before the user's.
 */

import { callPart } from "../../kernel/machine/index.js";
import * as shapes from "../../kernel/shapes.js";
import {
  append,
  itemAt,
  type JsonObject,
  sizeOf,
  takeFirst,
  toArray,
} from "../../kernel/values/index.js";
import type { Message } from "../../kernel/vocabulary/index.js";
import type { AgentContext, Instructions } from "../context/context.js";
import { invalid } from "../context/invalid.js";
import type { AgentSpec } from "../definition/spec.js";
import { basicBehaviour } from "../extend/basic-behaviour.js";
import { leavesTranscript } from "../extend/check-transcript.js";
import * as texts from "../transcript/texts.js";
import { pluginPrompts, takesSteps } from "./plugin.js";

/** Returns true if the system text of an agent is a part of its definition, and nothing changes it. */
export function isSteady({ system, plugins, behaviour }: AgentSpec): boolean {
  return typeof system !== "function" && !plugins.some(takesSteps) && leavesTranscript(behaviour);
}

/** Returns true if a behaviour leaves requests as the agent makes them. */
export function leavesRequests(behaviour: AgentSpec["behaviour"]): boolean {
  const { buildMessages, getTools, beforeRequest } = behaviour;
  const own =
    buildMessages !== basicBehaviour.buildMessages || getTools !== basicBehaviour.getTools;
  return !own && beforeRequest === undefined && leavesTranscript(behaviour);
}

/** The system text of the next request, and the context with what its sources say in this turn. */
export function instruct(
  spec: AgentSpec,
  context: AgentContext,
): { readonly context: AgentContext; readonly system: string } {
  if (isSteady(spec)) return { context, system: context.systemPrompt ?? "" };
  const { instructions: before, turn } = context;
  // A change within a turn would make the provider read all of the conversation anew.
  if (before?.turn === turn) return { context, system: before.system };
  const { context: next, sourceTexts } = sayings(spec, context);
  const system = before?.system ?? sourceTexts.map(({ text }) => text).join("\n\n");
  const instructions = { turn, system, said: sourceTexts };
  const changed = before === null ? [] : changesOf(before.said, sourceTexts);
  return { context: announced({ ...next, instructions }, changed), system };
}

type SystemTexts = Instructions["said"];

/** Reads each source of the system text, and returns the context with the plug-ins that failed. */
function sayings(
  spec: AgentSpec,
  context: AgentContext,
): { readonly context: AgentContext; readonly sourceTexts: SystemTexts } {
  const system = systemOf(spec, context) ?? "";
  const { context: next, prompts } = pluginPrompts(spec, context);
  const sourceTexts = [{ by: "system", text: system }, ...prompts];
  return { context: next, sourceTexts: sourceTexts.filter(({ text }) => text !== "") };
}

/** Returns the text of the context, else that which follows from its `deps`. @throws where that is not a string */
function systemOf({ system }: AgentSpec, { systemPrompt, deps }: AgentContext): string | null {
  if (systemPrompt !== null || typeof system !== "function") return systemPrompt;
  const text: unknown = callPart("system", () => system(deps as JsonObject));
  if (typeof text === "string") return text;
  throw invalid(`what system returns ${shapes.misfit(text, shapes.TEXT)}`);
}

/** Returns the sources whose text has changed; one that says nothing any more has none. */
function changesOf(before: SystemTexts, now: SystemTexts): SystemTexts {
  const textOf = (all: SystemTexts, source: string) =>
    all.find(({ by }) => by === source)?.text ?? "";
  const sources = new Set([...before, ...now].map(({ by }) => by));
  return [...sources]
    .map((by) => ({ by, text: textOf(now, by) }))
    .filter(({ by, text }) => text !== textOf(before, by));
}

/** The context in which what changed is said before what the user says in this turn. */
function announced(context: AgentContext, changed: SystemTexts): AgentContext {
  if (changed.length === 0) return context;
  const { messages, turnMessages } = context;
  let at = sizeOf(messages);
  while (at > turnMessages && itemAt(messages, at - 1)?.role === "user") at -= 1;
  const marked: Message = {
    role: "user",
    content: texts.instructionsChanged(changed),
    providerOptions: { reckoner: { says: "instructions" } },
  };
  const next = append(takeFirst(messages, at), marked, ...toArray(messages, at));
  return { ...context, messages: next };
}
