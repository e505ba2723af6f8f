/**
 * Makes a config's imports of `reckoner` resolve to the modules of this process, wherever the
 * config is. A second copy would have its own classes and caches. A new entry point of the package
 * is added here.
 */
import * as reckoner from "../../index.js";

/** The package's other entries. Each is loaded where the config names it. */
const entries: Readonly<Record<string, () => Promise<unknown>>> = {
  "reckoner/kernel": () => import("../../kernel.js"),
  "reckoner/driver": () => import("../../driver.js"),
  "reckoner/thoughts": () => import("../../thoughts.js"),
  "reckoner/decisions": () => import("../../decisions.js"),
  "reckoner/time-travel": () => import("../../time-travel.js"),
  "reckoner/page": () => import("../../page.js"),
  "reckoner/serve": () => import("../../serve.js"),
  "reckoner/trace": () => import("../../trace.js"),
  "reckoner/ai-sdk": () => import("../../adapters/ai-sdk/index.js"),
  "reckoner/file-journal": () => import("../../adapters/file-journal/index.js"),
  "reckoner/json-schema": () => import("../../adapters/json-schema/index.js"),
  "reckoner/decisions/duckdb": () => import("../../decisions/stores/duckdb/index.js"),
  "reckoner/decisions/postgres": () => import("../../decisions/stores/postgres/index.js"),
  "reckoner/sqlite": () => import("../../adapters/sqlite/index.js"),
  "reckoner/postgres": () => import("../../adapters/postgres/index.js"),
  "reckoner/durable-object": () => import("../../engines/durable-object/index.js"),
  "reckoner/restate": () => import("../../engines/restate/index.js"),
  "reckoner/pictures": () => import("../../pictures/index.js"),
  "reckoner/testing": () => import("../../testing.js"),
};

/**
 * The package's entries by the names that configs import.
 * @param source of the config: what it does not name need not be loaded
 */
export async function ownModules(source: string): Promise<Record<string, unknown>> {
  const modules: Record<string, unknown> = { reckoner };
  for (const [name, load] of Object.entries(entries)) {
    if (!source.includes(name)) continue;
    try {
      modules[name] = await load();
    } catch {
      // An optional package that it needs is not there: the import fails in the config, with its place.
    }
  }
  return modules;
}
