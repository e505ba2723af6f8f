/** Drives a live run from the command line: progress, questions, Ctrl-C. For `run` and `resume`. */
import type { End, HostOptions, Run } from "../runtime/index.js";
import { askPerson } from "./ask.js";
import type { LoadedConfig } from "./config.js";
import { type Io, isInteractive, say } from "./io.js";
import { modelOf } from "./model.js";
import { progressOf } from "./progress.js";

/** As a shell reports a process that Ctrl-C ended. */
const INTERRUPTED = 130;

/**
 * Runs to the end or to where the run rests.
 * @param begin starts the run with what it is given from this process
 */
export async function driveLive(
  io: Io,
  config: LoadedConfig,
  flags: { readonly model?: string },
  begin: (host: HostOptions) => Run<unknown, unknown>,
): Promise<End> {
  const model = await modelOf(io, config, flags.model);
  const progress = progressOf(io);
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) return io.exit(INTERRUPTED);
    controller.abort("interrupted");
    say(io, "Cancelling the run; Ctrl-C once more ends the process at once.");
  };
  const stopListening = io.onInterrupt(interrupt);
  const { options = {}, services } = config;
  try {
    return await begin({
      ...(isInteractive(io) ? { approve: askPerson(io, progress, interrupt) } : {}),
      // An approver of the config's own knows better whom to ask.
      ...options,
      ...model,
      ...(services === undefined ? {} : { services }),
      signal: controller.signal,
      observers: [...(options.observers ?? []), (observation) => progress.observe(observation)],
    });
  } finally {
    progress.stop();
    stopListening();
  }
}
