/**
 * `runsFetch`: makes a function that answers the routes of `host.fetch` for runs that no host keeps, such as
 * those of a durable engine.
 */

import * as shapes from "../../core/kernel/shapes.js";
import { ReckonerError } from "../../core/kernel/values/index.js";
import { CLOCK, type Clock, checkAllOptions, systemClock } from "../../runtime/for-hosts.js";
import type { RunHost } from "../run-host.js";
import type { ListOptions, ListPage } from "../store.js";
import { watch } from "../watch.js";
import { type Authorize, answered } from "./fetch.js";
import { HTTP_PATH, type ServedRuns, type Who } from "./served.js";
import { SlowReaders } from "./slow-readers.js";

/** The runs of an engine, as its routes need them. */
export interface RunsFetchOptions {
  /** The verbs of a run, for whoever asks: another tenant's id must not lead to the same run. */
  readonly run: (id: string, who: Who) => RunHost;
  /** Lists the runs that somebody may see. Default: `GET /runs` is no route. */
  readonly list?: ((who: Who, options: ListOptions) => Promise<ListPage>) | undefined;
  /** Tries a parked run again. Default: that is no route. */
  readonly unpark?: ((id: string, who: Who) => Promise<void>) | undefined;
  readonly authorize: Authorize;
  /** The path that stands before the routes, such as `/api`. Default: none. */
  readonly path?: string | undefined;
  readonly clock?: Clock | undefined;
}

const SHAPES: shapes.Shapes<RunsFetchOptions> = {
  run: shapes.FUNCTION,
  list: shapes.FUNCTION,
  unpark: shapes.FUNCTION,
  authorize: shapes.FUNCTION,
  path: HTTP_PATH,
  clock: CLOCK,
};

/**
 * Makes a function that answers requests as `host.fetch` does, over any runs.
 * @throws ReckonerError `option.invalid`
 */
export function runsFetch(options: RunsFetchOptions): (request: Request) => Promise<Response> {
  checkAllOptions("runsFetch", options, SHAPES);
  for (const name of ["run", "authorize"] as const) {
    if (options[name] !== undefined) continue;
    throw new ReckonerError("option.invalid", `runsFetch needs ${name}, a function.`, {
      place: name,
    });
  }
  const { authorize, path = "", clock = systemClock } = options;
  const runsOf = (who: Who) => servedRuns(options, who, clock);
  const served = { runsOf, clock, slow: new SlowReaders(), authorize, path };
  return (request) => answered(served, request);
}

function servedRuns(options: RunsFetchOptions, who: Who, clock: Clock): ServedRuns {
  const { list, unpark } = options;
  const run = (id: string) => options.run(id, who);
  return {
    run,
    list: (listOptions = {}) => list?.(who, listOptions) ?? Promise.reject(noRoute("GET /runs")),
    watch: (id, watchOptions = {}) =>
      watch(watchOptions, {
        page: (number) => run(id).lines(number),
        news: (ms) => clock.sleep(ms),
      }),
    unpark: (id) => unpark?.(id, who) ?? Promise.reject(noRoute("unpark")),
  };
}

function noRoute(route: string): ReckonerError {
  return new ReckonerError("host.route", `Whoever made runsFetch gave it nothing for ${route}.`);
}
