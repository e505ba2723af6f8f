/**
 * Runs a recorded run again for the studio's view "Otherwise": what today's code, or another answer, would
 * have made of it. It calls no tool and no store, asks a model only within the tokens that the request
 * allows, and writes nothing.
 */
import { type Json, visibleJson } from "../../core/kernel/values/index.js";
import { headerOf } from "../../runtime/index.js";
import type { Otherwise, OtherwiseAnswer } from "../../studio/live/index.js";
import { shellWord } from "../../studio/model/index.js";
import { redrive } from "../../time-travel/live/index.js";
import { Configs } from "../config/config-of-journal.js";
import { modelOf } from "../run/model.js";
import { usageError } from "../terminal/failure.js";
import type { StudioParts } from "./parts.js";

/** Returns the name of the model that may be asked; absent where no config names one. */
export async function modelNameOf({ io, config, model }: StudioParts): Promise<string | undefined> {
  if (config === undefined) return undefined;
  const { loadConfig } = await import("../config/config.js");
  const loaded = await loadConfig(io, config);
  if (model === undefined && loaded.model === undefined) return undefined;
  const { model: found } = await modelOf(io, loaded, model);
  const name = (found as { readonly name?: unknown } | undefined)?.name;
  return typeof name === "string" ? name : "the config's models";
}

/** @throws ReckonerError `cli.usage` where no config was named; what redriving throws */
export async function otherwise(
  { io, journals, config, model }: StudioParts,
  { journal, set = {}, budget }: Otherwise,
): Promise<OtherwiseAnswer> {
  if (config === undefined) {
    throw usageError(
      "What would be otherwise is told by code; start the studio with --config FILE.",
    );
  }
  const port = journals.open(journal);
  const loaded = await new Configs(io, { config }).for(await headerOf(port));
  const asked = budget === undefined ? undefined : (await modelOf(io, loaded, model)).model;
  if (budget !== undefined && asked === undefined) {
    throw usageError("No model may be asked; start the studio with --model PROVIDER:MODEL.");
  }
  const done = await redrive(loaded.reasoner, port, {
    set,
    ...(asked === undefined || budget === undefined ? {} : { live: { model: asked, budget } }),
  });
  const { record: _record, ...report } = done;
  return { report: report as never, set, command: commandOf(journal, set, config) };
}

/** The command that makes such a run for real. */
function commandOf(journal: string, set: { readonly [id: string]: Json }, config: string): string {
  const sets = Object.entries(set).map(
    ([id, value]) => ` --set ${shellWord(`${id}=${visibleJson(JSON.stringify(value))}`)}`,
  );
  return `reckoner fork ${shellWord(journal)}${sets.join("")} --config ${shellWord(config)}`;
}
