/**
 * `perform`: carries out one attempt that a driver asks for, and returns the report that the driver takes. It is
 * for hosts that step a driver themselves: `serve`, the durable engines, and those of users.
 */
import {
  type Arrived,
  type Attempt,
  type Call,
  childNamed,
  type Outcome,
  type Settling,
  unknownOf,
} from "../../core/driver/for-live-runs.js";
import type { Reasoner } from "../../core/kernel/machine/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import { checkArguments, type ToolRegistry } from "../../core/kernel/vocabulary/index.js";
import { LazyAbort } from "../ports/lazy-abort.js";
import { onAbort } from "../ports/on-abort.js";
import type { HostOptions } from "../ports/options.js";
import type { AttemptPorts, Keep } from "./call-port.js";
import { carryOut } from "./carry-out.js";

/** A reasoner, as far as its tools and those of its children are called. */
interface Family extends Pick<Reasoner, "tools"> {
  readonly children: object;
}

/** The ports that attempts of a run may call. */
export interface PerformPorts
  extends Pick<
      HostOptions,
      "model" | "stores" | "services" | "unseal" | "approve" | "maskCredentials"
    >,
    Pick<AttemptPorts, "onDelta" | "onProgress" | "onNotice" | "blobs"> {
  /**
   * Tells the driver of a handle, and ends when the lines of a take that says `kept` of its attempt are durable.
   * Absent: tools that keep handles fail with `handle.refused`.
   */
  readonly keep?: ((kept: Extract<Arrived, { type: "handle" }>) => Promise<void>) | undefined;
  /** The reasoner of the root, whose tools, and those of its children, are called. */
  readonly reasoner: Family;
}

/** An outcome with the attempt that it is of: a driver takes it as it is. */
export type Report = Outcome & Call;

/**
 * Carries out one attempt of one directive: asks the model, calls the tool, the store or the approver. Decides
 * nothing, does not wait for a port that ignores the signal, and rejects only where it is given no attempt or ports.
 * @param signal aborts the attempt, which then reports `stopped`
 * @throws ReckonerError `option.invalid`
 */
export async function perform(
  attempt: Attempt,
  ports: PerformPorts,
  signal?: AbortSignal,
): Promise<Report> {
  checkArguments("perform", { attempt, ports }, ARGUMENTS);
  const { run, id } = attempt;
  const stop = new LazyAbort();
  const leave = onAbort(signal, () => stop.abort(signal?.reason));
  const { reasoner, approve, maskCredentials, keep, ...rest } = ports;
  const { attempt: count } = attempt;
  const own: Keep | undefined =
    keep && ((handle, due) => keep({ type: "handle", run, id, attempt: count, handle, due }));
  const carriers = {
    ports: { ...rest, tools: toolsOf(reasoner, attempt), keep: own },
    options: { approve, maskCredentials },
  };
  const outcome: Outcome = await carryOut(attempt, carriers, stop);
  leave();
  return { ...outcome, run, id, attempt: count };
}

const DIRECTIVE = /* @__PURE__ */ shapes.open(
  {
    type: /* @__PURE__ */ shapes.oneOf("llm", "tool", "read", "write", "approval"),
    id: shapes.NAME,
  },
  "type",
  "id",
);
const ARGUMENTS = {
  attempt: /* @__PURE__ */ shapes.open(
    {
      run: shapes.TEXT,
      id: shapes.NAME,
      attempt: /* @__PURE__ */ shapes.count(1),
      through: shapes.TEXTS,
      directive: DIRECTIVE,
    },
    "run",
    "id",
    "attempt",
    "through",
    "directive",
  ),
  ports: /* @__PURE__ */ shapes.open({ reasoner: shapes.OBJECT }, "reasoner"),
};

const LOST = {
  attempt: /* @__PURE__ */ shapes.open(
    {
      directive: /* @__PURE__ */ shapes.open(
        { type: /* @__PURE__ */ shapes.oneOf("tool", "write") },
        "type",
      ),
    },
    "directive",
  ),
};

/**
 * The report of an attempt that had begun, is `once`, and of which nobody knows how far it came.
 * @throws ReckonerError `option.invalid`
 */
export function lostReport(lost: Attempt): Report {
  checkArguments("lostReport", { attempt: lost }, LOST);
  const { run, id, attempt, directive } = lost;
  const { attempts: _counted, ...settlement } = unknownOf(directive, attempt, false) as Settling & {
    readonly attempts?: number;
  };
  return { type: "settled", settlement: settlement as Settling, run, id, attempt };
}

/** Returns the tools of the run that an attempt is of. */
export function toolsOf(root: Family, { through }: Pick<Attempt, "through">): ToolRegistry {
  let found = root;
  for (const name of through) {
    const child = childNamed(found as never, name);
    if (child === undefined) return {};
    found = child;
  }
  return found.tools;
}
