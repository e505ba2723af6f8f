/**
 * `durableRuns`: the client by which a Worker starts and reads the runs in its Durable Objects, and sends
 * them messages and decisions, by their ids.
 */

import * as shapes from "../../core/kernel/shapes.js";
import { checkAllOptions, checkArgument, LABEL } from "../../runtime/for-hosts.js";
import type { TenantRuns } from "../../serve/for-adapters.js";
import { type Asked, type Replied, runsBy } from "../shared/index.js";
import type { ObjectNamespace } from "./platform-types.js";

/** The runs of a namespace, by their ids. */
export interface DurableRuns extends Pick<TenantRuns, "run" | "unpark"> {
  /**
   * Streams a run's lines as they come: server-sent events `line` and `rewound`, or the same and `delta` as JSON in
   * messages of a socket where the request asks for one. `?from=` of its address is the first line's number.
   */
  events(id: string, request: Request): Promise<Response>;
}

/**
 * Finds runs by their ids.
 * @param namespace the binding of the objects' class
 * @throws ReckonerError `option.invalid`
 */
export function durableRuns(namespace: ObjectNamespace): DurableRuns {
  checkAllOptions("durableRuns", { namespace }, { namespace: NAMESPACE });
  const object = (id: string) => {
    checkArgument("The id of a run", id, LABEL);
    return namespace.get(namespace.idFromName(id) as never);
  };
  const ask = async (id: string, asked: Asked): Promise<Replied> => {
    const url = `https://run/${encodeURIComponent(id)}/ask`;
    const response = await object(id).fetch(url, { method: "POST", body: JSON.stringify(asked) });
    return (await response.json()) as Replied;
  };
  return {
    ...runsBy(ask),
    events: (id, request) => {
      const { search } = new URL(request.url);
      const upgrade = request.headers.get("upgrade");
      const headers: Record<string, string> = upgrade === null ? {} : { upgrade };
      return object(id).fetch(`https://run/${encodeURIComponent(id)}/events${search}`, { headers });
    },
  };
}

const NAMESPACE: shapes.Shape = [
  shapes.hasMethods("idFromName", "get"),
  "the binding of a class of Durable Objects",
];
