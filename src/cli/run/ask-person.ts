/** Asks a person on the terminal to decide an approval, one question at a time. */
import { createInterface, type Interface } from "node:readline/promises";
import { printValue } from "../../core/kernel/machine/index.js";
import { type Json, messageOf } from "../../core/kernel/values/index.js";
import type { ApprovalDecision, ApprovalDirective } from "../../core/kernel/vocabulary/index.js";
import type { Approver } from "../../runtime/index.js";
import { type Io, say, styles } from "../terminal/io.js";
import { inLine } from "../terminal/visible.js";
import type { Progress } from "./progress.js";

const QUESTION = "  approve? [y]es, [n]o, [e]dit: ";
/** Of a tool that asks for a value. */
const ASKS = "  [a]nswer, or [n]o: ";

/**
 * An approver that asks on the terminal.
 * @param interrupt called at Ctrl-C, which a question on a terminal swallows
 * @param leave called where the terminal is closed and the run can be left to another process; else
 * nobody answers any more, and it is denied
 */
export function askPerson(
  io: Io,
  progress: Progress,
  interrupt: () => void,
  leave: (() => void) | undefined,
): Approver {
  // The approvals of a batch come together; people answer them in turn.
  let last: Promise<unknown> = Promise.resolve();
  return (approval, { signal }) => {
    const answer = last.then(async (): Promise<ApprovalDecision> => {
      signal.throwIfAborted();
      progress.pause();
      const lines = createInterface({ input: io.stdin, output: io.stderr });
      lines.on("SIGINT", interrupt);
      let isOver = false;
      const closed = new Promise<ApprovalDecision>((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        lines.on("close", () => {
          if (isOver) return;
          if (leave === undefined) resolve({ approve: false, reason: "nobody answered" });
          else leave();
        });
      });
      try {
        return await Promise.race([decisionOf(io, lines, approval, signal), closed]);
      } finally {
        isOver = true;
        lines.close();
        progress.resume();
      }
    });
    last = answer.catch(() => {});
    return answer;
  };
}

async function decisionOf(
  io: Io,
  lines: Interface,
  { id, title, subject, ask }: ApprovalDirective,
  signal: AbortSignal,
): Promise<ApprovalDecision> {
  say(io, `${styles.bold(inLine(title))} ${inLine(id)}\n  ${printValue(subject, 4_000)}`);
  if (ask !== undefined) say(io, `  asks for ${printValue(ask, 4_000)}`);
  const [question, valued] = ask === undefined ? [QUESTION, "edit"] : [ASKS, "answer"];
  for (;;) {
    const answer = (await lines.question(question, { signal })).trim().toLowerCase();
    if (ask === undefined && (answer === "y" || answer === "yes")) return { approve: true };
    if (answer === "n" || answer === "no") {
      const reason = (await lines.question("  reason (may be empty): ", { signal })).trim();
      return { approve: false, ...(reason === "" ? {} : { reason }) };
    }
    if (answer === "" || !valued.startsWith(answer)) continue;
    const what = ask === undefined ? "arguments" : "value";
    const text = await lines.question(`  ${what} as JSON: `, { signal });
    try {
      const json = JSON.parse(text) as Json;
      return ask === undefined ? { approve: true, input: json } : { approve: true, value: json };
    } catch (thrown) {
      say(io, `  That is not JSON: ${messageOf(thrown)}`);
    }
  }
}
