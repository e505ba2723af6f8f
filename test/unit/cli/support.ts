// The command line in a folder of its own: as a child process, or called with streams of a test's.
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PassThrough } from "node:stream";
import { onTestFinished } from "vitest";
import type { Io } from "../../../src/cli/terminal/io.js";

const ROOT = resolve(import.meta.dirname, "../../..");

/** The command, built. */
export const COMMAND: string = join(ROOT, "dist/cli/main.js");

/** A new folder outside the project with the sample configs in it. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "reckoner-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(ROOT, "test/fixtures/configs"), folder, { recursive: true });
  return folder;
}

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command in a folder. */
export function reckoner(
  cwd: string,
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, [COMMAND, ...words], {
    cwd,
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => done({ code, stdout, stderr }));
  });
}

/** What a command comes to that is called in this process: of many, the same, and sooner. */
export async function called(cwd: string, words: readonly string[]): Promise<Outcome> {
  const { main } = await import("../../../src/cli/program.js");
  const io = anIo(cwd);
  const code = await main(io, words);
  return { code, ...io.written };
}

/** A world of streams, and what was written to them. */
export interface TestIo extends Io {
  readonly written: { stdout: string; stderr: string };
  readonly exits: number[];
  /** Ctrl-C. */
  interrupt(): void;
  /** SIGTERM. */
  terminate(): void;
  /** A key on the terminal. @returns how many listen */
  press(key: string): number;
  /** Waits until standard error has a text. */
  said(text: string): Promise<void>;
}

/** A world for commands called in this process; `terminal` where a person sits there. */
export function anIo(cwd: string, { terminal = false } = {}): TestIo {
  const written = { stdout: "", stderr: "" };
  const waiting = new Set<() => void>();
  const stream = (name: "stdout" | "stderr") => {
    const out = Object.assign(new PassThrough(), {
      isTTY: terminal,
      columns: 80,
    });
    out.on("data", (data) => {
      written[name] += String(data);
      for (const check of waiting) check();
    });
    return out;
  };
  const listeners = new Set<() => void>();
  const terminating = new Set<() => void>();
  const keys = new Set<(key: string) => void>();
  const exits: number[] = [];
  return {
    stdin: Object.assign(new PassThrough(), { isTTY: terminal }),
    stdout: stream("stdout"),
    stderr: stream("stderr"),
    cwd,
    env: { NO_COLOR: "1" },
    onInterrupt(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onTerminate(listener) {
      terminating.add(listener);
      return () => terminating.delete(listener);
    },
    onKey(listener) {
      keys.add(listener);
      return () => keys.delete(listener);
    },
    startWatchdog: () => () => {},
    onExit: () => () => {},
    exit: (code) => void exits.push(code),
    written,
    exits,
    interrupt: () => {
      for (const listener of listeners) listener();
    },
    terminate: () => {
      for (const listener of terminating) listener();
    },
    press: (key) => {
      for (const listener of keys) listener(key);
      return keys.size;
    },
    said: (text) =>
      new Promise((done) => {
        const check = () => {
          if (!written.stderr.includes(text)) return;
          waiting.delete(check);
          done();
        };
        waiting.add(check);
        check();
      }),
  };
}
