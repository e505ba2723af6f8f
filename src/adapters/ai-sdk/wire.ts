/**
 * Watches the HTTP traffic of one call, through the model's own `fetch`, for what the provider's client does not
 * report: that `[DONE]` was sent, the original error inside a stream, and the credentials of the request (so
 * that they can be masked in errors). A model without an accessible `fetch` is called without this.
 */

import type { Json } from "../../core/kernel/values/index.js";
import { isSecretKey } from "../../core/kernel/vocabulary/index.js";
import { MAX_RESULT_LENGTH } from "../../runtime/for-adapters.js";
import { plainJson } from "./plain-json.js";
import type { SpecModel } from "./specification.js";

/** The part of an answer that was seen. */
export interface Wire {
  /** The provider ended its stream with `[DONE]`. */
  readonly done: boolean;
  /** The last error that the provider put into its stream. */
  readonly error: Json | undefined;
  /** Values of headers that carry credentials, as they were sent. */
  readonly credentials: readonly string[];
  /** Characters of arguments in a stream of OpenAI's chat: its clients leave out what they cannot assign. */
  readonly argumentLength?: number;
  /** The ids of calls in such a stream; clients make others for calls that come twice. */
  readonly callIds?: ReadonlySet<string>;
  /** The answer was given up: it was larger than any may be. */
  readonly endless?: boolean;
}

/** Bytes of an answer, or of one line of a stream: a character is written in six of them at most. */
const MOST_BYTES: number = 6 * MAX_RESULT_LENGTH;

type Fetch = typeof globalThis.fetch;

class Tap implements Wire {
  done = false;
  error: Json | undefined;
  readonly credentials: string[] = [];
  argumentLength = 0;
  readonly callIds: Set<string> = new Set();
  endless = false;

  /** A fetch that looks at what goes through it, and changes nothing but to give up what has no end. */
  through(fetch: Fetch | undefined): Fetch {
    return async (input, init) => {
      this.#see(new Headers(init?.headers));
      const response = await (fetch ?? globalThis.fetch)(input, init);
      const streamed = response.headers.get("content-type")?.includes("event-stream") === true;
      if (response.body === null) return response;
      const { status, statusText, headers } = response;
      const through = streamed ? this.#lines() : this.#bounded();
      return new Response(response.body.pipeThrough(through), { status, statusText, headers });
    };
  }

  /** @throws Error where there are more bytes than an answer may have */
  #count(bytes: number): void {
    if (bytes <= MOST_BYTES) return;
    this.endless = true;
    throw new Error("The answer is larger than any may be.");
  }

  #bounded(): TransformStream<Uint8Array, Uint8Array> {
    let bytes = 0;
    return new TransformStream({
      transform: (chunk, controller) => {
        bytes += chunk.length;
        this.#count(bytes);
        controller.enqueue(chunk);
      },
    });
  }

  #see(headers: Headers): void {
    headers.forEach((value, name) => {
      if (isSecretKey(name)) this.credentials.push(value.replace(/^\w+\s+/, ""));
    });
  }

  #lines(): TransformStream<Uint8Array, Uint8Array> {
    const decoder = new TextDecoder();
    // Pieces of an unfinished line, joined once when it ends.
    let rest: string[] = [];
    let bytes = 0;
    return new TransformStream({
      transform: (chunk, controller) => {
        bytes += chunk.length;
        const [first = "", ...lines] = decoder.decode(chunk, { stream: true }).split(/\r\n|\r|\n/);
        rest.push(first);
        for (const line of lines) {
          this.#read(rest.join(""));
          rest = [line];
          bytes = chunk.length;
        }
        this.#count(bytes);
        controller.enqueue(chunk);
      },
      flush: () => this.#read(rest.join("")),
    });
  }

  #read(line: string): void {
    if (!line.startsWith("data:")) return;
    const data = line.slice("data:".length).trim();
    if (data === "[DONE]") this.done = true;
    else if (data.includes('"error"')) this.error = errorIn(data) ?? this.error;
    else if (data.includes('"tool_calls"')) this.#noteCalls(data);
  }

  #noteCalls(data: string): void {
    for (const { id, function: called } of callsIn(data)) {
      if (typeof id === "string" && id.trim() !== "") this.callIds.add(id);
      if (typeof called?.arguments === "string") this.argumentLength += called.arguments.length;
    }
  }
}

interface CallPiece {
  readonly id?: unknown;
  readonly function?: { readonly arguments?: unknown } | null;
}

/** The pieces of calls in a chunk of OpenAI's chat; none in what is something else. */
function callsIn(text: string): readonly CallPiece[] {
  try {
    const { choices } = JSON.parse(text) as {
      readonly choices?: readonly { readonly delta?: { readonly tool_calls?: unknown } }[];
    };
    const calls = choices?.[0]?.delta?.tool_calls;
    return Array.isArray(calls) ? calls.filter((call) => typeof call === "object" && call) : [];
  } catch {
    return [];
  }
}

function errorIn(text: string): Json | undefined {
  try {
    const body = plainJson(JSON.parse(text));
    const { error } = (body ?? {}) as { readonly error?: Json };
    return error == null ? undefined : body;
  } catch {
    return undefined;
  }
}

/** The model for one call, and what is seen of that call. */
export function tapped(model: SpecModel): { readonly model: SpecModel; readonly wire: Wire } {
  const wire = new Tap();
  const { config } = model as { readonly config?: { readonly fetch?: Fetch } };
  if (typeof config !== "object" || config === null || hasPrivates(model)) return { model, wire };
  // An object that inherits from the model: the caller's own is not modified.
  const fetch = { value: wire.through(config.fetch), enumerable: true };
  const watched = Object.create(Object.getPrototypeOf(config), {
    ...Object.getOwnPropertyDescriptors(config),
    fetch,
  });
  return { model: Object.create(model, { config: { value: watched } }), wire };
}

/**
 * Returns true when a class of the model has private names: its methods take no other object than their
 * own.
 */
function hasPrivates(model: object): boolean {
  let prototype = Object.getPrototypeOf(model);
  while (prototype !== null && prototype !== Object.prototype) {
    if (/[\s.({;]#[A-Za-z_$]/.test(String(prototype.constructor))) return true;
    prototype = Object.getPrototypeOf(prototype);
  }
  return false;
}
