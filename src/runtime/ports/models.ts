/**
 * `models`: a list of model ports, asked one after the other when one fails. Also finds the port that the option
 * `model` of a run means for a call.
 */
import { chosenName, type DriverOptions } from "../../core/driver/for-live-runs.js";
import { ReckonerError } from "../../core/kernel/values/index.js";
import type { LlmDirective } from "../../core/kernel/vocabulary/index.js";
import type { ModelPort } from "./ports.js";

/** Several models: a call asks the first, and where that gives no answer the next. */
export interface Models {
  readonly models: readonly ModelPort[];
}

/** The option `model`: one, several in order, or either by the names that directives use. */
export type ModelOption = ModelPort | Models | { readonly [name: string]: ModelPort | Models };

/**
 * Has a call ask several models, in order, until one answers. Each try is an attempt of the run: it names its
 * model in the journal, and is charged at its price. After the last model the call is repeated from the first, as
 * often as calls are repeated, where one of them may answer later.
 * @param ports one or more, each with a name of its own
 * @throws ReckonerError `option.invalid`
 */
export function models(ports: readonly ModelPort[]): Models {
  const invalid = (what: string) => new ReckonerError("option.invalid", `models() ${what}.`);
  if (!Array.isArray(ports) || ports.length === 0) {
    throw invalid("needs a list of one or more model ports");
  }
  const names = new Set<unknown>();
  for (const port of ports) {
    if (typeof port?.generate !== "function") {
      throw invalid("takes model ports alone, each with generate()");
    }
    const { name } = port;
    if (typeof name !== "string" || name === "" || name.length > MAX_NAME_LENGTH) {
      throw invalid(`needs a name for each port, of 1 to ${MAX_NAME_LENGTH} characters`);
    }
    if (names.has(name)) {
      throw invalid(
        `has two ports named ${name}; give one of them another name: { ...port, name }`,
      );
    }
    names.add(name);
  }
  return Object.freeze({ models: Object.freeze([...ports]) });
}

/** Characters of a port's name that a journal keeps. */
export const MAX_NAME_LENGTH = 256;

/** Returns true for what {@link models} has made. */
export function isModels(value: unknown): value is Models {
  return Array.isArray((value as Partial<Models> | null | undefined)?.models);
}

const isPort = (option: ModelOption): option is ModelPort =>
  typeof (option as Partial<ModelPort>).generate === "function";

/** The models of an option by name, where it has names. */
function byName(
  option: ModelOption | undefined,
): { readonly [name: string]: ModelPort | Models } | undefined {
  if (option === undefined || isPort(option) || isModels(option)) return undefined;
  return option;
}

/** The lists of ports that calls may ask. */
export function listsOf(option: ModelOption | undefined): readonly (readonly ModelPort[])[] {
  if (option === undefined) return [];
  const named = byName(option);
  const all = named === undefined ? [option as ModelPort | Models] : Object.values(named);
  return all.map((each) => (isModels(each) ? each.models : [each]));
}

const namesOf = ({ models: ports }: Models) => ports.map(({ name }) => name);

/** The names of models as a driver has them; `undefined` where no call may ask several. */
export function modelNames(option: ModelOption | undefined): DriverOptions["models"] {
  if (option === undefined) return undefined;
  if (isModels(option)) return namesOf(option);
  const lists = Object.entries(byName(option) ?? {});
  if (!lists.some(([, each]) => isModels(each))) return undefined;
  return Object.fromEntries(
    lists.map(([name, each]) => [name, isModels(each) ? namesOf(each) : []]),
  );
}

/**
 * The model of a call; `undefined` where the run was not given it.
 * @param name of the one to ask, where there may be several
 */
export function modelFor(
  directive: LlmDirective,
  option: ModelOption | undefined,
  name?: string,
): ModelPort | undefined {
  if (option === undefined) return undefined;
  const named = byName(option);
  let entry = option as ModelPort | Models | undefined;
  if (named !== undefined) {
    const chosen = chosenName(directive, Object.keys(named));
    entry = Object.hasOwn(named, chosen) ? named[chosen] : undefined;
  }
  if (entry === undefined || !isModels(entry)) return entry;
  return entry.models.find((port) => port.name === name) ?? entry.models[0];
}
