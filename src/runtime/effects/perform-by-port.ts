/**
 * Carries out one attempt of an `llm`, `tool`, `read` or `write` directive: chooses its port, has it called, and
 * returns the outcome as data. When an attempt begins, how long it may take, and if another one follows, is
 * decided by the driver.
 */
import {
  type Attempt,
  type Outcome,
  storeNamed,
  toolNamed,
} from "../../core/driver/for-live-runs.js";
import type {
  LlmDirective,
  ReadDirective,
  ToolDirective,
  WriteDirective,
} from "../../core/kernel/vocabulary/index.js";
import type { LazyAbort } from "../ports/lazy-abort.js";
import { modelFor } from "../ports/models.js";
import type { AttemptPorts, PortDirective } from "./call-port.js";
import { keptOutside } from "./fetch-blobs.js";
import { performLlm } from "./perform-llm.js";
import { performStore } from "./perform-store.js";
import { performTool } from "./perform-tool.js";
import { openedFor, sealedIn } from "./sealed-texts.js";

/** Returns true if there is a port to call. */
export function hasPort(directive: PortDirective, ports: AttemptPorts): boolean {
  if (directive.type === "llm") return modelFor(directive, ports.model) !== undefined;
  if (directive.type === "tool") return toolNamed(ports.tools, directive.name) !== undefined;
  return storeNamed(ports.stores, directive.store) !== undefined;
}

/**
 * Carries out an attempt. It does not wait for a port that ignores its signal.
 * @param signal the attempt's own
 * @returns what came of it, at once where the port answers at once; never rejects
 */
export function performByPort(
  attempt: Attempt<PortDirective>,
  ports: AttemptPorts,
  signal: LazyAbort,
): Outcome | Promise<Outcome> {
  const { unseal } = ports;
  const texts = unseal === undefined ? NONE : sealedIn(attempt.directive);
  if (unseal === undefined || texts.size === 0) return carriedByPort(attempt, ports, signal);
  return openedFor(attempt.directive, texts, unseal).then((directive) =>
    "error" in directive
      ? { type: "failed", ...directive }
      : carriedByPort({ ...attempt, directive }, ports, signal),
  );
}

const NONE: ReadonlySet<string> = new Set();

function carriedByPort(
  attempt: Attempt<PortDirective>,
  ports: AttemptPorts,
  signal: LazyAbort,
): Outcome | Promise<Outcome> {
  const { directive } = attempt;
  switch (directive.type) {
    case "llm":
      return performLlm(attempt as Attempt<LlmDirective>, ports, signal);
    case "tool":
      return toolByPort(attempt as Attempt<ToolDirective>, ports, signal);
    case "read":
    case "write":
      return performStore(attempt as Attempt<ReadDirective | WriteDirective>, ports, signal);
    default:
      throw new Error(`No port for ${JSON.stringify(directive satisfies never)}`);
  }
}

function toolByPort(
  attempt: Attempt<ToolDirective>,
  ports: AttemptPorts,
  signal: LazyAbort,
): Outcome | Promise<Outcome> {
  const { blobs } = ports;
  const outcome = performTool(attempt, ports, signal);
  if (blobs === undefined) return outcome;
  return Promise.resolve(outcome).then((own) => keptOutside(own, blobs));
}
