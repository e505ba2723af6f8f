/** The switch over directives: which function carries out each type. It ends in a `never` check. */
import { type Effect, escapeId } from "../../core/kernel/index.js";
import { checkDecision } from "../running/check-event.js";
import { LazyAbort } from "../running/lazy-abort.js";
import { masked } from "../running/redact.js";
import { isForPort, type PortDirective, type Settling } from "./attempt.js";
import { runAttempts } from "./attempts.js";
import type { EffectHost, EffectStart } from "./effect-host.js";
import { errorOf } from "./error-of.js";

/**
 * Carries an effect out.
 * @returns its settlement, or `undefined` where it was cancelled or nobody is there to settle it
 */
export function carryOut(
  effect: Effect,
  host: EffectHost,
  start: EffectStart,
): Promise<Settling | undefined> {
  return isForPort(effect) ? runAttempts(effect, host, start) : carryOutOther(effect, host, start);
}

async function carryOutOther(
  effect: Exclude<Effect, PortDirective>,
  host: EffectHost,
  { stop }: EffectStart,
): Promise<Settling | undefined> {
  const { id } = effect;
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
    case "run":
      throw new Error("A child run is its interpreter's own affair.");
    default:
      throw new Error(`No effect for ${JSON.stringify(effect satisfies never)}`);
  }
}
