/**
 * Tools: what a model may call. Three kinds: `execute` has effects, `reduce` is pure and inline,
 * `issue` is inline and issues directives. A reasoner contains its tools, so that they are
 * registered once.
 */

import { ReckonerError } from "../values/errors.js";
import { type JsonObject, toJson } from "../values/json.js";
import { admitsObject } from "./admits-object.js";
import { checkDefinition, partFault } from "./check-shape.js";
import type { ToolReturn } from "./context-update.js";
import type { ToolSchema } from "./directive.js";
import { jsonSchemaFault } from "./json-schema-fault.js";
import type { ProviderOptions } from "./message.js";
import { type InferOutput, jsonSchemaOf, type Schema } from "./schema.js";
import {
  ANYTHING,
  defined,
  either,
  FLAG,
  FUNCTION,
  OBJECT,
  oneOf,
  optionsOf,
  PURE,
  SCHEMA,
  type Shape,
  type Shapes,
  TEXT,
  TEXTS,
  TIMEOUT,
  whole,
} from "./shapes.js";
import { takesServices } from "./takes-services.js";
import type {
  ChildReasoner,
  RunContext,
  ToolContext,
  ToolFailure,
  ToolRequest,
  ToolSettlement,
} from "./tool-context.js";
import { checkToolName, forProvider } from "./tool-name.js";

/** Default of a tool's `timeoutMs`: milliseconds of one attempt. */
export const DEFAULT_TOOL_TIMEOUT = 30_000;

/** After a call with an unknown outcome: begin no calls of later waves (`stop`), or begin them. */
export type OnUnknown = "stop" | "continue";

/** True, or a pure function of the arguments: the calls that a person has to approve. */
export type ApprovalRule<Input, Deps = JsonObject> =
  | boolean
  | ((input: Input, context: RunContext<Deps>) => boolean);

/** The calls that a person has to approve, and whether the turn waits until they are decided. */
export type NeedsApproval<Input, Deps = JsonObject> =
  | ApprovalRule<Input, Deps>
  | {
      /** Default true: each call. */
      readonly when?: ApprovalRule<Input, Deps> | undefined;
      /**
       * Default true. With false the model reads that a person was asked, and the turn goes on. The call
       * begins when it is approved; its outcome is a message of its own, days later too.
       */
      readonly blocks?: boolean | undefined;
    };

/** Options of every tool. */
export interface ToolOptions<S extends Schema, ApprovalDeps = JsonObject> {
  /** Letters, digits, `_` and `-`; up to 64. */
  readonly name: string;
  readonly description?: string | undefined;
  /** Any Standard Schema with synchronous validation; without one the tool takes no arguments. */
  readonly inputSchema?: S | undefined;
  /**
   * JSON Schema for the model, where `inputSchema` cannot describe itself. Alone it describes and
   * checks nothing but that the arguments are an object: `jsonSchema(…)` of `reckoner/json-schema`, as
   * `inputSchema`, does both.
   */
  readonly jsonSchema?: JsonObject | undefined;
  /** The provider enforces the schema on the model, if it can. Default: the provider's. */
  readonly strict?: boolean | undefined;
  /** The model is told of the tool only when it searches for it, where the provider can. */
  readonly deferLoading?: boolean | undefined;
  /** For the provider, with the tool's description: `{ anthropic: { cacheControl: … } }`. */
  readonly providerOptions?: ProviderOptions | undefined;
  /** The tool is one that the provider defines and that is carried out here: a shell, a computer. */
  readonly provider?: { readonly id: string; readonly args?: JsonObject | undefined } | undefined;
  /** Running it twice has the same effect as running it once. Default false. */
  readonly idempotent?: boolean | undefined;
  /** Further attempts after a failure. Default 1 where idempotent, else 0. */
  readonly retries?: number | undefined;
  /** Milliseconds one attempt may take. Default 30 000. */
  readonly timeoutMs?: number | undefined;
  /**
   * A person has to approve each call, or those for which a pure function says so. Default false.
   * `{ when, blocks: false }` lets the turn go on meanwhile.
   */
  readonly needsApproval?: NeedsApproval<InferOutput<S>, ApprovalDeps> | undefined;
  /** Runs alone: after all earlier calls of its batch, before all later ones. */
  readonly sequential?: boolean | undefined;
  /** A call that succeeds ends the run, with its result as the output. */
  readonly final?: boolean | undefined;
  /**
   * True when calls of later waves are begun although this tool's call has an unknown outcome. Default:
   * the agent's `onUnknown`.
   */
  readonly onUnknown?: OnUnknown | undefined;
  /** Writes a failure for the model. Pure. */
  readonly formatError?: ((failure: ToolFailure) => string) | undefined;
  /** Reasoners that the tool's `run` requests name. */
  readonly children?: { readonly [name: string]: ChildReasoner } | undefined;
}

