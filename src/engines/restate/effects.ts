/**
 * Makes the Restate service that carries out attempts (calls of models, tools and stores), each in an
 * invocation of its own. After a crash a model call, a read, or a call with an idempotency key begins again;
 * any other is reported as lost, unless its port has kept a handle to continue with.
 */
import { type Context, serde, service, TerminalError } from "@restatedev/restate-sdk";
import type { Attempt } from "../../core/driver/index.js";
import {
  lostReport,
  type PerformPorts,
  type Report,
  systemClock,
} from "../../runtime/for-hosts.js";
import { isOf, portsOf } from "../shared/index.js";
import { Execution, type TurnInput } from "./execution.js";
import {
  type Event,
  effectsOf,
  type Handed,
  type Heard,
  isOnTheWay,
  type OnTheWay,
} from "./names.js";
import type { RestateEngineOptions } from "./options.js";

/** An attempt may take so long before the server takes its worker for gone. */
const LONGEST = { hours: 2 };
/** Default of `llmTimeoutMs`. */
const SILENT_MS = 300_000;
/** A model that streams says so often within its limit of silence that it makes progress: each is an event. */
const WORDS = 10;

/** Makes the service that carries out attempts. */
export function effectsService(
  name: string,
  options: RestateEngineOptions,
): ReturnType<typeof service> {
  return service({
    name: effectsOf(name),
    options: { ingressPrivate: true, inactivityTimeout: LONGEST, abortTimeout: LONGEST },
    handlers: {
      perform: async (ctx: Context, handed: Handed): Promise<void> => {
        const way = wayTo(ctx, name, handed);
        way.tell(await carryOut(ctx, handed, way, options));
      },
    },
  });
}

/** The way to the run that an attempt is of. */
interface Way {
  tell(arrival: TurnInput): void;
  /** Tells of a handle. @returns why it was not kept */
  keep(arrival: OnTheWay): Promise<string | undefined>;
}

function wayTo(ctx: Context, name: string, { run, fork }: Handed): Way {
  const { id: from } = ctx.request();
  const eventOf = (arrived: TurnInput) => ({
    ...{ service: name, method: "take", key: run, inputSerde: serde.json as never },
    parameter: { from, reports: [{ fork, arrived }] } satisfies Event,
  });
  return {
    tell: (arrival) => {
      ctx.genericSend(eventOf(arrival));
    },
    keep: async (arrival) => {
      const call = { ...eventOf(arrival), outputSerde: serde.json as never };
      const { kept, refused } = await ctx.genericCall<Event, Heard>(call);
      if (kept.some((each) => isOf(each, arrival))) return undefined;
      return refused.find((each) => isOf(each, arrival))?.message ?? UNKEPT;
    },
  };
}

const UNKEPT = "The handle was not kept: its attempt is over, or its run cannot go on.";

async function carryOut(
  ctx: Context,
  { run, reasoner, attempt }: Handed,
  way: Way,
  options: RestateEngineOptions,
): Promise<Report> {
  const stop = new AbortController();
  // The server has given this execution up, and begins another one, or the handler has ended.
  const { attemptCompletedSignal } = ctx.request();
  attemptCompletedSignal.addEventListener("abort", () =>
    stop.abort(new Error("the server is gone")),
  );
  const execution = new Execution(stop.signal);
  const ports = portsFor(run, reasoner, { attempt, execution, options });
  if (ports === undefined) return unheard(attempt, reasoner);
  const nonce = crypto.randomUUID();
  let { handle } = attempt;
  // An execution before this one may have begun it, of which nobody knows how far it came.
  let isLost = false;
  try {
    if (attempt.once) isLost = (await ctx.run("begun", () => nonce)) !== nonce;
    for (;;) {
      // An error would have it tried again; nothing here throws one.
      const arrival = await ctx.run("effect", async (): Promise<TurnInput> => {
        if (execution.report === undefined) {
          if (isLost && handle === undefined) return lostReport(attempt);
          execution.begin(handle === undefined ? attempt : { ...attempt, handle }, ports);
        }
        return execution.next();
      });
      if (!isOnTheWay(arrival)) return arrival;
      if (arrival.type === "progress") way.tell(arrival);
      else {
        const refused = await way.keep(arrival);
        if (refused === undefined) handle = arrival.handle;
        execution.kept(refused);
      }
    }
  } catch (thrown) {
    if (!(thrown instanceof TerminalError)) throw thrown;
    // It was cancelled, by its run or by an operator: what a model has streamed until now is reported.
    stop.abort(new Error("the run stops it"));
    const { run: path, id, attempt: count } = attempt;
    return ctx.run("stopped", async (): Promise<Report> => {
      const report = await execution.report;
      if (report !== undefined && report.type !== "stopped") return report;
      // A stopped attempt may begin again.
      if (attempt.once && handle === undefined) return lostReport(attempt);
      return report ?? { type: "stopped", run: path, id, attempt: count };
    });
  }
}

function portsFor(
  run: string,
  reasoner: string,
  {
    attempt: { run: path, id, attempt },
    execution,
    options,
  }: {
    readonly attempt: Attempt;
    readonly execution: Execution;
    readonly options: RestateEngineOptions;
  },
): PerformPorts | undefined {
  const code = options.reasoners.find((each) => each.id === reasoner);
  if (code === undefined) return undefined;
  const { onDelta, onProgress, clock = systemClock, llmTimeoutMs = SILENT_MS } = options;
  const call = { run: path, id, attempt };
  let last = clock.now();
  return {
    ...portsOf(options),
    reasoner: code as never,
    onDelta: (delta) => {
      onDelta?.({ ...delta, runId: run, ...call });
      const now = clock.now();
      if (now - last < llmTimeoutMs / WORDS) return;
      last = now;
      execution.say({ type: "progress", ...call });
    },
    onProgress: (data) => onProgress?.({ data, runId: run, ...call }),
  };
}

function unheard({ run, id, attempt, directive }: Attempt, reasoner: string): Report {
  const message = `The worker that was to carry out a ${directive.type} has no reasoner ${reasoner}.`;
  const error = { code: "run.reasoner", message };
  return { type: "failed", error, refused: true, run, id, attempt };
}
