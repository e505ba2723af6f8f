/** `reckoner run`: starts a run of a config's reasoner. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isAgent } from "../../core/agent/index.js";
import type { Json, JsonObject } from "../../core/kernel/values/index.js";
import { type Run, type RunOptions, run } from "../../runtime/index.js";
import { configOfHint, type LoadedConfig, loadConfig } from "../config/config.js";
import { journalFile } from "../files/journal-files.js";
import { readJsonFlag } from "../files/json-flag.js";
import { about, usageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { type Continuation, printEnd } from "../terminal/print-end.js";
import { driveLive } from "./live.js";

/** Flags of `run`. */
export interface RunFlags {
  readonly prompt?: string;
  readonly input?: string;
  readonly model?: string;
  readonly journal?: string;
  readonly json?: boolean;
}

/** Runs. @returns the exit code */
export async function runCommand(io: Io, configPath: string, flags: RunFlags): Promise<number> {
  if (flags.prompt !== undefined && flags.input !== undefined) {
    throw usageError("--prompt and --input exclude each other; pass one of them.");
  }
  const value = flags.input === undefined ? undefined : readJsonFlag(io, "--input", flags.input);
  const { journal } = flags;
  const config = await loadConfig(io, configPath);
  const input = inputOf(config, flags.prompt, value);
  const end = await driveLive(io, config, flags, (host): Run => {
    const options: RunOptions = {
      ...host,
      config: config.hint,
      ...(journal === undefined ? {} : { journal: journalFile(io, journal) }),
    };
    return run(config.reasoner, input, options);
  }).catch((thrown) => {
    throw journal === undefined ? thrown : about(journal, thrown);
  });
  return printEnd(io, end, continuationOf(io, config, flags), flags.json ?? false);
}

function inputOf(
  config: LoadedConfig,
  prompt: string | undefined,
  value: Json | undefined,
): unknown {
  const { input, reasoner } = config;
  if (value !== undefined) return value;
  if (prompt !== undefined) {
    const more = typeof input === "object" && input !== null && !Array.isArray(input);
    return more ? { ...(input as JsonObject), prompt } : prompt;
  }
  if (input === undefined && isAgent(reasoner)) {
    throw usageError("The agent has nothing to answer; pass --prompt TEXT or --input JSON.");
  }
  return input;
}

/** Returns the words to type to go on: the config only where the journal's hint would be refused. */
function continuationOf(io: Io, config: LoadedConfig, flags: RunFlags): Continuation {
  const { journal, model } = flags;
  return {
    ...(journal !== undefined && existsSync(resolve(io.cwd, journal)) ? { journal } : {}),
    ...(model === undefined ? {} : { model }),
    ...(hintHolds(io, config.hint) ? {} : { config: config.hint }),
  };
}

function hintHolds(io: Io, hint: string): boolean {
  try {
    configOfHint(io, hint);
    return true;
  } catch {
    return false;
  }
}
