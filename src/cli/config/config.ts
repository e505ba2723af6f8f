/**
 * Loads a config: a TypeScript or JavaScript module whose default export is a reasoner, or an
 * object with one. It must not know what the command does with it.
 */
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { createJiti } from "jiti";
import type { Reasoner } from "../../core/kernel/machine/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import { messageOf, ReckonerError, shownBriefly } from "../../core/kernel/values/index.js";
import { checkRunOptions, isModels, type RunConfig } from "../../runtime/index.js";
import { about, describe, oneLine } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { forgetChanged, noteLoaded } from "./loaded-files.js";
import { ownModules } from "./own-modules.js";
import { isOwnCode } from "./package.js";

/** Milliseconds that a config may take to load. */
const LOAD_TIMEOUT_MS = 30_000;
/** The worker thread reports errors itself. */
const GRACE_MS = 1_000;
const LATE = `it did not end loading within ${LOAD_TIMEOUT_MS / 1_000} s`;

/** A loaded config. */
export interface LoadedConfig extends RunConfig {
  /** Absolute. */
  readonly path: string;
  /** As it goes into a journal's header: relative to the working folder, with slashes. */
  readonly hint: string;
}

/**
 * Loads the config at a path that the caller named.
 * @throws ReckonerError `config.invalid`, one line that says what is wrong and where
 */
export async function loadConfig(io: Io, path: string): Promise<LoadedConfig> {
  const absolute = resolve(io.cwd, path);
  if (!existsSync(absolute)) throw invalid(path, "does not exist");
  if (!statSync(absolute).isFile()) throw invalid(path, "is not a file");
  const hint = relative(io.cwd, absolute).split(sep).join("/");
  const config = await guarded(io, path, () => importConfig(absolute, path));
  return { ...config, path: absolute, hint };
}

/**
 * The path of the config that a journal names, if it lies inside the working folder: a journal may
 * come from anywhere, and its hint must not start code that the caller has not put there.
 * @throws ReckonerError `config.outside`
 */
export function configOfHint(io: Io, hint: string): string {
  const named = `The journal names the config ${JSON.stringify(hint)}`;
  const outside = (what: string) =>
    new ReckonerError("config.outside", `${named}, ${what}; pass --config FILE.`, { place: hint });
  let real: string;
  try {
    real = realpathSync(resolve(io.cwd, hint));
  } catch {
    throw outside("which is not there");
  }
  const way = relative(realpathSync(io.cwd), real);
  if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) {
    throw outside("which lies outside the working folder and is not loaded unasked");
  }
  if (real.split(sep).includes("node_modules")) {
    throw outside("which lies in node_modules and is not loaded unasked");
  }
  return real;
}

async function importConfig(absolute: string, path: string): Promise<RunConfig> {
  // No cache on the disk: a temporary folder that others can write must not hold code that we run.
  const virtualModules = await ownModules(textOf(absolute, path));
  const jiti = createJiti(absolute, { fsCache: false, virtualModules });
  forgetChanged(jiti.cache);
  let exports: { readonly default?: unknown };
  try {
    exports = await withinTime(jiti.import(absolute));
  } catch (thrown) {
    throw invalid(path, `cannot be loaded: ${oneLine(reasonOf(thrown))}`, thrown);
  } finally {
    noteLoaded(jiti.cache);
  }
  const config = exports.default;
  if (isReasoner(config)) return { reasoner: config };
  const { reasoner } = (config ?? {}) as Partial<RunConfig>;
  if (typeof config === "object" && isReasoner(reasoner)) {
    checkedParts(path, config as RunConfig);
    checkedCheck(path, config as RunConfig);
    checkedModel(path, config as RunConfig);
    checkedOptions(path, config as RunConfig);
    return config as RunConfig;
  }
  throw invalid(
    path,
    "exports no reasoner; make its default export a reasoner, such as agent({ … }), or { reasoner, model, … }",
  );
}

function textOf(absolute: string, path: string): string {
  try {
    return readFileSync(absolute, "utf8");
  } catch (thrown) {
    throw invalid(path, `cannot be read: ${messageOf(thrown)}`, thrown);
  }
}

const PARTS: { readonly [Part in keyof RunConfig]-?: true } = {
  reasoner: true,
  model: true,
  services: true,
  input: true,
  score: true,
  check: true,
  options: true,
};

