/** Checks the options of a host. */
import * as shapes from "../core/kernel/shapes.js";
import { CLOCK, checkAllOptions, MODEL } from "../runtime/for-hosts.js";
import type { HostRunsOptions } from "./host-options.js";
import type { ListenOptions } from "./server/index.js";
import type { ListOptions } from "./store.js";

const SHAPES: shapes.Shapes<HostRunsOptions> = {
  reasoners: [
    (value) => shapes.LIST[0](value) && (value as readonly unknown[]).length > 0,
    "a list of reasoners, one or more",
  ],
  store: [
    shapes.hasMethods("claim", "commit", "post"),
    "a store of a host, such as memoryHostStore()",
  ],
  model: MODEL,
  stores: shapes.OBJECT,
  services: shapes.ANYTHING,
  unseal: shapes.FUNCTION,
  redact: shapes.FUNCTION,
  maskCredentials: shapes.FLAG,
  retry: shapes.OBJECT,
  llmTimeoutMs: shapes.TIMEOUT,
  llmTotalMs: shapes.TIMEOUT,
  maxDepth: shapes.count(0),
  concurrency: shapes.count(1),
  clock: CLOCK,
  mayDecide: shapes.PURE,
  answerMs: shapes.MILLISECONDS,
  leaseMs: shapes.TIMEOUT,
  pollMs: shapes.TIMEOUT,
  runs: shapes.count(1),
  limits: shapes.OBJECT,
  authorize: shapes.FUNCTION,
  path: [
    (value) => typeof value === "string" && /^(?:\/[^/?#]+)*$/.test(value),
    "a path that begins with a slash and ends with none",
  ],
  random: [shapes.hasMethods("id", "fraction"), "a source of chance, with id() and fraction()"],
};

/** @throws ReckonerError `option.invalid` */
export function checkHost(options: HostRunsOptions): void {
  checkAllOptions("host", options, SHAPES);
}

const STATUSES = ["waiting", "resting", "open", "done", "failed", "cancelled"];

const LIST: shapes.Shapes<ListOptions> = {
  status: [
    (value) => [value].flat().every((each) => STATUSES.includes(each as string)),
    "waiting, resting, open, done, failed or cancelled, or a list of these",
  ],
  reasoner: shapes.TEXT,
  person: shapes.TEXT,
  tag: shapes.TEXT,
  search: shapes.TEXT,
  limit: shapes.count(1),
  after: shapes.TEXT,
};

/** @throws ReckonerError `option.invalid` */
export function checkList(options: ListOptions): void {
  checkAllOptions("list", options, LIST);
}

const LISTEN: shapes.Shapes<ListenOptions> = { port: shapes.count(0), hostname: shapes.TEXT };

/** @throws ReckonerError `option.invalid` */
export function checkListen(options: ListenOptions): void {
  checkAllOptions("listen", options, LISTEN);
}
