// A desk whose turn has everything that a page may see, and a connection that breaks at any event of a stream.
import { type AssistantPart, agent, ModelError, type ModelPort, tool } from "reckoner";
import { type Host, host, memoryHostStore } from "reckoner/serve";
import { z } from "zod";

/** Lets everybody else have their turn. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

const desk = agent({
  name: "desk",
  conversation: true,
  tools: [
    tool({ name: "look", execute: async () => turn().then(() => ({ euros: 5 })) }),
    tool({ name: "note", reduce: () => "noted" }),
    tool({ name: "fail", execute: () => Promise.reject(new Error("no")) }),
    tool({ name: "refund", needsApproval: true, execute: () => "refunded" }),
    tool({ name: "pay", needsApproval: true, execute: () => "paid" }),
    tool({ name: "seat", ask: z.object({ row: z.number() }) }),
  ],
});

const calls = (...names: string[]): AssistantPart[] =>
  names.map((toolName) => ({
    ...{ type: "tool-call", toolCallId: `call-${toolName}`, toolName, input: { of: toolName } },
  }));

/** The answers: by their number, and for some the attempts that fail before. */
const answers: readonly (readonly AssistantPart[])[] = [
  [
    { type: "reasoning", text: "I think." },
    { type: "text", text: "Let me look." },
    ...calls("look", "note", "fail"),
  ],
  [{ type: "text", text: "May I?" }, ...calls("refund", "pay", "seat")],
  [{ type: "text", text: "It is done." }],
];

/** Streams in words; the first attempt of each answer fails in its middle, the second in that of its first call. */
const model: ModelPort = {
  name: "words",
  async generate({ messages }, { onDelta, attempt }) {
    const number = messages.filter(({ role }) => role === "assistant").length;
    const content = answers[Math.min(number, answers.length - 1)] as readonly AssistantPart[];
    let words = 0;
    const overloaded = () => new ModelError({ code: "x", message: "overloaded", transient: true });
    for (const part of content) {
      if (part.type === "tool-call") {
        const { toolCallId, toolName, input } = part;
        // As a model writes it: no line has these blanks.
        for (const text of JSON.stringify(input, null, 1).match(/[\s\S]{1,16}/g) ?? []) {
          onDelta({ type: "tool-input", text, toolCallId, toolName });
          await turn();
          if (attempt === 2) throw overloaded();
        }
        continue;
      }
      if (part.type !== "text" && part.type !== "reasoning") continue;
      for (const text of part.text.match(/\S+\s*/g) ?? []) {
        onDelta({ type: part.type, text });
        for (let n = 0; n < 3; n++) await turn();
        words += 1;
        if (attempt === 1 && words === 2) {
          throw overloaded();
        }
      }
    }
    return { content, finishReason: "stop", usage: {} };
  },
};

/** A host of this desk. */
export function cutHost(): Host {
  return host({
    ...{ reasoners: [desk], model, store: memoryHostStore(), retry: { delayMs: 1 } },
    authorize: () => ({ person: "ann" }),
  });
}

/** A connection over which so many events of streams come in all; then one breaks, in the middle of the next. */
export class Connection {
  readonly #host: Pick<Host, "fetch">;
  #left: number;
  /** Events that came. */
  events = 0;

  constructor(own: Pick<Host, "fetch">, cut = Number.POSITIVE_INFINITY) {
    this.#host = own;
    this.#left = cut;
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const response = await this.#host.fetch(request);
    const isStream = (response.headers.get("content-type") ?? "").includes("event-stream");
    if (!isStream || response.body === null) return response;
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        for (const event of decoder.decode(value).match(/[\s\S]*?\n\n/g) ?? []) {
          if (this.#left === 0) {
            this.#left = Number.POSITIVE_INFINITY;
            controller.enqueue(encoder.encode(event.slice(0, event.length / 2)));
            await reader.cancel();
            return controller.error(new TypeError("network error"));
          }
          this.#left -= 1;
          this.events += 1;
          controller.enqueue(encoder.encode(event));
        }
      },
      cancel: () => reader.cancel(),
    });
    return new Response(body, { status: response.status, headers: response.headers });
  };
}

/** For the client of AG-UI, which cancels a body that broke and hears nobody's complaint of it. */
export function quietly(response: Response): Response {
  const { body } = response;
  if (body === null) return response;
  const getReader = () => {
    const reader = body.getReader();
    return { read: () => reader.read(), cancel: () => reader.cancel().catch(() => {}) };
  };
  return new Proxy(response, {
    get: (target, name) => {
      if (name === "body") return { getReader };
      const part = Reflect.get(target, name) as unknown;
      return typeof part === "function" ? part.bind(target) : part;
    },
  });
}
