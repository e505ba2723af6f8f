/**
 * Checks before a run takes an event that its models, stores and services can be called, and throws an error
 * that names what is missing.
 */

import type { Reasoner } from "../../core/kernel/machine/index.js";
import { messageOf, ReckonerError } from "../../core/kernel/values/index.js";
import { maskCredentials } from "../../core/kernel/vocabulary/index.js";
import { listsOf } from "../ports/models.js";
import type { HostOptions } from "../ports/options.js";
import type { ModelPort, StorePort } from "../ports/ports.js";
import { missingServices } from "../ports/services.js";

/**
 * Asks each model and store if it can be called; of `models([…])` one that can is enough.
 * @throws ReckonerError `port.notReady` with all that is missing, `services.missing` where a tool needs a service
 * that was not given; nothing was taken or written
 */
export async function checkReady(
  reasoner: Pick<Reasoner, "tools" | "children">,
  { model, stores = {}, services }: Pick<HostOptions, "model" | "stores" | "services">,
): Promise<void> {
  checkServices(reasoner, services);
  const missing: string[] = [];
  for (const ports of [...listsOf(model), ...Object.values(stores).map((store) => [store])]) {
    const faults: string[] = [];
    for (const port of ports) {
      const what = port.ready === undefined ? undefined : await whatIsMissing(port);
      if (what === undefined) break;
      faults.push(`${port.name} is not ready: ${what.replace(/\.$/, "")}.`);
    }
    // Of several models one is enough.
    if (faults.length === ports.length) missing.push(...faults);
  }
  if (missing.length === 0) return;
  throw new ReckonerError(
    "port.notReady",
    `${missing.join(" ")} Nothing was taken or written; call again when it is there.`,
  );
}

/** Looks for the services of all tools, those of children included. */
function checkServices(root: Pick<Reasoner, "tools" | "children">, services: unknown): void {
  const seen = new Set([root]);
  for (const { tools = {}, children = {} } of seen) {
    for (const each of Object.values(children)) seen.add(each);
    for (const { name, services: needed = [] } of Object.values(tools)) {
      const lacks = needed === true ? [] : needed.filter((each) => !isThere(services, each));
      if (lacks.length > 0 || (needed === true && services == null)) {
        throw missingServices(name, lacks);
      }
    }
  }
}

/** A container that throws for what it does not hold does not have it. */
function isThere(services: unknown, name: string): boolean {
  try {
    return (services as Readonly<Record<string, unknown>>)[name] != null;
  } catch {
    return false;
  }
}

async function whatIsMissing(port: ModelPort | StorePort): Promise<string | undefined> {
  try {
    return (await port.ready?.()) ?? undefined;
  } catch (thrown) {
    return maskCredentials(messageOf(thrown));
  }
}
