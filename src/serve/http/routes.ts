/**
 * Lists the routes of a host over HTTP: method, path, the parts that a body may have, and the verb of the run or
 * the host that is called.
 */

import * as shapes from "../../core/kernel/shapes.js";
import type { Json } from "../../core/kernel/values/index.js";
import type { UserPart } from "../../core/kernel/vocabulary/index.js";
import { checkAllOptions } from "../../runtime/for-hosts.js";
import type { NewHostedRun, QueueChange, RunHost } from "../run-host.js";
import type { ListOptions } from "../store.js";
import { agUi } from "./ag-ui.js";
import { chat, chatMessages, resumedChat } from "./chat.js";
import type { Call } from "./served.js";

/** A route. */
export interface Route {
  readonly method: "GET" | "PUT" | "POST" | "PATCH";
  /** With a colon before the name of a part. */
  readonly path: string;
  /** The parts of the body; absent where it has none, `any` for an event of the machine's own. */
  readonly takes?: shapes.Shapes<never> | "any";
  /** Answers with lines as they come, where the request asks for a stream. */
  readonly streams?: true;
  /** @returns what is sent as JSON, or a response of its own */
  does(call: Call): Promise<unknown>;
}

const runOf = ({ runs, parts }: Call): RunHost => runs.run(parts.run as string);

const CONTENT: shapes.Shapes<{ content: unknown }> = { content: shapes.ANYTHING };
const REASON: shapes.Shapes<{ reason: unknown }> = { reason: shapes.ANYTHING };

type Content = string | readonly UserPart[];

/** All of them. */
export const routes: readonly Route[] = [
  {
    method: "GET",
    path: "/runs",
    does: ({ runs, query }) => runs.list(listOptions(query)),
  },
  { method: "GET", path: "/runs/:run", does: (call) => runOf(call).row() },
  {
    method: "PUT",
    path: "/runs/:run",
    takes: shapesOf({
      reasoner: shapes.TEXT,
      input: shapes.ANYTHING,
      tags: shapes.LIST,
      seed: shapes.TEXT,
      budget: shapes.OBJECT,
    }),
    does: (call) => {
      const { reasoner, input, tags, seed, budget } = call.body as StartBody;
      const person = call.sender.by;
      return runOf(call).start({ reasoner, input, tags, seed, budget, person }, call.sender);
    },
  },
  {
    method: "POST",
    path: "/runs/:run/messages",
    takes: shapesOf(CONTENT),
    does: (call) => runOf(call).message(call.body.content as Content, call.sender),
  },
  {
    method: "PATCH",
    path: "/runs/:run/messages/:message",
    takes: shapesOf({ type: shapes.TEXT, content: shapes.ANYTHING, to: shapes.ANYTHING }),
    does: (call) =>
      runOf(call).queued(call.parts.message as string, call.body as QueueChange, call.sender),
  },
  {
    method: "POST",
    path: "/runs/:run/edit",
    takes: shapesOf({ event: shapes.count(0), ...CONTENT }),
    does: (call) =>
      runOf(call).edit(call.body.event as number, call.body.content as Content, call.sender),
  },
  {
    method: "POST",
    path: "/runs/:run/decisions",
    takes: shapesOf({
      approval: shapes.TEXT,
      approve: shapes.FLAG,
      input: shapes.ANYTHING,
      value: shapes.ANYTHING,
      reason: shapes.ANYTHING,
      of: shapes.TEXT,
    }),
    does: (call) => {
      const { approval = "", ...decision } = call.body as { readonly approval?: string };
      return runOf(call).decide(approval, decision as never, call.sender);
    },
  },
  {
    method: "POST",
    path: "/runs/:run/interrupt",
    takes: shapesOf({ ...REASON, graceMs: shapes.MILLISECONDS }),
    does: (call) => {
      const { reason, graceMs } = call.body as Stop;
      return runOf(call).interrupt(reason, graceMs, call.sender);
    },
  },
  {
    method: "POST",
    path: "/runs/:run/cancel",
    takes: shapesOf(REASON),
    does: (call) => runOf(call).cancel((call.body as Stop).reason, call.sender),
  },
  {
    method: "POST",
    path: "/runs/:run/events",
    takes: "any",
    does: (call) =>
      runOf(call).send(call.body as { type: string; [part: string]: Json }, call.sender),
  },
  {
    method: "POST",
    path: "/runs/:run/unpark",
    async does({ runs, parts }) {
      await runs.unpark(parts.run as string);
      return {};
    },
  },
  {
    method: "GET",
    path: "/runs/:run/answers/:key",
    does: (call) => runOf(call).answer(call.parts.key as string),
  },
  {
    method: "GET",
    path: "/runs/:run/lines",
    streams: true,
    does: (call) => runOf(call).lines(numberIn(call.query, "from")),
  },
  { method: "POST", path: "/chat", takes: "any", does: chat },
  {
    method: "GET",
    path: "/chat/:run",
    does: ({ runs, parts, clock }) => chatMessages(runs, parts.run as string, clock),
  },
  { method: "GET", path: "/chat/:run/stream", does: resumedChat },
  { method: "POST", path: "/ag-ui", takes: "any", does: agUi },
];

type StartBody = Omit<NewHostedRun, "person">;

interface Stop {
  readonly reason?: string;
  readonly graceMs?: number;
}

/** Shapes of a body, whatever its parts are called. */
function shapesOf(parts: { readonly [part: string]: shapes.Shape }): shapes.Shapes<never> {
  return parts as never;
}

/** Returns the route of a request with the parts of its path, and all methods that its path has. */
export function routeOf(
  method: string,
  path: string,
): {
  readonly route: Route | undefined;
  parts: Call["parts"];
  readonly methods: readonly string[];
} {
  const fits = routes.flatMap((route) => {
    const parts = partsOf(route.path, path);
    return parts === undefined ? [] : [{ route, parts }];
  });
  const found = fits.find(({ route }) => route.method === method);
  const methods = fits.map(({ route }) => route.method);
  return { route: found?.route, parts: found?.parts ?? {}, methods };
}

function partsOf(pattern: string, path: string): Call["parts"] | undefined {
  const [wanted, actual] = [pattern.split("/"), path.split("/")];
  if (wanted.length !== actual.length) return undefined;
  const parts: { [name: string]: string } = {};
  for (const [i, each] of wanted.entries()) {
    const text = actual[i] as string;
    if (!each.startsWith(":")) {
      if (each !== text) return undefined;
      continue;
    }
    try {
      parts[each.slice(1)] = decodeURIComponent(text);
    } catch {
      return undefined;
    }
  }
  return parts;
}

const LIST_TEXTS = ["reasoner", "person", "tag", "search", "after"] as const;

function listOptions(query: URLSearchParams): ListOptions {
  const status = query.getAll("status");
  const texts = LIST_TEXTS.flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [[name, value]];
  });
  return {
    ...(status.length === 0 ? {} : { status: status as never }),
    ...Object.fromEntries(texts),
    ...(query.has("limit") ? { limit: numberIn(query, "limit") } : {}),
  };
}

/** The number of a query; what is none is refused where it is used. */
export function numberIn(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  return value === null ? undefined : Number(value);
}

/** @throws ReckonerError `option.invalid` where a body has parts that its route does not take */
export function checkBody({ method, path, takes }: Route, body: object): void {
  if (takes === "any") return;
  checkAllOptions(`${method} ${path}`, body, takes ?? ({} as never));
}
