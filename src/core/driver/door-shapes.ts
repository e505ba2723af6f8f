/**
 * Validates all that a host gives a driver: its options, what arrives, and the attempts that the driver
 * before it had in flight.
 */
import type { Labels } from "../journal/for-live-runs.js";
import * as shapes from "../kernel/shapes.js";
import { ReckonerError } from "../kernel/values/index.js";
import {
  BUDGET,
  checkArgument,
  checkArguments,
  checkTime,
  type EffectError,
  pairKey,
} from "../kernel/vocabulary/index.js";
import type { Arrived, AttemptInFlight, InFlight } from "./arrived.js";
import type { DriverOptions, RetryOptions, StoreTraits } from "./options.js";

/** The repetition of calls. */
export const RETRY: shapes.Shapes<RetryOptions> = {
  attempts: /* @__PURE__ */ shapes.count(1),
  delayMs: shapes.MILLISECONDS,
  maxDelayMs: shapes.MILLISECONDS,
};

const STORE: shapes.Shapes<StoreTraits> = {
  name: shapes.NAME,
  retries: /* @__PURE__ */ shapes.count(0),
  timeoutMs: shapes.TIMEOUT,
  idempotent: shapes.FLAG,
};

const MODELS: shapes.Shape = /* @__PURE__ */ shapes.either(
  shapes.TEXTS,
  /* @__PURE__ */ shapes.recordOf(shapes.TEXTS, "lists by name"),
);

const OPTIONS: shapes.Shapes<DriverOptions> = {
  retry: /* @__PURE__ */ shapes.optionsOf(RETRY),
  modelDown: /* @__PURE__ */ shapes.oneOf("fail", "wait", "sleep"),
  models: MODELS,
  llmTimeoutMs: shapes.TIMEOUT,
  llmTotalMs: shapes.TIMEOUT,
  slots: /* @__PURE__ */ shapes.count(1),
  // Ports, perhaps, of which a driver reads these parts.
  stores: /* @__PURE__ */ shapes.recordOf(/* @__PURE__ */ shapes.open(STORE), "stores by name"),
  timers: /* @__PURE__ */ shapes.oneOf("sleep", "return"),
  maxDepth: /* @__PURE__ */ shapes.count(0),
  approvals: /* @__PURE__ */ shapes.oneOf("host", "denied", "outside"),
  snapshots: shapes.FLAG,
  lines: shapes.FLAG,
  redact: shapes.FUNCTION,
  maskCredentials: shapes.FLAG,
};

const CALL = { run: shapes.TEXT, id: shapes.NAME, attempt: /* @__PURE__ */ shapes.whole(1) };
const NAMED = ["run", "id", "attempt"] as const;

const BEHIND: shapes.Shape = [
  (value) => Number.isFinite(value) && Number(value) >= 0,
  "a number of milliseconds, 0 or more, and not without end",
];

const IN_FLIGHT: shapes.Shapes<InFlight> = {
  attempts: /* @__PURE__ */ shapes.listOf(
    /* @__PURE__ */ shapes.optionsOf(
      {
        ...CALL,
        until: shapes.NUMBER,
        latest: shapes.NUMBER,
        stopped: shapes.JSON_OBJECT,
      } satisfies shapes.Shapes<AttemptInFlight>,
      ...NAMED,
    ),
  ),
  behind: BEHIND,
  drain: /* @__PURE__ */ shapes.either(shapes.NUMBER, [(value) => value === null, "null"]),
};

const BEGINS = {
  input: shapes.ANYTHING,
  runId: shapes.RUN_ID,
  at: shapes.NUMBER,
  seed: shapes.TEXT,
  budget: BUDGET,
  config: shapes.TEXT,
  labels: /* @__PURE__ */ shapes.optionsOf({
    tags: shapes.TEXTS,
    tenant: shapes.TEXT,
    person: shapes.TEXT,
  } satisfies shapes.Shapes<Labels>),
  keyId: shapes.TEXT,
  from: /* @__PURE__ */ shapes.open({ link: shapes.OBJECT }, "link"),
};

