/** Carries out `llm` directives: calls the model, retries transient failures, and settles. */
import {
  costTogether,
  cutText,
  type EffectError,
  isList,
  type LlmDirective,
  type LlmFailed,
  type LlmSucceeded,
  type Message,
  toArray,
  type Usage,
} from "../../core/kernel/index.js";
import type { Delta, ModelPort, ModelRequest } from "../ports.js";
import type { LazyAbort } from "../running/lazy-abort.js";
import { DEFAULT_ATTEMPTS, DEFAULT_LLM_TIMEOUT } from "../running/options.js";
import { type Attempted, attempt, errorOf } from "./attempt.js";
import { backOff } from "./back-off.js";
import type { EffectHost } from "./effect-host.js";
import { withLazyProperty } from "./lazy-property.js";
import { checkAnswer, endedInError, Pieces, toldUsage } from "./model-answer.js";

/** Nobody was asked. */
const NO_REQUEST: Partial<Usage> = { requests: 0 };

/** @returns the settlement, or `undefined` where the call was cancelled */
export async function runLlm(
  directive: LlmDirective,
  host: EffectHost,
  stop: LazyAbort,
): Promise<Omit<LlmSucceeded, "at"> | Omit<LlmFailed, "at"> | undefined> {
  const { id } = directive;
  const model = modelFor(directive, host.options.model);
  if (model === undefined) {
    const message = missing(directive, host.options.model);
    return { type: "llm.failed", id, error: { code: "port.missing", message }, usage: NO_REQUEST };
  }
  const request = requestOf(directive);
  const { attempts = DEFAULT_ATTEMPTS } = host.options.retry ?? {};
  const timeoutMs = host.options.llmTimeoutMs ?? DEFAULT_LLM_TIMEOUT;
  // What attempts before this one have cost, whose answers were none.
  let paid: Partial<Usage> | undefined;
  for (let count = 1; ; count++) {
    host.observe({ type: "started", id, attempt: count });
    let over = false;
    const pieces = new Pieces();
    const onDelta = (delta: Delta) => {
      // Deltas of a call that was stopped are dropped.
      if (over || stop.aborted) return;
      for (const each of pieces.take(delta)) host.delta(id, count, each);
    };
    const outcome = await attempt(host.clock, timeoutMs, stop, (inner) =>
      model.generate(
        request,
        withLazyProperty({ attempt: count, onDelta, onNotice: noticeOf(host) }, "signal", inner),
      ),
    );
    over = true;
    if (outcome.type === "returned") for (const each of pieces.end()) host.delta(id, count, each);
    const tried = count === 1 ? {} : { attempts: count };
    if (outcome.type === "aborted") return undefined;
    let failed: { readonly error: EffectError; readonly usage?: Partial<Usage> };
    if (outcome.type === "returned") {
      try {
        const answer = checkAnswer(outcome.value);
        const { content, finishReason, usage, model, responseId, warnings, providerMetadata } =
          answer;
        // Field by field: what else a port may answer must not become part of an event.
        if (!endedInError(answer)) {
          return {
            type: "llm.succeeded",
            id,
            content,
            finishReason,
            usage: { requests: count, ...(paid ? costTogether(paid, usage) : usage) },
            ...(model === undefined ? {} : { model }),
            ...(responseId === undefined ? {} : { responseId }),
            ...(providerMetadata === undefined ? {} : { providerMetadata }),
            ...(warnings === undefined ? {} : { warnings }),
            ...tried,
          };
        }
        failed = { error: ENDED_IN_ERROR, ...toldUsage(outcome.value) };
      } catch (thrown) {
        // A refused answer was paid for all the same.
        failed = { error: errorOf(thrown, "llm.failed"), ...toldUsage(outcome.value) };
      }
    } else {
      failed = { error: errorIn(outcome, timeoutMs) };
    }
    const { error } = failed;
    if (failed.usage !== undefined) paid = paid ? costTogether(paid, failed.usage) : failed.usage;
    const cost = paid === undefined ? {} : { usage: paid };
    if (error.transient !== true || count >= attempts) {
      return { type: "llm.failed", id, error, ...cost, ...tried };
    }
    const next = await backOff(id, count, error, host, stop);
    if (next === "stopped") return undefined;
    if (next !== "again") return { type: "llm.failed", id, error: next, ...cost, ...tried };
  }
}

/** What a run's observers were told of its requests. */
const noticed = new WeakMap<EffectHost, Set<string>>();

/** Tells the run's observers what was done to a request, each thing once: it is done to each request. */
function noticeOf(host: EffectHost): (message: unknown) => void {
  return (message) => {
    const before = noticed.get(host) ?? new Set();
    if (typeof message !== "string" || before.has(message)) return;
    noticed.set(host, before.add(message));
    host.observe({ type: "notice", code: "request.mended", message: cutText(message) });
  };
}

const ENDED_IN_ERROR: EffectError = {
  code: "llm.failed",
  message: "The provider ended the answer with an error, and the model had said nothing.",
  transient: true,
};

/** Why an attempt that came to no answer did not. */
function errorIn(
  outcome: Extract<Attempted<unknown>, { readonly type: "threw" | "timeout" }>,
  timeoutMs: number,
): EffectError {
  if (outcome.type === "threw") return errorOf(outcome.thrown, "llm.failed");
  const message = `The model did not answer within ${timeoutMs} ms.`;
  return { code: "llm.timeout", message, transient: true };
}

function modelFor(
  directive: LlmDirective,
  option: EffectHost["options"]["model"],
): ModelPort | undefined {
  if (option === undefined) return undefined;
  if (typeof option.generate === "function") return option as ModelPort;
  const byName = option as { readonly [name: string]: ModelPort };
  const names = Object.keys(byName);
  const name = directive.model ?? (names.length === 1 ? (names[0] as string) : "default");
  return Object.hasOwn(byName, name) ? byName[name] : undefined;
}

/** Which model is missing, in words. */
function missing({ model: name }: LlmDirective, option: EffectHost["options"]["model"]): string {
  const names = option === undefined ? [] : Object.keys(option);
  if (names.length === 0) {
    const which = name === undefined ? "no model" : `no model named ${name}`;
    return `The run was given ${which}; pass one as the option model.`;
  }
  const known = names.join(", ");
  return name === undefined
    ? `The run was given several models (${known}), and nothing says which is asked; name it (agent({ model })), or name one of them default.`
    : `The run was given no model named ${name}, but ${known}; name one of these, or pass it with the option model.`;
}

function requestOf(directive: LlmDirective): ModelRequest {
  const { type: _type, id: _id, messages, ...rest } = directive;
  let flat: readonly Message[] | undefined;
  // Flattened when it is read: only an adapter needs the whole transcript as an array.
  return withLazyProperty(rest, "messages", () => {
    flat ??= isList(messages) ? toArray(messages) : (messages as readonly Message[]);
    return flat;
  });
}
