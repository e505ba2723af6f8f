/**
 * `durableRuns`: the client by which a Worker starts and reads the runs in its Durable Objects, and sends
 * them messages and decisions, by their ids.
 */

import * as shapes from "../../core/kernel/shapes.js";
import {
  checkAllOptions,
  checkArgument,
  LABEL,
  systemRandomness,
} from "../../runtime/for-hosts.js";
import type { RunHost } from "../../serve/for-adapters.js";
import { type Asked, type Replied, valueIn, verbsOf } from "../shared/index.js";
import type { ObjectNamespace } from "./platform-types.js";

/** The runs of a namespace, by their ids. */
export interface DurableRuns {
  /** @throws ReckonerError `option.invalid` for an id that is none */
  run(id: string): RunHost;
  /**
   * Streams a run's lines as they come: server-sent events `line` and `rewound`, or the same and `delta` as JSON in
   * messages of a socket where the request asks for one. `?from=` of its address is the first line's number.
   */
  events(id: string, request: Request): Promise<Response>;
  /** Tries a run again that was parked. @throws ReckonerError `run.missing` */
  unpark(id: string): Promise<void>;
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
    run: (id) => {
      checkArgument("The id of a run", id, LABEL);
      return verbsOf(
        (asked) => ask(id, asked),
        () => systemRandomness.id(),
      );
    },
    events: (id, request) => {
      const { search } = new URL(request.url);
      const upgrade = request.headers.get("upgrade");
      const headers: Record<string, string> = upgrade === null ? {} : { upgrade };
      return object(id).fetch(`https://run/${encodeURIComponent(id)}/events${search}`, { headers });
    },
    unpark: async (id) => {
      valueIn(await ask(id, { type: "unpark" }));
    },
  };
}

const NAMESPACE: shapes.Shape = [
  shapes.hasMethods("idFromName", "get"),
  "the binding of a class of Durable Objects",
];
