/** Resolves a model by its name on the command line: `openai:gpt-4o-mini`. */
import { ReckonerError } from "../../core/kernel/values/index.js";
import type { ModelPort } from "../../runtime/index.js";
import type { AiInternal } from "./fetch-files.js";
import { type Exports, firstLine, loadPackage } from "./load-package.js";
import { type Loader, modelPort } from "./model-port.js";
import type { AiSdkOptions } from "./options.js";
import type { LanguageModelObject } from "./specification.js";

/** Options of {@link resolveModel}. */
export interface ResolveModelOptions extends Pick<AiSdkOptions, "stream"> {
  /** The folder in which the user has installed packages. Default: the process's. */
  readonly cwd?: string | undefined;
}

type Make = (model: string) => LanguageModelObject;
type Provider = Make & { readonly [variant: string]: Make | undefined };

/** provider, perhaps one of its APIs, and a model id, which may have colons of its own. */
const SPEC = /^([a-z][a-z0-9-]*)(?:\.(\w+))?:(.+)$/;

/**
 * The model port for PROVIDER:MODEL, through the `@ai-sdk/PROVIDER` package that the user has
 * installed, of any major that is known: `openai:gpt-4o-mini`, `amazon-bedrock:anthropic.claude-3-haiku-20240307-v1:0`.
 * PROVIDER.API:MODEL takes one of the provider's APIs: `openai.chat:gpt-4o`. The provider reads its
 * key from its usual variable of the environment, when it is asked.
 * @throws ReckonerError `cli.model`, one line that says what is wrong or what to install
 */
export function resolveModel(spec: string, options: ResolveModelOptions = {}): Promise<ModelPort> {
  return resolveWith(loadPackage, spec, options);
}

/** {@link resolveModel} with another way to find packages. @internal */
export async function resolveWith(
  load: typeof loadPackage,
  spec: string,
  options: ResolveModelOptions,
): Promise<ModelPort> {
  const [, provider, variant, model] = SPEC.exec(spec) ?? [];
  if (provider === undefined || model === undefined) {
    throw unresolved(
      `The model ${JSON.stringify(spec)} is not PROVIDER:MODEL; write openai:gpt-4o-mini, for example.`,
    );
  }
  const packageName = `@ai-sdk/${provider}`;
  const { cwd, ...own } = options;
  const found = await load(packageName, cwd).catch((error: unknown) => {
    throw unresolved(`The package ${packageName} cannot be loaded: ${firstLine(error)}`, error);
  });
  if (found === undefined) {
    throw unresolved(
      `The model ${spec} needs the package ${packageName}; install it: npm install ${packageName}`,
    );
  }
  const make = factory(spec, providerOf(found, provider, packageName), variant);
  try {
    return modelPort(make(model), { ...own, name: spec }, loaderOf(load, cwd));
  } catch (error) {
    throw unresolved(`The model ${spec} cannot be made: ${firstLine(error)}`, error);
  }
}

/** A package's ready-made provider: `openai`, `amazonBedrock`, or `bedrock` of amazon-bedrock. */
function providerOf(exports: Exports, name: string, packageName: string): Provider {
  const candidates = [name, name.slice(name.lastIndexOf("-") + 1)].map(camelCase);
  for (const candidate of candidates) {
    if (typeof exports[candidate] === "function") return exports[candidate] as Provider;
  }
  const functions = Object.keys(exports).filter((each) => typeof exports[each] === "function");
  throw unresolved(
    `The package ${packageName} exports no provider named ${candidates[0]}, only ${functions.join(", ") || "nothing"}; make the model in a config.`,
  );
}

function factory(spec: string, provider: Provider, variant: string | undefined) {
  if (variant === undefined) return provider;
  const make = Object.hasOwn(provider, variant) ? provider[variant] : undefined;
  if (typeof make === "function") return make.bind(provider);
  throw unresolved(
    `The model ${spec} asks for ${variant}, which its provider does not have; leave .${variant} out.`,
  );
}

/** The user's own copy of `ai`, loaded where it is needed. */
function loaderOf(load: typeof loadPackage, cwd: string | undefined): Loader {
  const get = async (name: string) => {
    const found = await load(name, cwd);
    if (found !== undefined) return found;
    throw unresolved("A file behind a URL needs the package ai; install it: npm install ai");
  };
  return {
    internal: async () => (await get("ai/internal")) as unknown as AiInternal,
    ai: async () => (await get("ai")) as never,
  };
}

function camelCase(name: string): string {
  return name.replace(/-+(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function unresolved(message: string, cause?: unknown): ReckonerError {
  return new ReckonerError("cli.model", message, cause === undefined ? {} : { cause });
}
