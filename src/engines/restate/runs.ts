/**
 * `restateRuns`: the client by which programs start and read runs on Restate, and send them messages and
 * decisions, through Restate's HTTP ingress.
 */

import * as shapes from "../../core/kernel/shapes.js";
import { ReckonerError } from "../../core/kernel/values/index.js";
import { CLOCK, type Clock, checkAllOptions, systemClock } from "../../runtime/for-hosts.js";
import { type LinesPage, type TenantRuns, watch } from "../../serve/for-adapters.js";
import { type Asked, type Replied, replied, runsBy, valueIn } from "../shared/index.js";
import { NAME } from "./names.js";

/** Options of the way to runs on Restate. */
export interface RestateRunsOptions {
  /** The address of the server's ingress: `http://127.0.0.1:8080`. */
  readonly ingress: string;
  /** As the engine's. Default `reckoner`. */
  readonly name?: string | undefined;
  /** Headers of each request: a token. */
  readonly headers?: { readonly [name: string]: string } | undefined;
  /** Milliseconds that a verb waits for its answer before it is `accepted`. Default 10 000. */
  readonly answerMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** The runs of an engine, by their ids. */
export type RestateRuns = Pick<TenantRuns, "run" | "watch" | "unpark">;

const ANSWER_MS = 10_000;
/** Milliseconds before a request is sent again that failed, at first and at most. */
const AGAIN_MS = 50;
const MAX_AGAIN_MS = 1_000;

/**
 * Finds runs by their ids.
 * @throws ReckonerError `option.invalid`
 */
export function restateRuns(options: RestateRunsOptions): RestateRuns {
  checkAllOptions("restateRuns", options, {
    ingress: [
      (value) => typeof value === "string" && /^https?:\/\/[^/]+(?:\/.*)?$/.test(value),
      "the address of an ingress, such as http://127.0.0.1:8080",
    ],
    name: shapes.TEXT,
    headers: shapes.OBJECT,
    answerMs: shapes.MILLISECONDS,
    clock: CLOCK,
  });
  const { clock = systemClock } = options;
  const ask = (id: string, asked: Asked) => askIngress(id, asked, { ...options, clock });
  const page = async (id: string, from: number) =>
    valueIn(await ask(id, { type: "lines", from })) as unknown as LinesPage;
  return {
    ...runsBy(ask),
    watch: (id, watchOptions = {}) =>
      watch(watchOptions, { page: (at) => page(id, at), news: (ms) => clock.sleep(ms) }),
  };
}

/** Asks until there is an answer: what is said under one key is said once. */
async function askIngress(
  id: string,
  { type, ...asked }: Asked,
  {
    ingress,
    name = NAME,
    headers = {},
    answerMs = ANSWER_MS,
    clock,
  }: RestateRunsOptions & { readonly clock: Clock },
): Promise<Replied> {
  const url = `${ingress.replace(/\/$/, "")}/${name}/${encodeURIComponent(id)}/${type}`;
  const stop = new AbortController();
  const cancel = clock.setTimer(answerMs, () => stop.abort());
  const request = {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    ...(type === "row" || type === "unpark" ? {} : { body: JSON.stringify(asked) }),
    signal: stop.signal,
  };
  try {
    for (let wait = AGAIN_MS; ; wait = Math.min(2 * wait, MAX_AGAIN_MS)) {
      const response = await fetch(url, request).catch((thrown: unknown) => ({ thrown }));
      if (!("thrown" in response) && response.ok) return (await response.json()) as Replied;
      const isOver = stop.signal.aborted;
      if (isOver && type === "say" && "key" in asked) {
        return { value: { outcome: "accepted", key: asked.key ?? "" } };
      }
      if (isOver) return replied(() => Promise.reject(unanswered(url, response)));
      if (!("thrown" in response) && response.status < 500 && response.status !== 429) {
        return replied(async () =>
          Promise.reject(refused(url, response.status, await response.text())),
        );
      }
      await clock.sleep(wait);
    }
  } finally {
    cancel();
  }
}

function refused(url: string, status: number, text: string): ReckonerError {
  const message = `The ingress refused ${url} with ${status}: ${text.slice(0, 500)}`;
  return new ReckonerError("port.failed", message, { place: "ingress" });
}

function unanswered(url: string, response: Response | { readonly thrown: unknown }): ReckonerError {
  const why = "thrown" in response ? String(response.thrown) : `status ${response.status}`;
  return new ReckonerError("port.failed", `The ingress did not answer ${url}: ${why}.`, {
    place: "ingress",
  });
}
