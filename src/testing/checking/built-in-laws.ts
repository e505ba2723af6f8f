/**
 * The laws to which `check` holds every machine: it has no fault, handles every answer, and can be upgraded
 * in every state. Laws of your own are made with `law.ts`.
 */
import { isSettlement } from "../../core/kernel/vocabulary/index.js";
import { type Law, law, type Seen } from "./law.js";
import { CARRIED_OVER, NO_FAULT, NOTHING_LOST } from "./law-names.js";
import { UPGRADE } from "./upgradable.js";

/** No guard, change, issue or factory throws or goes round for ever, and what is issued are directives. */
export const noFault: Law<unknown, never> = law(NO_FAULT, ({ state, step }) => {
  const { fault } = state;
  if (fault === undefined) return true;
  const what = `${fault.code} at ${fault.place}`;
  // Our own checks throw the same fault again.
  const thrown = step.thrown === undefined ? "" : String(step.thrown);
  return thrown === "" || thrown.endsWith(what) ? what : `${what}: ${thrown}`;
});

/**
 * A settlement that the present state does not handle is lost.
 * @param mayBe settlements of which that is right
 */
export const nothingLost = <Context>(
  mayBe: (seen: Seen<Context, never>) => boolean = () => false,
): Law<Context, never> =>
  law(NOTHING_LOST, (seen) => {
    const { event, step, before } = seen;
    if (!isSettlement(event) || before?.status !== "active") return undefined;
    if (step.ignored?.reason === "stale" || step.ignored?.reason === "refused") return undefined;
    if (step.ignored === undefined) return true;
    if (mayBe(seen)) return undefined;
    return `${event.type} comes in ${JSON.stringify(before.value)}, where no transition handles it`;
  });

/** The laws of every machine. */
export const builtInLaws: readonly Law<unknown, never>[] = [noFault, nothingLost()];

/** A law of checks that have an upgrade: wherever a run is, it can be carried over. */
export const carriedOver: Law<unknown, never> = law(CARRIED_OVER, ({ event, step }) => {
  if ((event as { readonly type: string }).type !== UPGRADE) return undefined;
  return step.ignored === undefined ? true : (step.thrown as Error).message;
});
