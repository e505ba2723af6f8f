/**
 * What a config gets when it imports `reckoner`: the very modules that this process runs on, wherever
 * the config lies. A second copy would have classes and caches of its own.
 */
import * as fileJournal from "../adapters/file-journal/index.js";
import * as reckoner from "../node.js";

/**
 * The package's entries by the names that configs import.
 * @param source of the config: what it does not name need not be loaded
 */
export async function ownModules(source: string): Promise<Record<string, unknown>> {
  const modules: Record<string, unknown> = { reckoner, "reckoner/file-journal": fileJournal };
  if (source.includes("reckoner/ai-sdk")) {
    modules["reckoner/ai-sdk"] = await import("../adapters/ai-sdk/index.js");
  }
  if (source.includes("reckoner/testing")) {
    try {
      modules["reckoner/testing"] = await import("../testing/index.js");
    } catch {
      // It needs fast-check, which is optional: the import fails in the config, with its place.
    }
  }
  return modules;
}