/** The result of a pure tool, with or without a context update. */
export type Returned<Output> = Output | ToolReturn<Output>;

/** Of a pure function whose answer is a promise it asks for what cannot be: `execute` alone may be async. */
type AtOnce<Output> = 0 extends 1 & Output
  ? unknown
  : [Extract<Output, PromiseLike<unknown>>] extends [never]
    ? unknown
    : { readonly execute: "reduce and settle answer at once, without async" };

// A tool is of one kind: each says that it is none of the others.
interface Execute<Input, Output, Deps, Services> {
  readonly reduce?: undefined;
  readonly issue?: undefined;
  readonly ask?: undefined;
  /**
   * The names of the services that it needs: a run that lacks one is refused before it begins. `[]`: it can do
   * without any, and reads `undefined` where there are none. Default: it needs some if it takes any apart or uses
   * one, and a run that was given none is refused or rejects.
   */
  readonly services?: readonly (keyof Services & string)[] | undefined;
  /** An effect. An error is retried, then told to the model. */
  execute(
    input: Input,
    context: ToolContext<Deps, Services>,
  ): Returned<Output> | Promise<Returned<Output>>;
}
interface Reduce<Input, Output, Deps> {
  readonly execute?: undefined;
  readonly issue?: undefined;
  readonly ask?: undefined;
  /** Pure: a result and context updates from the run's context and the input. */
  reduce(input: Input, context: RunContext<Deps>): Returned<Output>;
}
interface Ask<Output> {
  readonly execute?: undefined;
  readonly reduce?: undefined;
  readonly issue?: undefined;
  /** A person gives the result: a value of this schema, validated before it is taken. */
  readonly ask: Schema<Output>;
}
interface Issue<Input, Output, Deps> {
  readonly execute?: undefined;
  readonly reduce?: undefined;
  readonly ask?: undefined;
  /** Pure: what to read, write or run. */
  issue(input: Input, context: RunContext<Deps>): readonly ToolRequest[];
  /** Pure: the result, from what settled the requests. */
  settle(
    input: Input,
    context: RunContext<Deps>,
    settlements: readonly ToolSettlement[],
  ): Returned<Output>;
}

/** A tool as a reasoner carries it. Made with {@link tool}. `Services` are those that it needs. */
export interface Tool<Services = never> {
  /** `provider`: the provider carries it out. */
  readonly kind: "execute" | "reduce" | "issue" | "ask" | "provider";
  readonly name: string;
  readonly schema: ToolSchema;
  /** True for a tool of this package, whose name stands for its texts and its schema. */
  readonly builtIn?: boolean;
  readonly inputSchema: Schema | undefined;
  readonly idempotent: boolean;
  readonly retries: number;
  readonly timeoutMs: number;
  /** True when a person has to approve a call, or a pure function that says so. */
  readonly needsApproval: ApprovalRule<never>;
  /** False when the turn goes on while a person has not decided. */
  readonly approvalBlocks: boolean;
  readonly sequential: boolean;
  readonly final: boolean;
  readonly onUnknown: OnUnknown | undefined;
  /** Writes a failure for the model; undefined: as its message. */
  readonly formatError: ((failure: ToolFailure) => string) | undefined;
  readonly children: { readonly [name: string]: ChildReasoner };
  /** The names of the services that it needs; `true`: it names none, and takes some apart. */
  readonly services?: readonly string[] | true;
  /** The effect, of an `execute` tool. */
  readonly execute?: (input: never, context: ToolContext<JsonObject, Services>) => unknown;
  /** The pure function, of a `reduce` tool. */
  readonly reduce?: (input: never, context: RunContext) => unknown;
  /** Returns the requests of an `issue` tool. */
  readonly issue?: (input: never, context: RunContext) => readonly ToolRequest[];
  /** The schema of what a person gives, of an `ask` tool. */
  readonly ask?: Schema;
  /** Makes the result of an `issue` tool of the answers. */
  readonly settle?: (
    input: never,
    context: RunContext,
    settlements: readonly ToolSettlement[],
  ) => unknown;
}

