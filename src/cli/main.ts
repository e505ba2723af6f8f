#!/usr/bin/env node
/** The command `reckoner`: this process as the world of a command. Nothing else touches `process`. */
import { emitKeypressEvents } from "node:readline";
import "../node.js";
import { guardTime } from "./guard.js";
import type { Io, Output } from "./io.js";
import { main } from "./program.js";

const io: Io = {
  stdin: process.stdin,
  stdout: process.stdout,
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
  guardTime,
  exit: (code) => process.exit(code),
};

// Whoever reads may stop reading (`| head`): what is left to say is dropped, what runs goes on.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    // A full disk, say: the result is not where it should be, and there is nothing more to do.
    if (stream === process.stdout)
      process.stderr.write(`reckoner: cannot write the result: ${error.message}\n`);
    process.exit(2);
  });
}

/** Resolves when all that was written has gone out, or can go nowhere. */
function flushed(stream: Output): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()));
}

const code = await main(io, process.argv.slice(2));
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
// What a config left open (a connection, a timer) is no reason to stay.
process.exit(code);
