/**
 * Makes the Restate virtual object of a run. Each event is one short exclusive invocation: it opens the run
 * from its state, takes the event, writes, and sends attempts to the service that carries them out. A run
 * that waits has no invocation, so it continues under whatever code is deployed then.
 */
import {
  handlers,
  type InvocationId,
  type ObjectContext,
  type ObjectSharedContext,
  object,
  type RestatePromise,
  serde,
  TerminalError,
} from "@restatedev/restate-sdk";
import type { Attempt, Call } from "../../core/driver/index.js";
import { messageOf } from "../../core/kernel/values/index.js";
import type { Report } from "../../runtime/for-hosts.js";
import {
  type Arrivals,
  KeptRun,
  keptAt,
  mailIn,
  partsOf,
  RECORD,
  type Replied,
  type Reported,
  RunReader,
  replied,
  type Turned,
} from "../shared/index.js";
import { type Event, effectsOf, type Handed, type Heard, isOnTheWay } from "./names.js";
import type { RestateEngineOptions } from "./options.js";
import { StateKept } from "./state-kept.js";

/** The engine's own part of a run. */
interface EngineState {
  /** The moment of the first wake that was sent and has not come. */
  readonly wake?: number | undefined;
  /** The invocations that carry out attempts. */
  readonly calls: { readonly [call: string]: string };
}

const ENGINE = "engine";
/** Milliseconds after which an attempt that was stopped is taken for stopped, should it not say so. */
const STOPPED_MS = 30_000;
/** Bytes of an attempt: a server takes messages of 32 MiB, with some words around them. */
const MAX_SENT = 30 * 1024 * 1024;
/** The invocation of an attempt that was not sent. */
const UNSENT = "unsent";

/** Makes the virtual object of runs. */
export function runObject(name: string, options: RestateEngineOptions): ReturnType<typeof object> {
  const { object: own } = handlers;
  const read = (work: (reader: RunReader, asked: never) => Promise<unknown>) =>
    own.shared(async (ctx: ObjectSharedContext, asked: unknown): Promise<Replied> => {
      return replied(() => work(new RunReader(new StateKept(ctx), ctx.key), asked as never));
    });
  return object({
    name,
    // An event that is cancelled halfway would leave a run whose attempts nobody carries out.
    options: { enableLazyState: true, explicitCancellation: true },
    handlers: {
      say: own.exclusive(async (ctx: ObjectContext, request: unknown): Promise<Replied> => {
        return replied(async () => {
          const mail = mailIn(request);
          const { answers } = await event(ctx, { mail: [mail] }, { name, options });
          return answers[0];
        });
      }),
      take: own.exclusive(
        { ingressPrivate: true },
        async (ctx: ObjectContext, incoming: Event): Promise<Heard> => {
          const { kept, refused } = await event(ctx, incoming, { name, options });
          return { kept, refused };
        },
      ),
      unpark: own.exclusive(async (ctx: ObjectContext): Promise<Replied> => {
        return replied(async () => {
          await new RunReader(new StateKept(ctx), ctx.key).row();
          await event(ctx, { unpark: true }, { name, options });
        });
      }),
      row: read((reader) => reader.row()),
      lines: read((reader, { from = 0 }: { readonly from?: number }) => reader.lines(from)),
      answer: read((reader, { key }: { readonly key: string }) => reader.answer(key)),
    },
  });
}

interface Own {
  readonly name: string;
  readonly options: RestateEngineOptions;
}

/** One event of a run: a poison one fails once, and blocks nothing behind it. */
async function event(ctx: ObjectContext, incoming: Event, own: Own): Promise<Turned> {
  try {
    return await takeEvent(ctx, incoming, own);
  } catch (thrown) {
    if (thrown instanceof TerminalError) throw thrown;
    throw new TerminalError(messageOf(thrown));
  }
}

async function takeEvent(
  ctx: ObjectContext,
  { wake, from, ...rest }: Event,
  { name, options }: Own,
): Promise<Turned> {
  const kept = new StateKept(ctx);
  const { clock } = options;
  const time = clock === undefined ? ctx.date.now() : ctx.run("now", () => clock.now());
  const now = (await kept.load([ENGINE, RECORD], time as RestatePromise<number>)) as number;
  const text = await keptAt(kept, ENGINE);
  const state: EngineState = text === undefined ? { calls: {} } : JSON.parse(text);
  const run = new KeptRun({
    ...partsOf(options),
    ...{ id: ctx.key, kept, random: { id: () => ctx.rand.uuidv4() }, stays: false },
  });
  const arrivals = { ...rest, reports: rest.reports?.filter((each) => isFrom(each, from, state)) };
  const turned = await run.turn(arrivals, now);
  const calls = await handOut(ctx, turned, { name, calls: goingOn(arrivals, state.calls) });
  const pending = wake === state.wake ? undefined : state.wake;
  const next = { calls, wake: nextWake(ctx, name, { pending, now, wakeAt: turned.wakeAt }) };
  const after = JSON.stringify(next);
  if (after !== text && turned.reasoner !== undefined) await kept.write(new Map([[ENGINE, after]]));
  return turned;
}

