// A provider that holds one conversation, as a file of test/fixtures/conversations tells it: the k-th
// request is answered by the k-th exchange. What a request lacks of what the exchange expects is kept
// as a mismatch and refuses nothing, so that a test sees the whole difference.
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

/** What one request is and how it is answered. */
export interface Exchange {
  readonly request: {
    readonly method: string;
    readonly path: string;
    /** What the body must hold: of an object these properties, of a list exactly these items. */
    readonly body: unknown;
  };
  readonly response: {
    readonly status: number;
    readonly contentType: string;
    readonly headers?: { readonly [name: string]: string };
    /** JSON, or the text of an event stream. */
    readonly body: unknown;
    /** The connection breaks off after the body. */
    readonly cut?: boolean;
  };
}

/** A conversation with a model. */
export interface Conversation {
  readonly name: string;
  readonly api: "openai-chat" | "openai-responses" | "anthropic-messages";
  readonly about: string;
  readonly exchanges: readonly Exchange[];
}

/** The server of one conversation. */
export interface ConversationServer {
  /** Where it listens, without a path. */
  readonly url: string;
  /** How many requests came, and in what they differed from what was expected. */
  readonly report: { readonly served: number; readonly mismatches: readonly string[] };
  close(): Promise<void>;
}

/** One of our own conversations. */
export function ownConversation(name: string): Conversation {
  const file = new URL(`../fixtures/conversations/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(fileURLToPath(file), "utf8"));
}

/** Serves a conversation on the loopback address. */
export async function serveConversation(conversation: Conversation): Promise<ConversationServer> {
  const mismatches: string[] = [];
  let served = 0;
  const server = createServer((request, response) => {
    const number = served++;
    void answer(conversation.exchanges[number], request, response).then((differences) => {
      mismatches.push(...differences.map((each) => `request ${number}: ${each}`));
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get report() {
      return { served, mismatches };
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  exchange: Exchange | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<string[]> {
  let text = "";
  for await (const chunk of request) text += chunk;
  if (exchange === undefined) {
    response.writeHead(410).end();
    return ["the conversation has no more exchanges"];
  }
  const { status, contentType, headers, body, cut = false } = exchange.response;
  const differences = differencesOf(exchange.request, request, text);
  response.writeHead(status, { "content-type": contentType, ...headers });
  const answered = typeof body === "string" ? body : JSON.stringify(body);
  if (cut) response.write(answered, () => response.destroy());
  else response.end(answered);
  return differences;
}

function differencesOf(
  expected: Exchange["request"],
  { method, url }: IncomingMessage,
  text: string,
): string[] {
  const came = `${method} ${url}`;
  const line = `${expected.method} ${expected.path}`;
  const differences = lacking(expected.body, JSON.parse(text), "body");
  return came === line ? differences : [`${line} was expected, not ${came}`, ...differences];
}

/** Where a value lacks what is expected of it, each with its path. */
function lacking(expected: unknown, value: unknown, path: string): string[] {
  const differs = [
    `${path}: ${JSON.stringify(expected)} was expected, not ${JSON.stringify(value)}`,
  ];
  if (typeof expected !== "object" || expected === null) {
    return Object.is(expected, value) ? [] : differs;
  }
  if (typeof value !== "object" || value === null) return differs;
  if (Array.isArray(expected) !== Array.isArray(value)) return differs;
  if (Array.isArray(value) && (expected as unknown[]).length !== value.length) return differs;
  return Object.entries(expected).flatMap(([key, item]) =>
    lacking(item, (value as Record<string, unknown>)[key], `${path}.${key}`),
  );
}
