/**
 * Takes one arrival into a driver's tree of runs (the report of an attempt, a message, decision, cancel or
 * interrupt from outside, a drain), or returns why it is refused. `Driver` calls it for everything that
 * arrives.
 */

import { messageOf, sealJson } from "../kernel/values/index.js";
import { type EffectError, isSettlement, type RunEvent } from "../kernel/vocabulary/index.js";
import type { Arrived, Incoming, Settling } from "./arrived.js";
import { keepHandle, moveLimit } from "./begin-attempts.js";
import { isSettlementOf } from "./failures.js";
import type { Refusal } from "./owed-by-host.js";
import { ROOT } from "./parents-and-children.js";
import type { Shared } from "./shared-by-runs.js";
import type { RunTree } from "./tree.js";

/** An arrival from people and hosts. A run that has ended refuses it. */
type Interjection = Extract<Arrived, { type: "event" | "cancel" | "interrupt" }>;

/** The reason why something is not taken. */
type Why = Refusal | EffectError | undefined;

/**
 * Takes one arrival.
 * @param due the approvals that were there before what was due
 * @returns why it is not taken
 */
export function arrive<Input, Output, Context>(
  tree: RunTree<Input, Output, Context>,
  shared: Shared<Context>,
  arrived: Arrived,
  due?: ReadonlySet<string>,
): Why {
  switch (arrived.type) {
    case "drain":
      shared.winding.drain(shared.now + arrived.ms);
      return undefined;
    case "settled":
    case "failed":
    case "stopped":
    case "progress":
    case "held": {
      const run = tree.of(arrived.run);
      const live = run?.carriedOut(arrived);
      if (run === undefined || live === undefined) return "late";
      if (arrived.type !== "progress" && arrived.type !== "held")
        return run.reports.take(live, arrived);
      moveLimit(shared, live, arrived.type);
      return undefined;
    }
    case "handle": {
      const live = tree.of(arrived.run)?.carriedOut(arrived);
      if (live === undefined) return "late";
      const { handle, due } = arrived;
      const fault = handleFault(handle, due);
      if (fault !== undefined) return fault;
      keepHandle(shared, live, due === undefined ? { handle } : { handle, due });
      return undefined;
    }
    case "decided":
      return decide(tree, arrived, due);
    case "settle":
      return settleByHand(tree, arrived);
    default:
      return tree.root.isActive ? say(tree, shared, arrived) : "ended";
  }
}

/** Characters of a handle as JSON. */
const MAX_HANDLE = 64 * 1024;

function handleFault(handle: unknown, due: unknown): EffectError | undefined {
  const refused = (what: string) => ({ code: "handle.refused", message: `A handle ${what}.` });
  if (due !== undefined && !Number.isFinite(due)) return refused("is due at no moment");
  try {
    const { length } = JSON.stringify(sealJson(handle, "$.handle"));
    return length <= MAX_HANDLE
      ? undefined
      : refused(`has ${length} characters; it may have 65536`);
  } catch (thrown) {
    return refused(`is not JSON: ${messageOf(thrown).replace(/\.$/, "")}`);
  }
}

function decide<Input, Output, Context>(
  tree: RunTree<Input, Output, Context>,
  { run: path = ROOT, id, decision }: Extract<Arrived, { type: "decided" }>,
  due: ReadonlySet<string> | undefined,
): Why {
  if (!tree.root.isActive) return "ended";
  const run = tree.of(path);
  if (run?.get(id)?.effect.type !== "approval") {
    return due?.has(`${path} ${id}`) === true ? "overdue" : "stale";
  }
  return run.stepFromOutside({ ...decision, type: "approval.decided", id });
}

/** An approval is decided; a child lives here; and what runs here reports itself. */
function settleByHand<Input, Output, Context>(
  tree: RunTree<Input, Output, Context>,
  { run: path = ROOT, settlement }: Extract<Arrived, { type: "settle" }>,
): Why {
  const run = tree.of(path);
  const live = run?.get(settlement.id);
  if (run === undefined || live === undefined) return "stale";
  const { effect, phase } = live;
  const isOwn = ["approval", "run"].includes(effect.type);
  if (isOwn || phase === "running" || phase === "stopping") return "stale";
  if (!isSettlementOf(effect, settlement)) return "stale";
  return run.reports.settleByHand(live, settlement as Settling);
}

/** Takes an arrival from people and hosts. */
function say<Input, Output, Context>(
  tree: RunTree<Input, Output, Context>,
  shared: Shared<Context>,
  arrival: Interjection,
): Why {
  switch (arrival.type) {
    case "event":
      if (isForged(arrival.event)) return "forged";
      return tree.root.stepFromOutside(arrival.event);
    case "cancel": {
      const { reason } = arrival;
      const event = { type: "cancel", ...(reason === undefined ? {} : { reason }) };
      return tree.root.stepFromOutside(event);
    }
    case "interrupt":
      return interrupt(tree, shared, arrival);
    default:
      throw new Error(`Nothing is known of ${JSON.stringify(arrival satisfies never)}`);
  }
}

function interrupt<Input, Output, Context>(
  { root }: RunTree<Input, Output, Context>,
  { winding, now }: Shared<Context>,
  { reason, graceMs }: Extract<Interjection, { type: "interrupt" }>,
): Why {
  if (!root.isInterruptible) return "uninterruptible";
  winding.interrupt(reason, now + graceMs);
  for (const live of [...root.lives]) {
    if (live.effect.type === "llm" && live.phase === "running") root.stop(live);
  }
  return undefined;
}

/** Returns true if an event is one that only a driver makes. */
function isForged(event: Incoming): boolean {
  return isSettlement(event as RunEvent) || event.type === "start" || event.type === "interrupt";
}