/** Sends a wake, where none comes in time. @returns the moment of the first that comes */
function nextWake(
  ctx: ObjectContext,
  name: string,
  {
    pending,
    now,
    wakeAt,
  }: {
    readonly pending: number | undefined;
    readonly now: number;
    readonly wakeAt: number | undefined;
  },
): number | undefined {
  if (wakeAt === undefined || (pending !== undefined && pending <= wakeAt)) return pending;
  sendEvent(ctx, name, { wake: wakeAt }, Math.max(0, wakeAt - now));
  return wakeAt;
}

function sendEvent(ctx: ObjectContext, name: string, incoming: Event, delay?: number): void {
  ctx.genericSend({
    ...{ service: name, method: "take", key: ctx.key, parameter: incoming },
    inputSerde: serde.json as never,
    ...(delay === undefined ? {} : { delay }),
  });
}

/** Returns true if the invocation that was begun for an attempt reports it, and has not before. */
function isFrom({ fork, arrived }: Reported, from: string | undefined, { calls }: EngineState) {
  return from !== undefined && calls[callKey(fork, arrived as Call)] === from;
}

/** Returns the calls that have not reported what came of them. */
function goingOn({ reports = [] }: Arrivals, calls: EngineState["calls"]): EngineState["calls"] {
  const over = new Set(
    reports.flatMap(({ fork, arrived }) =>
      isOnTheWay(arrived) ? [] : [callKey(fork, arrived as Call)],
    ),
  );
  return Object.fromEntries(Object.entries(calls).filter(([key]) => !over.has(key)));
}

/** Stops and begins attempts. @returns those that go on */
async function handOut(
  ctx: ObjectContext,
  { fork, isAbandoned, stop, begin, reasoner = "" }: Turned,
  { name, calls }: Pick<Own, "name"> & { readonly calls: EngineState["calls"] },
): Promise<EngineState["calls"]> {
  const going = new Map(Object.entries(calls));
  const cancel = (key: string) => {
    const id = going.get(key);
    if (id !== undefined && id !== UNSENT) ctx.cancel(id as InvocationId);
    going.delete(key);
    return id;
  };
  if (isAbandoned) for (const key of Object.keys(calls)) cancel(key);
  for (const { run, id, attempt, why } of stop) {
    const key = callKey(fork, { run, id, attempt });
    const from = cancel(key);
    if (why !== "interrupted" || from === undefined) continue;
    // It may report yet, once.
    going.set(key, from);
    const arrived = { type: "stopped", run, id, attempt } as const;
    sendEvent(ctx, name, { from, reports: [{ fork, arrived }] }, STOPPED_MS);
  }
  const begun = begin.flatMap((attempt) => {
    const key = callKey(fork, attempt);
    const handed: Handed = { run: ctx.key, fork, reasoner, attempt };
    const bytes = sizeOf(handed);
    if (bytes > MAX_SENT) {
      going.set(key, UNSENT);
      sendEvent(ctx, name, { from: UNSENT, reports: [{ fork, arrived: unsent(attempt, bytes) }] });
      return [];
    }
    const { invocationId } = ctx.genericSend({
      ...{ service: effectsOf(name), method: "perform", parameter: handed },
      inputSerde: serde.json as never,
    });
    return [{ key, invocationId }];
  });
  for (const { key, invocationId } of begun) going.set(key, await invocationId);
  return Object.fromEntries(going);
}

/** Returns the bytes of something as it is sent. */
function sizeOf(sent: Handed): number {
  const text = JSON.stringify(sent);
  // Of three bytes a character at most.
  return text.length * 3 <= MAX_SENT ? text.length : new TextEncoder().encode(text).length;
}

/** The outcome of an attempt that no server takes: sent all the same, it would be sent again for ever. */
function unsent({ run, id, attempt, directive }: Attempt, bytes: number): Report {
  const message = `The ${directive.type} has ${bytes} bytes, and Restate takes ${MAX_SENT} at once; keep files in stores, or say less.`;
  const error = { code: "event.tooLarge", message };
  return { type: "failed", error, refused: true, run, id, attempt };
}

function callKey(fork: string, { run, id, attempt }: Call): string {
  return `${fork} ${run} ${id} ${attempt}`;
}
