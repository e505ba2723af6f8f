/** The switch over directives: which function carries out each type. It ends in a `never` check. */
import { type Effect, escapeId, type RunContext } from "../../core/kernel/index.js";
import { checkDecision } from "../running/check-event.js";
import { LazyAbort } from "../running/lazy-abort.js";
import { masked } from "../running/redact.js";
import { errorOf } from "./attempt.js";
import type { EffectHost, Settling } from "./effect-host.js";
import { runLlm } from "./effect-llm.js";
import { interruptedWrite, runStore } from "./effect-store.js";
import { interruptedTool, runTool } from "./effect-tool.js";

/** How an effect is started. */
export interface EffectStart {
  readonly stop: LazyAbort;
  /** Attempts that began earlier, in this process or another. */
  readonly begun: number;
  /** The next attempt's mark is durable already. */
  readonly marked: boolean;
  /** What tools see of the run. */
  readonly run: Omit<RunContext, "id" | "idempotencyKey" | "retry">;
}

/**
 * Carries an effect out.
 * @returns its settlement, or `undefined` where it was cancelled or nobody is there to settle it
 */
export function carryOut(
  effect: Effect,
  host: EffectHost,
  start: EffectStart,
): Promise<Settling | undefined> {
  if (effect.type === "llm") return runLlm(effect, host, start.stop);
  if (effect.type === "tool")
    return runTool(effect, start.run, host, start.stop, start.begun, start.marked);
  return carryOutOther(effect, host, start);
}

async function carryOutOther(
  effect: Exclude<Effect, { type: "llm" | "tool" }>,
  host: EffectHost,
  start: EffectStart,
): Promise<Settling | undefined> {
  const { id } = effect;
  const { stop } = start;
  switch (effect.type) {
    case "approval": {
      if (host.options.approve === undefined) {
        return { type: "approval.decided", id, approve: false, by: "nobody" };
      }
      // The approver's own decision does not abort its signal; another's does.
      const withdrawn = new LazyAbort();
      const unlisten = stop.onAbort(() => withdrawn.abort(stop.reason));
      try {
        const { signal } = withdrawn;
        // By the id with which anybody else can decide it.
        const asked = { ...effect, id: escapeId(id) };
        const decision = await host.options.approve(asked, { signal });
        const checked = checkDecision(id, decision);
        return stop.aborted ? undefined : { ...checked, type: "approval.decided", id };
      } catch (thrown) {
        const { message } = masked(host.options, errorOf(thrown, "port.failed"));
        const reason = `The approver failed: ${message}`;
        return stop.aborted ? undefined : { type: "approval.decided", id, approve: false, reason };
      } finally {
        unlisten();
      }
    }
    case "timer":
      try {
        // A time that has passed needs no sleep, whatever a clock makes of one below 0.
        const wait = effect.until - host.clock.now();
        if (wait > 0) await host.clock.sleep(wait, stop.signal);
        return { type: "timer.fired", id };
      } catch (thrown) {
        if (stop.aborted) return undefined;
        // Without its clock the run would wait for nothing.
        throw thrown;
      }
    case "read":
    case "write":
      return runStore(effect, host, stop, start.begun, start.marked);
    case "run":
      throw new Error("A child run is its interpreter's own affair.");
    default:
      throw new Error(`No effect for ${JSON.stringify(effect satisfies never)}`);
  }
}

/** The settlement of an effect that had begun before a crash and may not begin again. */
export function interrupted(effect: Effect, begun: number): Settling {
  if (effect.type === "tool") return interruptedTool(effect, begun);
  if (effect.type === "write") return interruptedWrite(effect, begun);
  throw new Error(`A ${effect.type} may always begin again.`);
}
