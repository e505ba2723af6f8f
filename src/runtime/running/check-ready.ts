/** Looks at the ports of a run before it takes an event: one that lacks something is named at once. */
import { maskCredentials, messageOf, ReckonerError } from "../../core/kernel/index.js";
import { listsOf } from "../effects/models.js";
import type { ModelPort, StorePort } from "../ports.js";
import type { HostOptions } from "./options.js";

/**
 * Asks each model and store if it can be called; of `models([…])` one that can is enough.
 * @throws ReckonerError `port.notReady` with all that is missing; nothing was taken or written
 */
export async function checkReady({
  model,
  stores = {},
}: Pick<HostOptions, "model" | "stores">): Promise<void> {
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

async function whatIsMissing(port: ModelPort | StorePort): Promise<string | undefined> {
  try {
    return (await port.ready?.()) ?? undefined;
  } catch (thrown) {
    return maskCredentials(messageOf(thrown));
  }
}
