#!/usr/bin/env node
/** The executable `reckoner`: passes this process to a command. No other file uses `process`. */
import { Console } from "node:console";
import { emitKeypressEvents } from "node:readline";
import { main, refuse } from "./program.js";
import { exitCodes } from "./terminal/exit-codes.js";
import { endedByCode, report } from "./terminal/failure.js";
import type { Io, Output } from "./terminal/io.js";
import { startWatchdog } from "./terminal/watchdog.js";

const words = process.argv.slice(2);
const ending = new Set<() => boolean>();
let isOver = false;
/** True when somebody may still read what is printed. */
let isRead = true;

/** Ends this process at once. */
function exit(code: number): never {
  isOver = true;
  process.exit(code);
}

// The result alone goes to standard output: what a config or a tool prints is none of it.
const stdout: Output = Object.create(process.stdout, {
  write: { value: process.stdout.write.bind(process.stdout) },
  writable: { get: () => isRead },
});
process.stdout.write = process.stderr.write.bind(process.stderr);
globalThis.console = new Console(process.stderr);

const io: Io = {
  stdin: process.stdin,
  stdout,
  stderr: process.stderr,
  cwd: process.cwd(),
  env: process.env,
  onInterrupt(listener) {
    process.on("SIGINT", listener);
    return () => process.off("SIGINT", listener);
  },
  onTerminate(listener) {
    process.on("SIGTERM", listener);
    return () => process.off("SIGTERM", listener);
  },
  onKey(listener) {
    const { stdin } = process;
    if (!stdin.isTTY) return () => {};
    const pressed = (
      _text: string | undefined,
      key: { readonly name?: string; readonly ctrl?: boolean },
    ) => {
      // A terminal that hands over single keys hands Ctrl-C over as one of them.
      if (key.ctrl === true && key.name === "c") process.kill(process.pid, "SIGINT");
      else listener(key.name ?? "");
    };
    emitKeypressEvents(stdin);
    stdin.setRawMode(true);
    stdin.resume();
    stdin.on("keypress", pressed);
    return () => {
      stdin.off("keypress", pressed);
      stdin.setRawMode(false);
      stdin.pause();
    };
  },
  startWatchdog,
  onExit(listener) {
    ending.add(listener);
    return () => ending.delete(listener);
  },
  exit,
};

// A reader may stop reading (`| head`): the rest of the output is dropped, effects go on.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") {
      if (stream === process.stdout) isRead = false;
      return;
    }
    // A full disk, say: the result is not where it should be, and there is nothing more to do.
    if (stream === process.stdout)
      process.stderr.write(`reckoner: cannot write the result: ${error.message}\n`);
    exit(2);
  });
}

// A fault that a tool left behind, in a callback say, belongs to no call that could fail. The journal
// holds what there is; another process goes on with it.
process.on("uncaughtException", (thrown) => {
  exit(refuse(io, words, thrown));
});

process.on("unhandledRejection", (thrown) => {
  report(io, thrown, "a promise that nobody awaited was rejected");
});

// If a config's code ends the process, that must not look like success.
process.on("exit", () => {
  if (isOver) return;
  // It holds whatever its exit code, since that would look like one of ours.
  process.exitCode = exitCodes.refused;
  const isHandled = [...ending].map((listener) => listener()).includes(true);
  if (isHandled) report(io, endedByCode());
  else refuse(io, words, endedByCode());
});

/** Resolves when all that was written has gone out, or can go nowhere. */
function flushed(stream: Output): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()));
}

const code = await main(io, words);
// Unhandled rejections are reported one turn of the event loop later.
await new Promise((resolve) => setImmediate(resolve));
await Promise.all([flushed(stdout), flushed(process.stderr)]);
// Exit even if the config left a connection or a timer open.
exit(code);
