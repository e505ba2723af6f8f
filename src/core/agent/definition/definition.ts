/**
 * The definition of an agent: its options, and the check of each. Their defaults are in `spec.ts`.
 */

import type { Migrations } from "../../kernel/machine/index.js";
import * as shapes from "../../kernel/shapes.js";
import type { JsonObject } from "../../kernel/values/index.js";
import {
  isSecretKey,
  type LlmSettings,
  type OnUnknown,
  PRICES,
  type Prices,
  partFault,
  type Schema,
  type Tool,
  type ToolChoice,
} from "../../kernel/vocabulary/index.js";
import type { Behaviour, OutputSpec, Plugin, SpendingLimit, StopWhen } from "./spec.js";

/** The options of a conversation. */
export interface ConversationOptions {
  /** The number of waiting messages that a turn takes: one, or all. Default `all`. */
  readonly queue?: "each" | "all" | undefined;
}

/** The definition of an agent. */
export interface AgentDefinition<
  Deps extends object = JsonObject,
  S extends Schema | undefined = undefined,
  Tools extends readonly Tool[] = readonly Tool[],
> {
  /** Its identity: a journal is of one agent, and is refused by one of another name. */
  readonly name: string;
  /**
   * A whole number of your own; raise it when your code changes the meaning of recorded events.
   * Default 1.
   */
  readonly version?: number | undefined;
  /**
   * Migrations of the context (new `deps`, for example), by the version that each leads to. For
   * `resume` with `upgrade`.
   */
  readonly migrations?: Migrations | undefined;
  /**
   * The system text, or a pure function of the run's `deps`. It is read at the run's first request and
   * stays; what the function says otherwise in a later turn is a message before the user's.
   */
  readonly system?: string | ((deps: Deps) => string) | undefined;
  readonly tools?: Tools | undefined;
  /** Name of the model port to ask, where the host has several. */
  readonly model?: string | undefined;
  readonly settings?: LlmSettings | undefined;
  readonly toolChoice?: ToolChoice | undefined;
  /** The number of times that the model may be asked in one turn. Default 10. */
  readonly maxIterations?: number | undefined;
  /** Tokens the run may spend, or `{ perTurn, total }`; checked before each request. */
  readonly tokenBudget?: SpendingLimit | undefined;
  /**
   * Money the run may spend (or `{ perTurn, total }`), its child runs included, in US dollars: five cents
   * are 0.05. The most that a request may cost is set aside before it is sent. It needs `prices`
   * and `settings.maxOutputTokens`.
   */
  readonly costBudget?: SpendingLimit | undefined;
  /** Prices of models, by name or prefix; `usage.cost` then adds up what was spent. */
  readonly prices?: Prices | undefined;
  /** Milliseconds one turn may take. */
  readonly deadlineMs?: number | undefined;
  /** At a limit: fail, or ask the model once more, without tools, for its best answer. */
  readonly onLimit?: "error" | "answer" | undefined;
  /**
   * The number of times in one turn that the model is asked again for an answer that is empty, cut off at
   * the limit of its length, stopped by a filter, or faulty. Default 2.
   */
  readonly answerRetries?: number | undefined;
  /**
   * Some providers check the model's tool calls and refuse the answer whole (`llm.rejectedCall`):
   * fail, or tell the model what was wrong and ask again, which counts as an iteration. Default: fail.
   */
  readonly onRejectedCall?: "error" | "tell" | undefined;
  /** Tools run one after the other, in call order. Default: side by side. */
  readonly sequential?: boolean | undefined;
  /**
   * After a call whose outcome is unknown (interrupted by a crash, for example): `stop` begins none
   * of the calls in later waves, so that the model reads it first; `continue` begins them. Default
   * `stop`.
   */
  readonly onUnknown?: OnUnknown | undefined;
  /** The run's own data; the input may replace it. */
  readonly deps?: Deps | undefined;
  /** The keys of `deps` that the row of a run shows, as of its start and the end of each turn. */
  readonly publicDeps?: readonly (string & keyof Deps)[] | undefined;
  /**
   * The functions by which the loop builds messages, processes answers and extracts the output. Default:
   * `basicBehaviour`.
   */
  readonly behaviour?: Behaviour | undefined;
  /** In the order in which they run. */
  readonly plugins?: readonly Plugin[] | undefined;
  /** The schema of the output; its type is the output's type. */
  readonly output?: (S extends Schema ? OutputSpec<S> : undefined) | undefined;
  /**
   * Ends the turn after the calls of an answer, where it returns true: they have their results, and the
   * model is not asked about them. The output is the text of that answer.
   */
  readonly stopWhen?: StopWhen | undefined;
  /**
   * After an answer the run waits for the next message. Of the messages that wait a turn takes all, or
   * with `queue: "each"` one: the others have turns of their own.
   */
  readonly conversation?: boolean | ConversationOptions | undefined;
}

