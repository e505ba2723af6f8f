/** Validates the options of `run`, `resume`, `replay` and others before anything begins. */
import { RETRY } from "../../core/driver/for-live-runs.js";
import type { Reasoner } from "../../core/kernel/machine/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import { isThenable, ReckonerError } from "../../core/kernel/values/index.js";
import { isModels } from "./models.js";
import type { HostOptions, ResumeOptions, RunOptions } from "./options.js";
import { LABEL, TAGS } from "./run-row.js";

/** Several by name. A promise of one has no names either. */
const isNamed = (is: (value: unknown) => boolean) => (value: unknown) =>
  shapes.OBJECT[0](value) &&
  !isThenable(value) &&
  Object.values(value as object).every((each) => is(each));

const generates = /* @__PURE__ */ shapes.hasMethods("generate");
const isModel = (value: unknown) => generates(value) || isModels(value);
const hasPort = /* @__PURE__ */ shapes.hasMethods("open", "read");
const isPort = (value: unknown): boolean =>
  hasPort(value) && typeof (value as { readonly name?: unknown }).name === "string";
const isSignal = shapes.hasMethods("addEventListener", "removeEventListener");

/** A clock that the caller gives. */
export const CLOCK: shapes.Shape = [
  shapes.hasMethods("now", "setTimer", "sleep"),
  "a clock, with now(), setTimer() and sleep()",
];

/** A clock that only tells the time. */
export const NOW: shapes.Shape = [/* @__PURE__ */ shapes.hasMethods("now"), "a clock, with now()"];

/** A set that the caller gives. */
export const SET: shapes.Shape = [/* @__PURE__ */ shapes.hasMethods("has"), "a set"];
/** What may stop what is under way. */
export const SIGNAL: shapes.Shape = [isSignal, "an AbortSignal"];
/** A journal as callers give it. */
export const JOURNAL: shapes.Shape = [
  (value) => (typeof value === "string" ? value !== "" : isPort(value)),
  "a path or a journal port, with a name, open() and read()",
];
/** Journals as those who trace them give them. */
export const JOURNALS: shapes.Shape = [
  (value) =>
    typeof value === "function" || isPort(value) || (Array.isArray(value) && value.every(isPort)),
  "a journal port, with a name, open() and read(), a list of them, or a function that finds them",
];
const REASONER: shapes.Shape = [
  shapes.hasMethods("start", "step", "prepare"),
  "one that agent(), thoughts() or defineReasoner() has made",
];

/** A store that the caller gives. */
export const STORE: shapes.Shape = [
  /* @__PURE__ */ shapes.hasMethods("read", "write"),
  "a store, with read() and write()",
];

/** Decisions as the caller asks them. */
export const DECISIONS: shapes.Shape = [
  /* @__PURE__ */ shapes.hasMethods("query", "stats"),
  "decisions of a store: new Decisions(store)",
];

/** A store of files that the caller gives. */
export const BLOBS: shapes.Shape = [
  /* @__PURE__ */ shapes.hasMethods("keep", "hold", "read", "release"),
  "a store of files, such as memoryBlobs()",
];

/** A model, or several. */
export const MODEL: shapes.Shape = [
  (value) => isModel(value) || isNamed(isModel)(value),
  "a model port, with generate(), models([…]), or several of these by name",
];

/** The options of whoever carries directives out: a run's, those of a host of many runs, and of an engine. */
export const CARRYING: shapes.Shapes<
  Pick<
    HostOptions,
    | "model"
    | "stores"
    | "concurrency"
    | "llmTimeoutMs"
    | "llmTotalMs"
    | "retry"
    | "redact"
    | "unseal"
    | "maskCredentials"
    | "maxDepth"
  >
> = {
  model: MODEL,
  stores: [
    /* @__PURE__ */ isNamed(/* @__PURE__ */ shapes.hasMethods("read", "write")),
    "stores by name, each with read() and write()",
  ],
  concurrency: /* @__PURE__ */ shapes.count(1),
  llmTimeoutMs: shapes.TIMEOUT,
  llmTotalMs: shapes.TIMEOUT,
  retry: /* @__PURE__ */ shapes.optionsOf(RETRY),
  redact: shapes.FUNCTION,
  unseal: shapes.FUNCTION,
  maskCredentials: shapes.FLAG,
  maxDepth: /* @__PURE__ */ shapes.count(0),
};

