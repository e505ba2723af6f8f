/**
 * Checks the options of `host`, of its `list` and its `listen`, and throws `option.invalid` for the first that
 * does not fit.
 */
import * as shapes from "../core/kernel/shapes.js";
import { BLOBS, CARRYING, CLOCK, checkAllOptions } from "../runtime/for-hosts.js";
import type { HostLimits, HostRunsOptions } from "./host-options.js";
import { HTTP_PATH } from "./http/served.js";
import { checkModelLimit } from "./model-gates.js";
import type { ListenOptions } from "./server/index.js";
import type { ListOptions } from "./store.js";
import { checkTenantLimit } from "./tenant-limits.js";

const SHAPES: shapes.Shapes<HostRunsOptions> = {
  reasoners: [
    (value) => shapes.LIST[0](value) && (value as readonly unknown[]).length > 0,
    "a list of reasoners, one or more",
  ],
  store: [
    shapes.hasMethods("claim", "commit", "post"),
    "a store of a host, such as memoryHostStore()",
  ],
  ...CARRYING,
  blobs: BLOBS,
  services: shapes.ANYTHING,
  clock: CLOCK,
  mayDecide: shapes.PURE,
  answerMs: shapes.MILLISECONDS,
  leaseMs: shapes.TIMEOUT,
  pollMs: shapes.TIMEOUT,
  runs: shapes.count(1),
  limits: shapes.OBJECT,
  authorize: shapes.FUNCTION,
  path: HTTP_PATH,
  random: [shapes.hasMethods("id", "fraction"), "a source of chance, with id() and fraction()"],
};

/** @throws ReckonerError `option.invalid` */
export function checkHost(options: HostRunsOptions): void {
  checkAllOptions("host", options, SHAPES);
  if (options.limits !== undefined) checkLimits(options.limits);
}

const LIMITS: shapes.Shapes<HostLimits> = {
  models: shapes.OBJECT,
  tenants: shapes.either(shapes.OBJECT, shapes.PURE),
};

function checkLimits(limits: HostLimits): void {
  checkAllOptions("limits", limits, LIMITS);
  const { models = {}, tenants = {} } = limits;
  for (const [name, limit] of Object.entries(models)) checkModelLimit(name, limit);
  if (typeof tenants === "function") return;
  for (const [name, limit] of Object.entries(tenants)) checkTenantLimit(name, limit);
}

const STATUSES = ["waiting", "ready", "open", "done", "failed", "cancelled"];

const LIST: shapes.Shapes<ListOptions> = {
  status: [
    (value) => [value].flat().every((each) => STATUSES.includes(each as string)),
    "waiting, ready, open, done, failed or cancelled, or a list of these",
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

const MAX_PORT = 65_535;

const LISTEN: shapes.Shapes<ListenOptions> = {
  port: [
    (value) => shapes.whole(0)[0](value) && (value as number) <= MAX_PORT,
    `a port, a whole number from 0 to ${MAX_PORT}`,
  ],
  hostname: shapes.TEXT,
  serve: shapes.FUNCTION,
};

/** @throws ReckonerError `option.invalid` */
export function checkListen(options: ListenOptions): void {
  checkAllOptions("listen", options, LISTEN);
}