/** The types of a tool's calls. Never there: they are for the compiler. */
export interface CallTypes<Name extends string = string, Input = unknown, Output = unknown> {
  readonly calls?:
    | { readonly name: Name; readonly input: Input; readonly output: Output }
    | undefined;
}

/** The tools of a reasoner, by name. */
export type ToolRegistry = { readonly [name: string]: Tool };

/** A Standard Schema that takes no arguments. */
type NoInput = Schema<JsonObject>;

/**
 * Defines a tool of one of the three kinds.
 * @throws ReckonerError `tool.invalid`
 */
export function tool<
  S extends Schema = NoInput,
  Output = unknown,
  Deps = JsonObject,
  Services = unknown,
  ApprovalDeps = JsonObject,
  Name extends string = string,
>(
  definition: ToolOptions<S, ApprovalDeps> & { readonly name: Name } & (
      | Execute<InferOutput<S>, Output, Deps, Services>
      | Reduce<InferOutput<S>, Output, Deps>
      | Issue<InferOutput<S>, Output, Deps>
      | Ask<Output>
    ) &
    AtOnce<Output>,
): Tool<Services> & CallTypes<Name, InferOutput<S>, Output> {
  checkDefinition("tool.invalid", "tool", definition);
  const { name, inputSchema } = definition;
  const what = `Tool ${JSON.stringify(name)}`;
  const invalid = (problem: string) => new ReckonerError("tool.invalid", `${what} ${problem}.`);
  checkToolName(name);
  const fault = partFault(definition, parts);
  if (fault !== undefined) throw invalid(`cannot be: ${fault}`);
  const kinds = (["execute", "reduce", "issue", "ask"] as const).filter(
    (kind) => definition[kind] !== undefined,
  );
  const kind = kinds[0];
  if (kind === undefined || kinds.length > 1) {
    throw invalid("needs exactly one of execute, reduce, issue or ask");
  }
  if (definition.issue !== undefined && definition.settle === undefined) {
    throw invalid("issues, so it needs a settle");
  }
  if (kind === "ask" && definition.needsApproval !== undefined) {
    throw invalid("asks a person already, so it takes no needsApproval");
  }
  const { when, blocks = true } = approvalOf(definition.needsApproval);
  if (!blocks && definition.final === true) {
    throw invalid("is final, so its approval blocks: the run ends with its result");
  }
  // The schema that a person is shown has to be there before one is asked.
  if (definition.ask !== undefined) jsonSchemaOf(definition.ask, what);
  const idempotent = definition.idempotent ?? false;
  const retries = definition.retries ?? (idempotent ? 1 : 0);
  const timeoutMs = definition.timeoutMs ?? DEFAULT_TOOL_TIMEOUT;
  const jsonSchema =
    definition.jsonSchema ??
    (inputSchema === undefined
      ? { type: "object", properties: {}, additionalProperties: false }
      : jsonSchemaOf(inputSchema, what));
  const none =
    definition.jsonSchema && jsonSchemaFault(toJson(definition.jsonSchema, "jsonSchema"));
  if (none !== undefined) throw invalid(`cannot be: its jsonSchema is invalid: ${none}`);
  const isText = definition.provider !== undefined && jsonSchema.type === "string";
  if (!isText && !admitsObject(jsonSchema)) {
    const { type } = jsonSchema;
    const what = type === undefined ? "that no object fits" : `of type ${JSON.stringify(type)}`;
    throw invalid(`takes arguments ${what}, and a call's are an object; wrap them in one`);
  }
  return Object.freeze({
    kind,
    name,
    schema: toJson({
      name,
      description: definition.description ?? "",
      inputSchema: jsonSchema,
      ...forProvider(definition),
    }) as ToolSchema,
    inputSchema,
    idempotent,
    retries,
    timeoutMs,
    needsApproval: when as Tool["needsApproval"],
    approvalBlocks: blocks,
    sequential: definition.sequential ?? false,
    final: definition.final ?? false,
    onUnknown: definition.onUnknown,
    formatError: definition.formatError,
    children: definition.children ?? {},
    ...servicesOf(definition),
    ...bound(definition, kind),
  }) as unknown as Tool<Services>;
}