const TOOLS: shapes.Shape = [
  (value) => Array.isArray(value) && value.every(shapes.hasParts("name", "kind")),
  "an array of tools, each one that tool() has made",
];
const TOOL_CHOICE: shapes.Shape = [
  (value) =>
    ["auto", "none", "required"].includes(value as string) || shapes.hasParts("tool")(value),
  '"auto", "none", "required" or { tool: its name }',
];

/** A budget: of the run, or of a turn and of the run. */
function spending(amount: shapes.Shape): shapes.Shape {
  return shapes.either(amount, shapes.optionsOf({ perTurn: amount, total: amount }));
}

const OUTPUT: shapes.Shapes<OutputSpec> = {
  schema: shapes.SCHEMA,
  via: /* @__PURE__ */ shapes.oneOf("json", "tool"),
  name: shapes.TEXT,
  description: shapes.TEXT,
  jsonSchema: shapes.OBJECT,
  retries: /* @__PURE__ */ shapes.whole(0),
};

const BEHAVIOUR: shapes.Shapes<Behaviour> = {
  name: shapes.TEXT,
  tools: TOOLS,
  buildMessages: shapes.PURE,
  processResponse: shapes.PURE,
  extractOutput: shapes.PURE,
  getTools: shapes.PURE,
  initContext: shapes.PURE,
  beforeRequest: shapes.PURE,
  afterTool: shapes.PURE,
  handleError: shapes.PURE,
};

const definition: shapes.Shapes<AgentDefinition> = {
  name: shapes.ANYTHING,
  version: /* @__PURE__ */ shapes.whole(0),
  migrations: shapes.ANYTHING,
  system: /* @__PURE__ */ shapes.either(shapes.TEXT, shapes.PURE),
  tools: TOOLS,
  model: shapes.TEXT,
  settings: shapes.SETTINGS,
  toolChoice: TOOL_CHOICE,
  maxIterations: /* @__PURE__ */ shapes.whole(1),
  tokenBudget: /* @__PURE__ */ spending(/* @__PURE__ */ shapes.above(0)),
  costBudget: /* @__PURE__ */ spending(/* @__PURE__ */ shapes.above(0)),
  prices: PRICES,
  deadlineMs: /* @__PURE__ */ shapes.above(0),
  onLimit: /* @__PURE__ */ shapes.oneOf("error", "answer"),
  answerRetries: /* @__PURE__ */ shapes.whole(0),
  onRejectedCall: /* @__PURE__ */ shapes.oneOf("error", "tell"),
  sequential: shapes.FLAG,
  onUnknown: /* @__PURE__ */ shapes.oneOf("stop", "continue"),
  deps: shapes.OBJECT,
  publicDeps: shapes.TEXTS,
  behaviour: /* @__PURE__ */ shapes.holding(
    [
      /* @__PURE__ */ shapes.hasMethods(
        "buildMessages",
        "processResponse",
        "extractOutput",
        "getTools",
      ),
      "a behaviour, with buildMessages(), processResponse(), extractOutput() and getTools()",
    ],
    BEHAVIOUR,
  ),
  plugins: [Array.isArray, "an array of plug-ins"],
  output: /* @__PURE__ */ shapes.optionsOf(OUTPUT, "schema"),
  stopWhen: shapes.PURE,
  conversation: /* @__PURE__ */ shapes.either(
    shapes.FLAG,
    /* @__PURE__ */ shapes.optionsOf({ queue: /* @__PURE__ */ shapes.oneOf("each", "all") }),
  ),
};

const plugin: shapes.Shapes<Plugin> = {
  name: shapes.ANYTHING,
  settings: shapes.ANYTHING,
  tools: TOOLS,
  children: shapes.OBJECT,
  init: shapes.PURE,
  systemPrompt: shapes.PURE,
  issue: shapes.PURE,
  settle: shapes.PURE,
  beforeRequest: shapes.PURE,
  beforeTool: shapes.PURE,
  afterTool: shapes.PURE,
  afterNoResult: shapes.PURE,
};

/** Describes the fault of a definition; `undefined` where there is none. */
export function definitionFault(candidate: AgentDefinition): string | undefined {
  const own = partFault(candidate, definition);
  if (own !== undefined) return own;
  const secret = candidate.publicDeps?.find(isSecretKey);
  if (secret !== undefined) return `publicDeps has ${secret}, which looks like a secret`;
  for (const each of candidate.plugins ?? []) {
    const fault = pluginFault(each);
    if (fault !== undefined) return fault;
  }
  const names = (candidate.plugins ?? []).map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  return twice === undefined ? undefined : `two plug-ins are named ${twice}; rename one`;
}

function pluginFault(candidate: Partial<Plugin> | null | undefined): string | undefined {
  const { name } = candidate ?? {};
  if (!candidate || typeof name !== "string" || name === "" || name === "__proto__") {
    return `a plug-in is named ${JSON.stringify(name)}; its state is kept under its name`;
  }
  const fault = partFault(candidate, plugin);
  return fault === undefined ? undefined : `plug-in ${name}: ${fault}`;
}
