/**
 * `host.fetch`: answers the HTTP requests to a host's routes. It takes a `Request` and returns a `Response` of
 * the Web, so that it runs wherever these do.
 */
import * as shapes from "../../core/kernel/shapes.js";
import {
  isReckonerError,
  MAX_EVENT_LENGTH,
  ReckonerError,
} from "../../core/kernel/values/index.js";
import { type Clock, isLabel } from "../../runtime/for-hosts.js";
import type { Sender } from "../run-host.js";
import { LINES_LENGTH } from "../store.js";
import { checkBody, numberIn, type Route, routeOf } from "./routes.js";
import type { ServedRuns, Who } from "./served.js";
import type { SlowReaders } from "./slow-readers.js";
import { statusOf, statusOfFault } from "./status.js";
import { eventStream, lineEvents, STREAM_HEADERS, stopWith } from "./stream.js";

/**
 * Tells who makes a request, from its cookie or its token. Nobody (`undefined`) gets 401; a response of its own is
 * given as it is.
 */
export type Authorize = (
  request: Request,
) => Who | Response | undefined | Promise<Who | Response | undefined>;

/** The parts of a host that its routes need. */
export interface Served {
  runsOf(who: Who): ServedRuns;
  readonly clock: Clock;
  /** Those of all its streams. */
  readonly slow: SlowReaders;
  readonly authorize: Authorize;
  /** The path that stands before all routes. */
  readonly path: string;
}

/** Bytes of a body: an event of the largest size, in letters of three bytes. */
const MAX_BODY = 3 * MAX_EVENT_LENGTH;

/** Answers a request. @throws what `authorize` throws, and the store that is no ReckonerError: whoever serves logs it */
export async function answered(served: Served, request: Request): Promise<Response> {
  try {
    return await routed(served, request);
  } catch (thrown) {
    if (isReckonerError(thrown)) return faultResponse(thrown);
    throw thrown;
  }
}

async function routed(served: Served, request: Request): Promise<Response> {
  const { path, authorize, clock, slow, runsOf } = served;
  const url = new URL(request.url);
  if (!url.pathname.startsWith(`${path}/`)) throw noRoute(url.pathname);
  const { route, parts, methods } = routeOf(request.method, url.pathname.slice(path.length));
  if (methods.length === 0) throw noRoute(url.pathname);
  if (route === undefined) {
    const message = `${request.method} is no method of ${url.pathname}; ${methods.join(", ")} are.`;
    const refused = { error: { code: "host.route", message } };
    return json(405, refused, { allow: methods.join(", ") });
  }
  const who = await authorize(request);
  if (who instanceof Response) return who;
  if (who === undefined || who === null) {
    throw new ReckonerError("host.unauthorized", "Nobody known makes this request; sign in.");
  }
  const runs = runsOf(who);
  if (route.streams === true && (request.headers.get("accept") ?? "").includes("event-stream")) {
    const first = firstLine(request, url);
    return lineStream(runs, parts.run as string, first, request.signal, served);
  }
  if (route.streams === true) firstLine(request, url);
  const body = await bodyOf(route, request);
  const sender = senderOf(request, who);
  const { signal } = request;
  const query = url.searchParams;
  const result = await route.does({ runs, parts, query, body, sender, signal, clock, slow });
  if (result instanceof Response) return result;
  return json(statusOf(result), result);
}

/** @throws ReckonerError `event.invalid` */
function firstLine(request: Request, url: URL): number {
  const last = request.headers.get("last-event-id");
  const from = last === null ? (numberIn(url.searchParams, "from") ?? 0) : Number(last) + 1;
  if (Number.isSafeInteger(from) && from >= 0) return from;
  throw new ReckonerError("event.invalid", "from is the number of a line, from 0.", {
    place: "from",
  });
}

async function lineStream(
  runs: ServedRuns,
  id: string,
  from: number,
  signal: AbortSignal,
  served: Pick<Served, "clock" | "slow">,
): Promise<Response> {
  const { stop, stopped } = stopWith(signal);
  const texts = lineEvents(runs.watch(id, { from, signal: stopped }));
  // A run that is not there is said by the status.
  await runs.run(id).row();
  const stream = eventStream({ texts, held: () => LINES_LENGTH, stop }, served);
  return new Response(stream, { headers: STREAM_HEADERS });
}

function senderOf(request: Request, { person, role }: Who): Sender {
  const key = request.headers.get("idempotency-key") ?? undefined;
  if (key !== undefined && !isLabel(key)) {
    const message = "Idempotency-Key is a text of 1 to 200 characters.";
    throw new ReckonerError("event.invalid", message, { place: "idempotency-key" });
  }
  return shapes.defined({ key, by: person, role });
}

/** @throws ReckonerError `event.tooLarge`, `event.invalid`, `option.invalid` */
async function bodyOf(
  route: Route,
  request: Request,
): Promise<{ readonly [part: string]: unknown }> {
  const text = await boundedText(request);
  if (text === "") {
    checkBody(route, {});
    return {};
  }
  // A form of another page cannot have this type, and so cannot speak for whoever looks at it.
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) {
    throw new ReckonerError("event.invalid", "A body is JSON; send it as application/json.");
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new ReckonerError("event.invalid", "The body is not JSON.");
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new ReckonerError("event.invalid", "The body must be an object.");
  }
  checkBody(route, body);
  return body as never;
}

/** Reads a body as far as it may be long, and not a byte further. */
async function boundedText(request: Request): Promise<string> {
  if (request.body === null) return "";
  const reader = request.body.getReader();
  const decoder = new TextDecoder();
  let [bytes, text] = [0, ""];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > MAX_BODY) {
      await reader.cancel().catch(() => {});
      const message = `A body has at most ${MAX_BODY} bytes; store it elsewhere and send a reference.`;
      throw new ReckonerError("event.tooLarge", message);
    }
    text += decoder.decode(value, { stream: true });
  }
}

function noRoute(path: string): ReckonerError {
  return new ReckonerError("host.route", `There is no route ${path}; the guide lists them.`);
}

function faultResponse({ code, message }: ReckonerError): Response {
  return json(statusOfFault(code), { error: { code, message } });
}

function json(status: number, body: unknown, more: { readonly allow?: string } = {}): Response {
  const type = "application/json; charset=utf-8";
  const headers = { "content-type": type, "cache-control": "no-store", ...more };
  return new Response(JSON.stringify(body), { status, headers });
}
