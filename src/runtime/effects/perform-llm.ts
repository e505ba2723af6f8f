/** Carries out one attempt of an `llm` directive: asks the model once, and checks its answer. */
import type { Attempt, FailedAttempt, Outcome } from "../../core/driver/for-live-runs.js";
import * as shapes from "../../core/kernel/shapes.js";
import { cutText } from "../../core/kernel/values/index.js";
import {
  believedUsage,
  type LlmDirective,
  type LlmSucceeded,
  lettersOfAnswer,
  type Message,
  messagesOf,
} from "../../core/kernel/vocabulary/index.js";
import type { LazyAbort } from "../ports/lazy-abort.js";
import { withLazyProperty } from "../ports/lazy-property.js";
import { MAX_NAME_LENGTH, modelFor } from "../ports/models.js";
import type { HostOptions } from "../ports/options.js";
import type { Delta, ModelCall, ModelPort, ModelRequest } from "../ports/ports.js";
import { askedLetters } from "./asked-letters.js";
import { type AttemptPorts, call, handleOf } from "./call-port.js";
import { errorOf, thrownByPort } from "./error-of.js";
import { withFiles } from "./fetch-blobs.js";
import { checkAnswer, endedInError, Pieces, reportedUsage } from "./model-answer.js";
import { StreamedAnswer } from "./streamed-answer.js";

/** Asks the model once. */
export function performLlm(
  attempt: Attempt<LlmDirective>,
  ports: AttemptPorts,
  signal: LazyAbort,
): Outcome | Promise<Outcome> {
  const { runId, directive, attempt: count, idempotencyKey } = attempt;
  const { model: option } = ports;
  const { id } = directive;
  const model = modelFor(directive, option, attempt.model);
  if (model === undefined) {
    const error = { code: "port.missing", message: missing(directive, option) };
    return { type: "failed", error, refused: true, usage: { requests: 0 } };
  }
  // Most answers do not stream.
  let streamed: StreamedAnswer | undefined;
  let pieces: Pieces | undefined;
  let over = false;
  const take = (deltas: readonly Delta[]) => {
    streamed ??= new StreamedAnswer(count);
    for (const delta of deltas) {
      streamed.take(delta);
      ports.onDelta?.(delta);
    }
  };
  const asked: Omit<ModelCall, "signal"> = {
    runId,
    id,
    attempt: count,
    idempotencyKey,
    ...handleOf(attempt, ports.keep),
    onDelta(delta) {
      // Pieces of an attempt that is over are dropped.
      if (over || signal.aborted) return;
      pieces ??= new Pieces();
      take(pieces.take(delta));
    },
    onNotice(message: unknown) {
      if (typeof message !== "string") return;
      ports.onNotice?.("request.mended", cutText(message));
    },
  };
  const circumstances = withLazyProperty(asked, "signal", () => signal.signal);
  const request = requestOf(directive);
  const { blobs } = ports;
  const work = () =>
    blobs === undefined
      ? model.generate(request, circumstances)
      : withFiles(request, blobs).then((whole) => model.generate(whole, circumstances));
  return call(signal, work, (called) => {
    over = true;
    if (called.type === "stopped") {
      return { type: "stopped", partial: (streamed ?? new StreamedAnswer(count)).partial() };
    }
    if (called.type === "threw") {
      return { type: "failed", error: thrownByPort(called.thrown, "llm.failed") };
    }
    if (pieces !== undefined) take(pieces.end());
    return answered(attempt, model, ports, called.value);
  });
}

/** Field by field: what else a port may answer must not become part of an event. */
function answered(
  { directive, attempt, model: asked }: Attempt<LlmDirective>,
  port: ModelPort,
  ports: AttemptPorts,
  raw: unknown,
): Outcome {
  // A refused answer was paid for all the same.
  const failed = (error: FailedAttempt["error"]): Outcome => ({
    type: "failed",
    error,
    ...reportedUsage(raw),
  });
  try {
    const answer = checkAnswer(raw);
    if (endedInError(answer)) return failed(ENDED_IN_ERROR);
    const { content, finishReason, model, responseId, warnings, providerMetadata } = answer;
    const { asked: letters, media } = askedLetters(directive);
    const { usage, doubt } = believedUsage(answer.usage, {
      asked: letters,
      media,
      answered: lettersOfAnswer(content),
      maxOutputTokens: directive.settings?.maxOutputTokens,
    });
    if (doubt !== undefined) {
      const text = `The model port ${port.name} ${doubt} (${directive.id}).`;
      ports.onNotice?.("usage.estimated", cutText(text));
    }
    const settlement: Omit<LlmSucceeded, "at"> = {
      type: "llm.succeeded",
      id: directive.id,
      content,
      finishReason,
      usage: { requests: attempt, ...usage },
      ...(model === undefined ? {} : { model }),
      ...(model === undefined || asked !== undefined ? namedPort(port) : {}),
      ...shapes.defined({ responseId, providerMetadata, warnings }),
    };
    return { type: "settled", settlement };
  } catch (thrown) {
    // The port answered, and would answer so again: no model is down.
    return { ...failed(errorOf(thrown, "llm.failed")), refused: true } as Outcome;
  }
}

/** The name of a port: its answer may name no model, or one that others have too. */
function namedPort({ name }: ModelPort): { readonly port?: string } {
  return typeof name === "string" && name !== "" ? { port: cutText(name, MAX_NAME_LENGTH) } : {};
}

const ENDED_IN_ERROR: FailedAttempt["error"] = {
  code: "llm.failed",
  message: "The provider ended the answer with an error, and the model had said nothing.",
  transient: true,
};

/** Which model is missing, in words. */
function missing({ model: name }: LlmDirective, option: HostOptions["model"]): string {
  const names = option === undefined ? [] : Object.keys(option);
  if (names.length === 0) {
    const which = name === undefined ? "no model" : `no model named ${name}`;
    return `The run was given ${which}; pass one as the option model.`;
  }
  const list = names.join(", ");
  return name === undefined
    ? `The run was given several models (${list}), and nothing says which is asked; name it (agent({ model })), or name one of them default.`
    : `The run was given no model named ${name}, but ${list}; name one of these, or pass it with the option model.`;
}

function requestOf(directive: LlmDirective): ModelRequest {
  const { type: _type, id: _id, messages, ...rest } = directive;
  let flat: readonly Message[] | undefined;
  // Flattened when it is read: only an adapter needs the whole transcript as an array.
  return withLazyProperty(rest, "messages", () => {
    flat ??= messagesOf({ messages });
    return flat;
  });
}
