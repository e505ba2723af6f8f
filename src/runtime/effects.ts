/** The switch over directives: which effect each one is. The interpreter decides nothing else. */
import { type Decision, type Effect, type RunContext, toJson } from "../core/kernel/index.js";
import { errorOf } from "./attempt.js";
import type { EffectHost, Settling } from "./effect-host.js";
import { runLlm } from "./effect-llm.js";
import { runTool } from "./effect-tool.js";

/** How an effect is started. */
export interface EffectStart {
  readonly signal: AbortSignal;
  /** Attempts that began earlier, in this process or another. */
  readonly begun: number;
  /** The next attempt's mark is durable already. */
  readonly marked: boolean;
  /** What tools see of the run. */
  readonly run: Omit<RunContext, "retry">;
}

/**
 * Carries an effect out.
 * @returns its settlement, or `undefined` where it was cancelled or nobody is there to settle it
 */
export async function carryOut(
  effect: Effect,
  host: EffectHost,
  start: EffectStart,
): Promise<Settling | undefined> {
  const { id } = effect;
  const { signal } = start;
  switch (effect.type) {
    case "llm":
      return runLlm(effect, host, signal);
    case "tool":
      return runTool(effect, start.run, host, signal, start.begun, start.marked);
    case "approval": {
      if (host.options.approve === undefined) {
        return { type: "approval.decided", id, approve: false, by: "nobody" };
      }
      try {
        const decision = await host.options.approve(effect, { signal });
        const checked = toJson<Decision>(decision, "decision");
        return signal.aborted ? undefined : { ...checked, type: "approval.decided", id };
      } catch (thrown) {
        const reason = `The approver failed: ${errorOf(thrown, "port.failed").message}`;
        return signal.aborted
          ? undefined
          : { type: "approval.decided", id, approve: false, reason };
      }
    }
    case "timer":
      try {
        // A time that has passed needs no sleep, whatever a clock makes of one below 0.
        const wait = effect.until - host.clock.now();
        if (wait > 0) await host.clock.sleep(wait, signal);
        return { type: "timer.fired", id };
      } catch {
        return undefined;
      }
    case "read":
      return { type: "read.failed", id, error: noPort(`store ${effect.store}`) };
    case "write":
      return { type: "write.failed", id, error: noPort(`store ${effect.store}`) };
    case "run":
      throw new Error("A child run is its interpreter's own affair.");
    default:
      throw new Error(`No effect for ${JSON.stringify(effect satisfies never)}`);
  }
}

function noPort(what: string) {
  return { code: "port.missing", message: `The run was given no ${what}.` };
}
