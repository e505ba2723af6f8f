/** What an agent's definition may hold, and what each part of it has to be. */
import { type Parts, partFault, shapes } from "../kernel/index.js";
import type { AgentDefinition } from "./agent.js";
import type { Behaviour, OutputSpec, Plugin, Policy } from "./spec.js";

const TOOLS: shapes.Shape = [
  (value) => Array.isArray(value) && value.every(shapes.hasParts("name", "kind")),
  "an array of tools, each one that tool() has made",
];
const TOOL_CHOICE: shapes.Shape = [
  (value) =>
    ["auto", "none", "required"].includes(value as string) || shapes.hasParts("tool")(value),
  '"auto", "none", "required" or { tool: its name }',
];

const POLICY: shapes.Shapes<Policy> = {
  beforeRequest: shapes.FUNCTION,
  beforeTool: shapes.FUNCTION,
  afterTool: shapes.FUNCTION,
  afterNoResult: shapes.FUNCTION,
};

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
  buildMessages: shapes.FUNCTION,
  processResponse: shapes.FUNCTION,
  extractOutput: shapes.FUNCTION,
  getTools: shapes.FUNCTION,
  initContext: shapes.FUNCTION,
  beforeRequest: shapes.FUNCTION,
  afterTool: shapes.FUNCTION,
  handleError: shapes.FUNCTION,
};

const definition: Parts<AgentDefinition> = {
  name: true,
  version: /* @__PURE__ */ shapes.whole(0),
  migrations: true,
  system: /* @__PURE__ */ shapes.either(shapes.TEXT, shapes.FUNCTION),
  tools: TOOLS,
  model: shapes.TEXT,
  settings: shapes.SETTINGS,
  toolChoice: TOOL_CHOICE,
  maxIterations: /* @__PURE__ */ shapes.whole(1),
  tokenBudget: /* @__PURE__ */ shapes.above(0),
  costBudget: /* @__PURE__ */ shapes.whole(1),
  prices: true,
  deadlineMs: /* @__PURE__ */ shapes.above(0),
  onLimit: /* @__PURE__ */ shapes.oneOf("error", "answer"),
  onRejectedCall: /* @__PURE__ */ shapes.oneOf("error", "tell"),
  sequential: shapes.FLAG,
  onUnknown: /* @__PURE__ */ shapes.oneOf("stop", "continue"),
  deps: shapes.OBJECT,
  behaviour: [
    /* @__PURE__ */ shapes.hasMethods(
      "buildMessages",
      "processResponse",
      "extractOutput",
      "getTools",
    ),
    "a behaviour, with buildMessages(), processResponse(), extractOutput() and getTools()",
    BEHAVIOUR,
  ],
  policy: /* @__PURE__ */ shapes.optionsOf(POLICY),
  plugins: [Array.isArray, "an array of plug-ins"],
  output: [(value) => shapes.hasParts("schema")(value), "an object with a schema", OUTPUT],
  conversation: shapes.FLAG,
};

const plugin: Parts<Plugin> = {
  name: true,
  tools: TOOLS,
  children: shapes.OBJECT,
  init: shapes.FUNCTION,
  systemPrompt: shapes.FUNCTION,
  issue: shapes.FUNCTION,
  settle: shapes.FUNCTION,
};

/** What is wrong with a definition, in words; `undefined` where nothing is. */
export function definitionFault(given: AgentDefinition): string | undefined {
  const own = partFault(given, definition);
  if (own !== undefined) return own;
  for (const each of given.plugins ?? []) {
    const fault = pluginFault(each);
    if (fault !== undefined) return fault;
  }
  const names = (given.plugins ?? []).map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  return twice === undefined ? undefined : `two plug-ins are named ${twice}; rename one`;
}

function pluginFault(given: Partial<Plugin> | null | undefined): string | undefined {
  const { name } = given ?? {};
  if (!given || typeof name !== "string" || name === "" || name === "__proto__") {
    return `a plug-in is named ${JSON.stringify(name)}; its state is kept under its name`;
  }
  const fault = partFault(given, plugin);
  return fault === undefined ? undefined : `plug-in ${name}: ${fault}`;
}