/** A hook that stands beside `options` would never be asked: what it is to hide would be written. */
function checkedParts(path: string, config: RunConfig): void {
  const other = Object.keys(config).find((part) => !Object.hasOwn(PARTS, part));
  if (other === undefined) return;
  const parts = Object.keys(PARTS).join(", ");
  throw invalid(
    path,
    `has an unknown part ${other}; ${parts} are, and options has what a run is told`,
  );
}

/** Of anything else no law of the user's would be tried, and nobody would hear of it. */
function checkedCheck(path: string, { check }: RunConfig): void {
  if (check === undefined) return;
  if (check !== null && Object.getPrototypeOf(check) === Object.prototype) return;
  throw invalid(path, `has a check that is ${shownBriefly(check)}; give an object of its options`);
}

/** Otherwise the error would only show at the first model call, and mislead. */
function checkedModel(path: string, { model }: RunConfig): void {
  if (model === undefined || isModel(model)) return;
  const isNamed = shapes.OBJECT[0](model) && Object.keys(model).length > 0 && !isOfSdk(model);
  const wrong = isNamed ? Object.entries(model).find(([, each]) => !isModel(each)) : ["", model];
  if (wrong === undefined) return;
  const [name, value] = wrong;
  const which = isNamed ? ` ${JSON.stringify(name)}` : "";
  const hint = isOfSdk(value) ? "; wrap a model of the AI SDK: aiSdk(model)" : "";
  throw invalid(
    path,
    `has an invalid model${which}; give a model port, with generate(), or "openai:gpt-4o-mini", or several of these by name${hint}`,
  );
}

const isOfSdk = shapes.hasMethods("doGenerate");

function isModel(value: unknown): boolean {
  if (typeof value === "string") return value !== "";
  return shapes.hasMethods("generate")(value) || isModels(value);
}

/** @throws ReckonerError `option.invalid` where what it gives to each run cannot be given to one */
function checkedOptions(path: string, { options = {} }: RunConfig): void {
  try {
    checkRunOptions(options);
  } catch (thrown) {
    throw about(path, thrown);
  }
}

/** A loop that never ends leaves no timer a turn: then another thread ends the process. */
async function guarded<T>(io: Io, path: string, load: () => Promise<T>): Promise<T> {
  const why = invalid(path, `cannot be loaded: ${LATE}; code at its top level may never end`);
  const loaded = io.startWatchdog(`reckoner: ${describe(why)}\n`, LOAD_TIMEOUT_MS + GRACE_MS);
  try {
    return await load();
  } finally {
    loaded();
  }
}

/** A config that never ends loading waits for something that will not come. */
async function withinTime<T>(loading: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`${LATE}; an await at its top level may wait for what never comes`));
    }, LOAD_TIMEOUT_MS);
  });
  try {
    return await Promise.race([loading, late]);
  } finally {
    clearTimeout(timer);
  }
}

function isReasoner(value: unknown): value is Reasoner {
  if (typeof value !== "object" || value === null) return false;
  const { id, version, start, step } = value as Partial<Reasoner>;
  return (
    typeof id === "string" &&
    typeof version === "number" &&
    typeof start === "function" &&
    typeof step === "function"
  );
}

/** A frame of a stack: a file of the user's, its line and column. */
const FRAME = /\(?((?:file:\/\/|\/|[A-Za-z]:[\\/])[^()\n]*?):(\d+):(\d+)\)?$/;

/** Returns the reason why a config did not load, and the place: syntax errors name it themselves. */
function reasonOf(thrown: unknown): string {
  const message = messageOf(thrown).replace(/\nRequire stack:[\s\S]*$/, "");
  if (!(thrown instanceof Error) || /:\d+:\d+\)?\s*$/.test(message)) return message;
  for (const line of (thrown.stack ?? "").split("\n")) {
    const [, file, row, column] = FRAME.exec(line.trim()) ?? [];
    if (file === undefined || /[( ]node:/.test(line)) continue;
    const place = file.startsWith("file:") ? fileURLToPath(file) : file;
    if (/[\\/]node_modules[\\/]/.test(place) || isOwnCode(place)) continue;
    return `${message} (at ${place}:${row}:${column})`;
  }
  return message;
}

function invalid(path: string, what: string, cause?: unknown): ReckonerError {
  return new ReckonerError("config.invalid", `The config ${path} ${what}.`, {
    place: path,
    ...(cause === undefined ? {} : { cause }),
  });
}