const RULE: Shape = /* @__PURE__ */ either(FLAG, PURE);

const parts: Shapes<
  ToolOptions<Schema> &
    Omit<Issue<unknown, unknown, unknown>, "ask"> &
    Pick<Ask<unknown>, "ask"> &
    Pick<Execute<unknown, unknown, unknown, JsonObject>, "services">
> = {
  name: ANYTHING,
  description: TEXT,
  inputSchema: SCHEMA,
  jsonSchema: OBJECT,
  strict: FLAG,
  deferLoading: FLAG,
  providerOptions: OBJECT,
  provider: ANYTHING,
  idempotent: FLAG,
  retries: /* @__PURE__ */ whole(0),
  timeoutMs: TIMEOUT,
  needsApproval: /* @__PURE__ */ either(
    /* @__PURE__ */ optionsOf({ when: RULE, blocks: FLAG }),
    RULE,
  ),
  sequential: FLAG,
  final: FLAG,
  onUnknown: /* @__PURE__ */ oneOf("stop", "continue"),
  formatError: PURE,
  children: OBJECT,
  services: TEXTS,
  execute: FUNCTION,
  reduce: PURE,
  issue: PURE,
  ask: SCHEMA,
  settle: PURE,
};

/** Returns a definition's rule for approvals with its parts apart. */
function approvalOf<Input, Deps>(
  approval: NeedsApproval<Input, Deps> = false,
): Exclude<NeedsApproval<Input, Deps>, ApprovalRule<Input, Deps>> {
  return typeof approval === "object" ? { when: true, ...defined(approval) } : { when: approval };
}

/** Returns the services of a tool as it names them, or `true` where it takes some apart. */
function servicesOf({
  services,
  execute,
}: {
  readonly services?: readonly string[] | undefined;
  readonly execute?: unknown;
}): Pick<Tool, "services"> {
  if (services !== undefined) return { services: [...services] };
  return takesServices(execute) ? { services: true } : {};
}

function bound(
  definition: object,
  kind: "execute" | "reduce" | "issue" | "ask",
): Partial<Pick<Tool, "execute" | "reduce" | "issue" | "settle" | "ask">> {
  if (kind === "ask") return { ask: (definition as Ask<unknown>).ask };
  const of = (name: string) => {
    const method = (definition as Record<string, unknown>)[name];
    if (typeof method !== "function") {
      throw new ReckonerError("tool.invalid", `A tool's ${name} must be a function.`);
    }
    return method.bind(definition);
  };
  return kind === "issue" ? { issue: of("issue"), settle: of("settle") } : { [kind]: of(kind) };
}

/**
 * Tools by name.
 * @throws ReckonerError `tool.invalid` where two have the same name
 */
export function registry(tools: readonly Tool[]): ToolRegistry {
  const byName: Record<string, Tool> = {};
  for (const each of tools) {
    if (Object.hasOwn(byName, each.name)) {
      throw new ReckonerError("tool.invalid", `Two tools are named ${each.name}; rename one.`);
    }
    byName[each.name] = each;
  }
  return Object.freeze(byName);
}
