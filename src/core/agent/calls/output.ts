/**
 * Takes the run's output from a model's answer: by the behaviour, or as JSON that the agent's `output`
 * schema accepts. An answer that does not fit is sent back to the model with the reason, a limited number
 * of times.
 */

import {
  cutText,
  itemAt,
  type Json,
  type JsonObject,
  ReckonerError,
  sizeOf,
  toJson,
} from "../../kernel/values/index.js";
import {
  builtInTool,
  describeThrown,
  jsonMeantBy,
  jsonSchemaFault,
  jsonSchemaOf,
  type Message,
  type Tool,
  textOf,
  tool,
  validate,
} from "../../kernel/vocabulary/index.js";
import type { AgentContext, Call, CallOutcome } from "../context/context.js";
import { type AgentSpec, DEFAULT_OUTPUT_RETRIES, type OutputSpec } from "../definition/spec.js";
import { extracted } from "../extend/behaviour.js";
import { addMessage } from "../extend/context-functions.js";
import { isStopped } from "../extend/stop.js";
import * as texts from "../transcript/texts.js";
import { disbelieved, sendBack } from "./send-back.js";

/** An output's JSON Schema. */
export function outputSchema(output: OutputSpec, agent: string): JsonObject {
  const { jsonSchema } = output;
  if (jsonSchema === undefined) return jsonSchemaOf(output.schema, `Agent ${agent}, output`);
  const json = toJson<JsonObject>(jsonSchema, "output.jsonSchema");
  const fault = jsonSchemaFault(json);
  if (fault === undefined) return json;
  throw new ReckonerError(
    "agent.invalid",
    `Agent ${agent}: output.jsonSchema is invalid: ${fault}.`,
  );
}

/** The final tool through which an output is given. */
export function outputTool(output: OutputSpec, json: JsonObject): Tool {
  const made = tool({
    name: outputToolName(output),
    description: output.description ?? "Give the final result and end the task.",
    inputSchema: output.schema,
    jsonSchema: json,
    final: true,
    reduce: (input) => input,
  });
  // Its schema is a part of the configuration by itself.
  return output.description === undefined ? builtInTool(made) : made;
}

/** The name of the tool through which an output is given. */
export function outputToolName({ name }: OutputSpec): string {
  return name ?? "final_result";
}

/**
 * The context after a call of the output's tool that did not validate: the model has read why. One
 * try less; `error` is set where none is left.
 */
export function countOutputCall(
  spec: AgentSpec,
  context: AgentContext,
  call: Call,
  outcome: CallOutcome,
): AgentContext {
  const { output } = spec;
  if (output?.via !== "tool" || call.name !== outputToolName(output)) return context;
  if (outcome.type === "returned" || outcome.status !== "failed") return context;
  const retries = output.retries ?? DEFAULT_OUTPUT_RETRIES;
  if (context.answerTries < retries) return { ...context, answerTries: context.answerTries + 1 };
  return { ...context, error: { code: "agent.output", message: outcome.text } };
}

/**
 * The context with its answer, or with a word to the model about what is wrong with it and one try
 * less; `error` is set where no try is left.
 * @param again whether the model may be asked again, with tools
 */
export function takeAnswer(spec: AgentSpec, context: AgentContext, again = true): AgentContext {
  // A conversation in which nothing has been said yet.
  if (sizeOf(context.messages) === 0) return context;
  if (disbelieved(context) !== null && !isStopped(context)) return sendBack(spec, context, again);
  const found = findOutput(spec, context, again);
  if (found.ok) return { ...context, answer: { output: found.output }, error: null };
  const retries = spec.output?.retries ?? DEFAULT_OUTPUT_RETRIES;
  const mended = again && !isStopped(context) && context.answerTries < retries;
  if (!mended || found.tell === undefined) {
    return { ...context, error: { code: "agent.output", message: cutText(found.error) } };
  }
  const next = addMessage(context, { role: "user", content: cutText(found.tell) });
  return { ...next, flaw: "output", answerTries: context.answerTries + 1, error: null };
}

type Found =
  | { readonly ok: true; readonly output: Json }
  | { readonly ok: false; readonly error: string; readonly tell?: string };

function findOutput(spec: AgentSpec, context: AgentContext, withTools: boolean): Found {
  const { output } = spec;
  if (output === undefined) return extracted(spec, context);
  if (isStopped(context)) {
    return {
      ok: false,
      error: "The turn was ended before there was an answer of the required form.",
    };
  }
  if (output.via === "tool" && withTools) {
    const name = outputToolName(output);
    const error = `The model answered in text instead of calling ${name}.`;
    return { ok: false, error, tell: texts.callTheTool(name) };
  }
  const issues = (error: string): Found => ({
    ok: false,
    error: `The answer does not have the required form: ${error}`,
    tell: texts.invalidOutput(error),
  });
  let first: string | undefined;
  for (const value of jsonOf(itemAt(context.messages, -1))) {
    try {
      const checked = validate(output.schema, value);
      if (checked.ok) return { ok: true, output: toJson(checked.value) };
      first ??= checked.issues;
    } catch (thrown) {
      first ??= describeThrown(thrown);
    }
  }
  return issues(first ?? "it is not JSON");
}

/** Lists the texts of an answer that may be its JSON, the likeliest first. Its last text counts before all of them. */
function jsonOf(message: Message | undefined): readonly unknown[] {
  const parts = typeof message?.content === "object" ? message.content : [];
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const inLast = texts.length > 1 ? jsonMeantBy(texts.at(-1) as string) : [];
  return [...inLast, ...jsonMeantBy(textOf(message))];
}
