// Starts `store-child.mjs`, and says what it acknowledged before it ended or was killed.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

export interface StoreProcess {
  /** The lines that it wrote: numbers. */
  readonly lines: readonly number[];
  readonly signal: NodeJS.Signals | null;
  readonly code: number | null;
  readonly errors: string;
}

/**
 * Runs one to its end.
 * @param killAfter SIGKILL so many milliseconds after its first line
 */
export function storeProcess(task: object, killAfter?: number): Promise<StoreProcess> {
  const path = join(import.meta.dirname, "store-child.mjs");
  const child = spawn(process.execPath, [path, JSON.stringify(task)]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: number[] = [];
  let errors = "";
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (killAfter !== undefined && lines.length === 0) {
      setTimeout(() => child.kill("SIGKILL"), killAfter);
    }
    lines.push(Number(line));
  });
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  return new Promise((resolve) => {
    child.on("close", (code, signal) => resolve({ lines, code, signal, errors }));
  });
}