const HOST: shapes.Shapes<Omit<HostOptions, "services">> = {
  ...CARRYING,
  blobs: BLOBS,
  clock: CLOCK,
  signal: SIGNAL,
  approve: shapes.FUNCTION,
  unattended: /* @__PURE__ */ shapes.oneOf("wait", "deny"),
  modelDown: /* @__PURE__ */ shapes.oneOf("fail", "wait", "sleep"),
  timers: /* @__PURE__ */ shapes.oneOf("sleep", "return"),
  observers: /* @__PURE__ */ shapes.listOf(shapes.FUNCTION),
};

const RUN: shapes.Shapes<Omit<RunOptions, "services">> = {
  ...HOST,
  journal: JOURNAL,
  runId: shapes.RUN_ID,
  seed: shapes.TEXT,
  config: shapes.TEXT,
  tenant: LABEL,
  person: LABEL,
  tags: TAGS,
  keyId: shapes.TEXT,
  budget: [
    shapes.OBJECT[0],
    "an object of numbers, 0 or more",
    /* @__PURE__ */ shapes.recordOf(/* @__PURE__ */ shapes.atLeast(0))[2],
  ],
  from: JOURNAL,
};

const RESUME: shapes.Shapes<Omit<ResumeOptions, "services">> = {
  ...HOST,
  upgrade: shapes.FLAG,
  acceptLoss: shapes.FLAG,
  approvals: [shapes.OBJECT[0], "decisions by the ids of approvals"],
  messages: shapes.LIST,
  settle: shapes.LIST,
  events: shapes.LIST,
};

/**
 * One world may be given to `run` and to `resume`: what the other one is given is passed over. What is
 * said to a run that goes on is not, since it would be lost.
 */
const OF_RUN = { ...RUN, services: true };
const OF_RESUME = { ...RESUME, services: true };
const PASSED = { run: { ...OF_RUN, upgrade: true }, resume: { ...OF_RUN, ...OF_RESUME } };

/**
 * Checks what the caller of a function has given; what is not among it is passed over.
 * @param of what takes the options, as a message names it
 * @throws ReckonerError `option.invalid`
 */
export function checkOptions<Options>(
  of: string,
  options: Options,
  parts: { readonly [name: string]: shapes.Shape },
): Options {
  checkArgument(`The options of ${of}`, options, shapes.OBJECT);
  refuse(of, shapes.findFault(options, shapes.open(parts)));
  return options;
}

/**
 * The same, of all options that there are: a misspelt one would be passed over, and what it asks for
 * not be done.
 * @throws ReckonerError `option.invalid`
 */
export function checkAllOptions<Options extends object>(
  of: string,
  options: Options,
  parts: shapes.Shapes<Options>,
): Options {
  checkOptions(of, options, parts);
  refuseUnknown(of, options, parts);
  return options;
}

function refuseUnknown(of: string, options: object, parts: object, own = parts): void {
  const unknown = shapes.unknownName(options, parts);
  if (unknown === undefined) return;
  const message = `${unknown} is not an option of ${of}; ${Object.keys(own).join(", ")} are.`;
  throw new ReckonerError("option.invalid", message, { place: unknown });
}

/** @throws ReckonerError `option.invalid` where there is a fault, at its place: `attempts of retry of run` */
function refuse(of: string, fault: shapes.Fault | undefined): void {
  if (fault === undefined) return;
  const [place, what] = fault;
  const where = [...place.split(".").slice(1).reverse(), of].join(" of ");
  throw new ReckonerError("option.invalid", `${where} ${what}.`, { place: where });
}

/**
 * @param what the value, as a message names it
 * @throws ReckonerError `option.invalid` where a value is not what it has to be
 */
export function checkArgument(what: string, value: unknown, shape: shapes.Shape): void {
  refuse(what, shapes.findFault(value, shape));
}

/** @throws ReckonerError `option.invalid` where a value is not a reasoner */
export function checkIsReasoner(reasoner: Pick<Reasoner<never>, "start">): void {
  checkArgument("The reasoner", reasoner, REASONER);
}

/** @throws ReckonerError `option.invalid` where one of the options of `run` cannot be one */
export function checkRunOptions(options: RunOptions): void {
  checkOptions("run", options, RUN);
  refuseUnknown("run", options, PASSED.run, OF_RUN);
}

/** @throws ReckonerError `option.invalid` where one of the options of `resume` cannot be one */
export function checkResumeOptions(options: ResumeOptions): void {
  checkOptions("resume", options, RESUME);
  refuseUnknown("resume", options, PASSED.resume, OF_RESUME);
}