const report = (parts: { readonly [name: string]: shapes.Shape }, ...required: string[]) =>
  shapes.open({ ...CALL, ...parts }, ...NAMED, ...required);

const ERROR = /* @__PURE__ */ shapes.open(
  { code: shapes.TEXT, message: shapes.TEXT, transient: shapes.FLAG, retryAfterMs: shapes.NUMBER },
  "code",
  "message",
);
const SETTLEMENT = /* @__PURE__ */ shapes.open(
  { type: shapes.TEXT, id: shapes.NAME },
  "type",
  "id",
);

const ARRIVED: shapes.Shape = /* @__PURE__ */ shapes.tagged("type", {
  settled: /* @__PURE__ */ report({ settlement: SETTLEMENT }, "settlement"),
  failed: /* @__PURE__ */ report(
    { error: ERROR, usage: /* @__PURE__ */ shapes.recordOf(/* @__PURE__ */ shapes.atLeast(0)) },
    "error",
  ),
  stopped: /* @__PURE__ */ report({ partial: shapes.JSON_OBJECT }),
  progress: /* @__PURE__ */ report({}),
  handle: /* @__PURE__ */ report({}),
  held: /* @__PURE__ */ report({}),
  event: /* @__PURE__ */ shapes.open(
    { event: /* @__PURE__ */ shapes.open({ type: shapes.TEXT }, "type") },
    "event",
  ),
  decided: /* @__PURE__ */ shapes.open(
    { run: shapes.TEXT, id: shapes.NAME, decision: shapes.OBJECT },
    "id",
    "decision",
  ),
  settle: /* @__PURE__ */ shapes.open({ run: shapes.TEXT, settlement: SETTLEMENT }, "settlement"),
  cancel: /* @__PURE__ */ shapes.open({ reason: shapes.TEXT }),
  interrupt: /* @__PURE__ */ shapes.open(
    { reason: shapes.TEXT, graceMs: shapes.MILLISECONDS },
    "graceMs",
  ),
  drain: /* @__PURE__ */ shapes.open({ ms: shapes.MILLISECONDS }, "ms"),
} satisfies { readonly [Type in Arrived["type"]]: shapes.Shape });

/** Returns why something is nothing that a driver could be told. */
export function arrivedFault(arrived: unknown): EffectError | undefined {
  const fault = shapes.misfit(arrived, ARRIVED, "what arrived");
  return fault === undefined ? undefined : { code: "event.invalid", message: `${fault}.` };
}

/** The last moment that a date can be, in milliseconds since 1970. */
const LAST_TIME = 8.64e15;

/** @throws ReckonerError `event.invalid` where it is no time that a date can be */
export function checkNow(now: unknown): void {
  checkTime(Math.abs(now as number) <= LAST_TIME ? now : undefined, "now");
}

/** @throws ReckonerError `option.invalid` */
export function checkNewRun(reasoner: unknown, run: unknown): void {
  checkArguments("openDriver", { reasoner, run }, NEW_RUN);
}

const NEW_RUN = {
  reasoner: /* @__PURE__ */ shapes.open({ start: shapes.FUNCTION, step: shapes.FUNCTION }, "start"),
  run: /* @__PURE__ */ shapes.optionsOf(BEGINS, "runId", "at"),
};

/** @throws ReckonerError `option.invalid` */
export function checkDriverOptions(of: string, options: unknown): void {
  checkArgument(of, "options", options, shapes.optionsOf(OPTIONS, "approvals"));
}

/** @throws ReckonerError `option.invalid` */
export function checkInFlight(inFlight: unknown): void {
  checkArgument("fold.driver", "inFlight", inFlight, shapes.optionsOf(IN_FLIGHT, "attempts"));
  const names = (inFlight as InFlight).attempts.map(({ run, id }) => pairKey(run, id));
  const twice = names.findIndex((name, i) => names.indexOf(name) < i);
  if (twice < 0) return;
  const why = `fold.driver: inFlight.attempts[${twice}] is of a directive that is named before it.`;
  throw new ReckonerError("option.invalid", why);
}
