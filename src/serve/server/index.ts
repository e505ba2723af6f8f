/** `host.listen`: Node's own server around `host.fetch`. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { emitWarning } from "node:process";
import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { ReckonerError } from "../../core/kernel/values/index.js";

/** Options of a server. */
export interface ListenOptions {
  /** Default 0: any that is free. */
  readonly port?: number | undefined;
  /** Default 127.0.0.1; another one needs `authorize`. */
  readonly hostname?: string | undefined;
  /** Answers requests before the host does, such as those for pages; `undefined` leaves one to the host. */
  readonly serve?:
    | ((request: Request) => Response | undefined | Promise<Response | undefined>)
    | undefined;
}

/** A server that listens. */
export interface Listening {
  /** Such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Stops listening and ends what is open. */
  close(): Promise<void>;
}

/** Listens. @param isOpen see {@link listen} */
export type Listen = (
  answer: (request: Request) => Promise<Response>,
  options: ListenOptions,
  isOpen: boolean,
) => Promise<Listening>;

const LOOPBACK = "127.0.0.1";

/**
 * Listens. @param isOpen nobody is asked who they are: only this machine may reach it, and no page of another site
 * @throws ReckonerError `option.invalid`; errors of the socket as they are
 */
export const listen: Listen = async (
  answer,
  { port = 0, hostname = LOOPBACK, serve: first },
  isOpen,
) => {
  if (isOpen && hostname !== LOOPBACK) {
    const message = `A host without authorize listens on ${LOOPBACK} alone; give it authorize, or leave hostname out.`;
    throw new ReckonerError("option.invalid", message, { place: "hostname" });
  }
  const server = createServer((incoming, outgoing) => {
    void serve(incoming, outgoing).catch((thrown: unknown) => {
      // A request that broke off in the middle of its body is nobody's fault here.
      if (thrown === incoming.errored) return;
      // It is nobody's who asked: the log has it.
      emitWarning(thrown instanceof Error ? thrown : new Error(String(thrown)));
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500).end();
    });
  });
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const gone = new AbortController();
    outgoing.on("close", () => gone.abort());
    const own = `127.0.0.1:${portOf(server)}`;
    const foreign = isOpen ? foreignIn(incoming, [own, `localhost:${portOf(server)}`]) : undefined;
    const request = requestOf(incoming, gone.signal, own, Readable.toWeb(incoming));
    const response = foreign ?? (await first?.(request)) ?? (await answer(request));
    // The rest of a body that was not read to its end is nobody's.
    if (hasBody(incoming) && !incoming.complete) outgoing.shouldKeepAlive = false;
    // Cookies are headers of the same name.
    outgoing.writeHead(response.status, [...response.headers].flat());
    if (response.body === null) {
      outgoing.end();
      return;
    }
    const body = Readable.fromWeb(response.body as NodeStream);
    body.on("error", () => outgoing.destroy());
    outgoing.on("close", () => body.destroy());
    body.pipe(outgoing);
  };
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, resolve);
  });
  const url = `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${portOf(server)}`;
  if (isOpen) {
    emitWarning(
      `The host at ${url} asks nobody who they are (it has no authorize): whoever is on this machine can use it.`,
      { type: "ReckonerWarning" },
    );
  }
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

function hasBody({ method }: Pick<IncomingMessage, "method">): boolean {
  return method !== "GET" && method !== "HEAD";
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo | null)?.port ?? 0;
}

/** A page of another site may have this machine's browser ask: it does so in its own name, or in a name that leads here. */
function foreignIn({ headers }: IncomingMessage, own: readonly string[]): Response | undefined {
  const { host = "", origin } = headers;
  const isOwn = own.includes(host) && (origin === undefined || own.includes(origin.slice(7)));
  if (isOwn) return undefined;
  const message = `A host without authorize answers as ${own.join(" or ")} alone.`;
  const body = JSON.stringify({ error: { code: "host.unauthorized", message } });
  return new Response(body, { status: 403, headers: { "content-type": "application/json" } });
}

/** Headers of proxies are left to `authorize`: nothing here believes them. */
function requestOf(
  { method = "GET", url = "/", headers }: IncomingMessage,
  signal: AbortSignal,
  own: string,
  body: ReadableStream,
): Request {
  const all = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(", ")] as [string, string]],
  );
  const rest = hasBody({ method }) ? ({ body, duplex: "half" } as const) : {};
  // A path with two slashes would be read as a host's name.
  const asked = url.startsWith("/") ? `http://${own}${url}` : new URL(url, `http://${own}`);
  return new Request(asked, { method, headers: all, signal, ...rest });
}
