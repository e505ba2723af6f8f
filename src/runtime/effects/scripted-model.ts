/**
 * `scriptedModel`: a model that answers from a script, for tests, demos and examples without a key.
 */

import * as shapes from "../../core/kernel/shapes.js";
import { toJson } from "../../core/kernel/values/index.js";
import {
  type AssistantPart,
  type EffectError,
  type FinishReason,
  lettersAround,
  lettersOfAnswer,
  lettersOfMessages,
  MOST_LETTERS,
  type Usage,
} from "../../core/kernel/vocabulary/index.js";
import { checkArgument } from "../ports/check-options.js";
import {
  ModelError,
  type ModelPort,
  type ModelRequest,
  type ModelResponse,
} from "../ports/ports.js";

/** One answer of a script: text, tool calls, both, a whole response, or an error. */
export type ScriptedTurn =
  | string
  | {
      readonly text?: string | undefined;
      /** Tool calls; the provider's ids are made up where none is given. */
      readonly calls?:
        | readonly {
            readonly name: string;
            /** JSON; `{}` where there is none. */
            readonly input?: unknown;
            readonly id?: string | undefined;
          }[]
        | undefined;
      readonly usage?: Partial<Usage> | undefined;
      readonly finishReason?: FinishReason | undefined;
    }
  | {
      readonly content: readonly AssistantPart[];
      readonly finishReason?: FinishReason | undefined;
      readonly usage?: Partial<Usage> | undefined;
    }
  | { readonly error: Partial<EffectError> & { readonly message: string } };

/** A script: turns by the number of answers before, or a function of the request. */
export type Script =
  | readonly ScriptedTurn[]
  | ((
      request: ModelRequest,
      turn: number,
    ) => ScriptedTurn | undefined | Promise<ScriptedTurn | undefined>);

const SCRIPT: shapes.Shape = [
  (value) => Array.isArray(value) || typeof value === "function",
  "a list of turns, or a function that answers with one",
];
const TURN: shapes.Shape = /* @__PURE__ */ shapes.holding(
  [shapes.OBJECT[0], "a string or an object"],
  {
    text: shapes.TEXT,
    calls: /* @__PURE__ */ shapes.listOf(shapes.OBJECT),
    content: shapes.LIST,
    error: shapes.OBJECT,
    usage: shapes.OBJECT,
    finishReason: shapes.TEXT,
  },
);

/** What a scripted turn costs, where it does not say: 10 tokens and 5, or as few as are believed. */
function defaultUsage(request: ModelRequest, content: readonly AssistantPart[]): Partial<Usage> {
  const letters = lettersAround(request) + lettersOfMessages(request.messages, "texts");
  const inputTokens = Math.max(10, Math.ceil(letters / MOST_LETTERS));
  const outputTokens = Math.max(5, Math.ceil(lettersOfAnswer(content) / MOST_LETTERS));
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}

/**
 * A model that answers from a script. It keeps no state: the turn is the number of answers in the
 * request, so a resumed run gets the answers that are still due. Past the script's end it fails.
 * @throws ReckonerError `option.invalid` for a script that is none
 */
export function scriptedModel(script: Script, name = "scripted"): ModelPort {
  checkArgument("The script", script, SCRIPT);
  if (typeof script !== "function") script.forEach(checkTurn);
  return {
    name,
    async generate(request, { onDelta, signal }) {
      signal.throwIfAborted();
      const turn = request.messages.filter(({ role }) => role === "assistant").length;
      const scripted = typeof script === "function" ? await script(request, turn) : script[turn];
      if (scripted === undefined) {
        const length = typeof script === "function" ? "" : `; it has ${script.length}`;
        const message = `The script has no turn ${turn}${length}.`;
        throw new ModelError({ code: "llm.failed", message });
      }
      if (typeof script === "function") checkTurn(scripted, turn);
      const response = responseOf(scripted, turn, request);
      for (const part of response.content) {
        if (part.type === "text") onDelta({ type: "text", text: part.text });
      }
      return response;
    },
  };
}

function checkTurn(scripted: unknown, turn: number): void {
  if (typeof scripted !== "string") checkArgument(`Turn ${turn} of the script`, scripted, TURN);
}

function responseOf(scripted: ScriptedTurn, turn: number, request: ModelRequest): ModelResponse {
  if (typeof scripted === "string") return responseOf({ text: scripted }, turn, request);
  if ("error" in scripted) throw new ModelError({ code: "llm.failed", ...scripted.error });
  const content = "content" in scripted ? scripted.content : partsOf(scripted, turn);
  const calls = content.some((part) => part.type === "tool-call");
  return {
    content,
    finishReason: scripted.finishReason ?? (calls ? "tool-calls" : "stop"),
    usage: scripted.usage ?? defaultUsage(request, content),
  };
}

function partsOf(
  { text, calls = [] }: Exclude<ScriptedTurn, string | { content: unknown } | { error: unknown }>,
  turn: number,
): AssistantPart[] {
  const texts: AssistantPart[] = text === undefined ? [] : [{ type: "text", text }];
  const called = calls.map(
    ({ name, input = {}, id = `call-${turn}` }, i): AssistantPart => ({
      type: "tool-call",
      toolCallId: id === `call-${turn}` ? `${id}-${i}` : id,
      toolName: name,
      input: toJson(input, `call ${i} of turn ${turn}`),
    }),
  );
  return [...texts, ...called];
}
