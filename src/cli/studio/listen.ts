/**
 * Serves the studio over HTTP: on the loopback address alone, under an address with a random token. A request
 * without the token, or to another host name, is refused.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isReckonerError } from "../../core/kernel/values/index.js";
import { errorOf } from "../terminal/failure.js";
import { type PageFile, SERVED_POLICY } from "./page.js";

/** A request to the studio's own interface. */
export interface ApiCall {
  readonly method: string;
  /** Behind `api/`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The body of a POST, as JSON. */
  readonly body: unknown;
  readonly signal: AbortSignal;
}

/** An answer: JSON, or pieces of bytes or text as they come. */
export type ApiAnswer =
  | { readonly json: unknown }
  | { readonly type: string; readonly pieces: AsyncIterable<Uint8Array | string> };

/** A studio that listens. */
export interface ListeningStudio {
  /** With the token: who has it sees all. */
  readonly url: string;
  close(): Promise<void>;
}

const LOOPBACK = "127.0.0.1";
/** Bytes of a body: an edited answer is not longer. */
const MAX_BODY = 20 * 1024 * 1024;

const HEADERS = {
  "content-security-policy": SERVED_POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
} as const;

/** Listens. @param port 0 for any that is free @throws errors of the socket as they are */
export async function listen(
  files: ReadonlyMap<string, PageFile>,
  api: (call: ApiCall) => Promise<ApiAnswer>,
  port = 0,
): Promise<ListeningStudio> {
  const token = randomBytes(24).toString("base64url");
  const server = createServer((request, response) => {
    void serve(request, response).catch((thrown: unknown) => {
      if (response.headersSent) response.destroy();
      else refuse(response, statusOf(thrown), errorOf(thrown));
    });
  });
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const own = `${LOOPBACK}:${(server.address() as AddressInfo).port}`;
    const names = [own, own.replace(LOOPBACK, "localhost")];
    const { host = "", origin } = request.headers;
    const isOwn = names.includes(host) && (origin === undefined || origin === `http://${host}`);
    const site = request.headers["sec-fetch-site"];
    const isForeign = site !== undefined && site !== "same-origin" && site !== "none";
    if (!isOwn || isForeign) {
      return refuse(response, 403, {
        code: "host.unauthorized",
        message: `The studio answers as ${names.join(" or ")} alone.`,
      });
    }
    const url = new URL(request.url ?? "/", `http://${own}`);
    const [, pathToken = "", ...rest] = url.pathname.split("/");
    if (!isSame(pathToken, token)) {
      return refuse(response, 404, {
        code: "host.unauthorized",
        message: "Nothing is here; open the address that the command has printed.",
      });
    }
    const path = rest.join("/");
    const file = files.get(path);
    if (file !== undefined && request.method === "GET") {
      response.writeHead(200, { ...HEADERS, "content-type": file.type }).end(file.text);
      return;
    }
    if (!path.startsWith("api/"))
      return refuse(response, 404, { code: "host.route", message: "Nothing is here." });
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const body = request.method === "POST" ? await bodyOf(request) : undefined;
    const answer = await api({
      method: request.method ?? "GET",
      path: path.slice("api/".length),
      query: url.searchParams,
      body,
      signal: gone.signal,
    });
    if ("json" in answer) {
      response.writeHead(200, { ...HEADERS, "content-type": "application/json" });
      response.end(JSON.stringify(answer.json));
      return;
    }
    await sendPieces(response, answer);
  };
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, LOOPBACK, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${LOOPBACK}:${bound}/${token}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The first piece comes before the status: a journal that is not there is refused by its status. */
async function sendPieces(
  response: ServerResponse,
  { type, pieces }: Extract<ApiAnswer, { readonly pieces: unknown }>,
): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  let next = await iterator.next();
  response.writeHead(200, { ...HEADERS, "content-type": type });
  for (; next.done !== true; next = await iterator.next()) {
    if (response.destroyed) {
      await iterator.return?.();
      return;
    }
    if (!response.write(next.value)) {
      await new Promise<void>((resolve) => {
        const goOn = () => {
          response.off("drain", goOn).off("close", goOn);
          resolve();
        };
        response.on("drain", goOn).on("close", goOn);
      });
    }
  }
  response.end();
}

function isSame(candidate: string, token: string): boolean {
  const [a, b] = [Buffer.from(candidate), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers["content-type"] ?? "")) {
    throw new RequestError(415, "A body is JSON; send it as application/json.");
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY) throw new RequestError(413, "The body is too large.");
    chunks.push(chunk as Buffer);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new RequestError(400, "The body is not JSON.");
  }
}

/** A fault of a request itself. */
class RequestError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function statusOf(thrown: unknown): number {
  if (thrown instanceof RequestError) return thrown.status;
  if (!isReckonerError(thrown)) return 500;
  return thrown.code === "journal.missing" ? 404 : 422;
}

function refuse(
  response: ServerResponse,
  status: number,
  error: { readonly code: string; readonly message: string },
): void {
  response.writeHead(status, { ...HEADERS, "content-type": "application/json" });
  response.end(JSON.stringify({ error }));
}
