/** Resolves the model of a run on the command line: that of `--model`, otherwise the config's. */
import {
  type ConfigModel,
  type HostOptions,
  isModels,
  type ModelPort,
  type Models,
} from "../../runtime/index.js";
import type { LoadedConfig } from "../config/config.js";
import type { Io } from "../terminal/io.js";

/**
 * Resolves the model. Packages of the AI SDK are loaded only where one is named.
 * @throws ReckonerError `cli.model`, one line that says what to install
 */
export async function modelOf(
  io: Io,
  config: LoadedConfig,
  flag: string | undefined,
): Promise<Pick<HostOptions, "model">> {
  const { model } = config;
  if (flag !== undefined) return { model: await resolved(io, flag) };
  if (model === undefined) return {};
  if (isOneModel(model)) return { model: await resolved(io, model) };
  const named: Record<string, ModelPort | Models> = {};
  for (const [name, each] of Object.entries(model)) named[name] = await resolved(io, each);
  return { model: named };
}

function isOneModel(model: NonNullable<LoadedConfig["model"]>): model is ConfigModel {
  if (typeof model === "string" || isModels(model)) return true;
  return typeof model.generate === "function";
}

async function resolved(io: Io, model: ConfigModel): Promise<ModelPort | Models> {
  if (typeof model !== "string") return model;
  const { resolveModel } = await import("../../adapters/ai-sdk/index.js");
  // Streamed where somebody watches.
  return resolveModel(model, { cwd: io.cwd, stream: io.stderr.isTTY === true });
}
