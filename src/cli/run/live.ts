/**
 * Drives a live run on the command line, for `run` and `resume`: progress, questions, keys and
 * signals.
 */

import { isReckonerError } from "../../core/kernel/values/index.js";
import type { End, HostOptions, Run } from "../../runtime/index.js";
import type { LoadedConfig } from "../config/config.js";
import { type Io, isInteractive, say } from "../terminal/io.js";
import { askPerson } from "./ask-person.js";
import { modelOf } from "./model.js";
import { progressOf } from "./progress.js";

/** As a shell reports a process that Ctrl-C ended, and one that SIGTERM ended. */
const INTERRUPTED = 130;
const TERMINATED = 143;
/** The time for running effects to settle where the process is asked to end, in milliseconds. */
const DRAIN_MS = 10_000;

/**
 * Runs to the end or to where the run waits. Escape ends the present turn, Ctrl-C the run; a SIGTERM
 * leaves it to another process, and a second one of either ends this process at once.
 * @param begin starts the run with what it is given from this process
 */
export async function driveLive(
  io: Io,
  config: LoadedConfig,
  flags: { readonly model?: string; readonly journal?: string },
  begin: (host: HostOptions) => Run<unknown, unknown>,
): Promise<End> {
  const model = await modelOf(io, config, flags.model);
  const progress = progressOf(io);
  const controller = new AbortController();
  const cancel = () => {
    if (controller.signal.aborted) return io.exit(INTERRUPTED);
    controller.abort("interrupted");
    say(io, "Cancelling the run; Ctrl-C once more ends the process at once.");
  };
  let draining = false;
  let live: Run<unknown, unknown> | undefined;
  const drain = () => {
    if (draining) return io.exit(TERMINATED);
    draining = true;
    say(io, "Letting what runs settle; a second SIGTERM ends the process at once.");
    live?.drain(DRAIN_MS).catch(() => {});
  };
  const leave = () => {
    say(io, "Nobody is there to answer any more; the run waits.");
    live?.drain(DRAIN_MS).catch(() => {});
  };
  const { options = {}, services } = config;
  const keys = keysOf(io, () => live);
  const interactive = isInteractive(io);
  const person = askPerson(io, progress, cancel, flags.journal === undefined ? undefined : leave);
  const stops = [io.onInterrupt(cancel), io.onTerminate(drain)];
  if (interactive) keys.listen();
  try {
    live = begin({
      ...(interactive ? { approve: keys.pausedFor(person) } : {}),
      // An approver of the config's own knows better whom to ask.
      ...options,
      ...model,
      ...(services === undefined ? {} : { services }),
      signal: controller.signal,
      observers: [...(options.observers ?? []), (observation) => progress.observe(observation)],
    });
    return await live;
  } finally {
    keys.close();
    progress.stop();
    for (const stop of stops) stop();
  }
}

type Approve = NonNullable<HostOptions["approve"]>;

/** Escape ends the present turn; while a question is asked, keys are the answer's. */
function keysOf(io: Io, live: () => Run<unknown, unknown> | undefined) {
  let stop: (() => void) | undefined;
  let asking = 0;
  let closed = false;
  const pressed = (key: string) => {
    if (key !== "escape") return;
    try {
      live()?.interrupt("The person at the terminal stopped the turn.");
      say(io, "Stopping the turn.");
    } catch (thrown) {
      if (!isReckonerError(thrown)) throw thrown;
      say(io, thrown.message);
    }
  };
  const keys = {
    listen() {
      if (!closed) stop ??= io.onKey(pressed);
    },
    stop() {
      stop?.();
      stop = undefined;
    },
    close() {
      closed = true;
      keys.stop();
    },
    pausedFor:
      (approve: Approve): Approve =>
      async (approval, call) => {
        asking += 1;
        keys.stop();
        try {
          return await approve(approval, call);
        } finally {
          asking -= 1;
          if (asking === 0) keys.listen();
        }
      },
  };
  return keys;
}
