// What functions of a user's are shown of a run cannot be changed in its place: a run changes by its
// transitions alone.
import { describe, expect, it } from "vitest";
import {
  type AgentDefinition,
  agent,
  type Behaviour,
  basicBehaviour,
  type Plugin,
} from "../../../../src/core/agent/index.js";
import { tool } from "../../../../src/core/kernel/vocabulary/index.js";
import { memoryJournal, replay, run, scriptedModel } from "../../../../src/runtime/index.js";

/** Changes whatever it can reach, two levels deep. @returns what it could change */
function spoil(shown: unknown, depth = 0): readonly string[] {
  if (typeof shown !== "object" || shown === null || depth > 1) return [];
  return Object.keys(shown).flatMap((key) => {
    const below = spoil(Reflect.get(shown, key), depth + 1);
    return Reflect.set(shown, key, "spoilt") ? [key, ...below] : below;
  });
}

/** The same functions, each of which first spoils what it is shown, but for an agent and a request. */
function spoiling<T extends object>(given: T, spoilt: string[]): T {
  const wrapped = Object.entries(given).map(([name, value]) => {
    if (typeof value !== "function") return [name, value];
    return [
      name,
      (...args: readonly unknown[]) => {
        const shown = args.filter((each) => !isAgentOrRequest(each));
        spoilt.push(...shown.flatMap((each) => spoil(each)).map((key) => `${name}: ${key}`));
        return value.apply(given, args);
      },
    ];
  });
  return Object.fromEntries(wrapped) as T;
}

const isAgentOrRequest = (value: unknown) =>
  Object(value).behaviour !== undefined || isRequest(value);
const isRequest = (value: unknown) =>
  Object(value).messages !== undefined && Object(value).batch === undefined;

const t = tool({ name: "t", execute: () => "ok" });
const script = [
  {
    calls: [
      { name: "t", input: { a: 1 } },
      { name: "none", input: {} },
    ],
  },
  "Done.",
];

async function lived(spoilt: Pick<AgentDefinition, "behaviour" | "plugins">) {
  const make = () => agent({ name: "a", system: "s", deps: { d: 1 }, tools: [t], ...spoilt });
  const journal = memoryJournal();
  const end = await run(make(), "go", { model: scriptedModel(script), journal, runId: "r" });
  expect((await replay(make(), journal)).status).toBe("identical");
  const { startedAt: _at, ...context } = end.context;
  return { status: end.status, context };
}

const behaviour: Behaviour = {
  ...basicBehaviour,
  initContext: (_agent, context) => context,
  beforeRequest: (_agent, _context, request) => request,
  afterTool: (_agent, _call, context) => context,
  handleError: (_agent, error) => ({ type: "stop", error }) as never,
};
const hooks: Plugin = {
  name: "judge",
  beforeRequest: () => undefined,
  beforeTool: () => undefined,
  afterTool: () => undefined,
  afterNoResult: () => undefined,
};

const plugin: Plugin = {
  name: "p",
  init: () => 0,
  systemPrompt: () => "p",
  issue: () => [],
  settle: (_context, state) => ({ state: (state as number) + 1 }),
};

describe("what is shown", () => {
  it("to a behaviour stays as it is", async () => {
    const spoilt: string[] = [];
    const clean = await lived({ behaviour });
    expect(await lived({ behaviour: spoiling(behaviour, spoilt) })).toEqual(clean);
    expect(spoilt).toEqual([]);
  });

  it("to hooks stays as it is", async () => {
    const spoilt: string[] = [];
    const clean = await lived({ plugins: [hooks] });
    expect(await lived({ plugins: [spoiling(hooks, spoilt)] })).toEqual(clean);
    expect(spoilt).toEqual([]);
  });

  it("to a plug-in stays as it is", async () => {
    const spoilt: string[] = [];
    const clean = await lived({ plugins: [plugin] });
    expect(await lived({ plugins: [spoiling(plugin, spoilt)] })).toEqual(clean);
    expect(spoilt).toEqual([]);
  });

  it("to a hook of a request cannot be changed either", async () => {
    let could: readonly string[] = [];
    const beforeRequest: Plugin["beforeRequest"] = (_context, request) => {
      could = [...could, ...spoil(request)];
      return undefined;
    };
    await lived({ plugins: [{ name: "judge", beforeRequest }] });
    expect(could).toEqual([]);
  });
});

it("settings that are changed after they were given are the agent's as they were", () => {
  const settings = { temperature: 0 };
  const one = agent({ name: "a", settings });
  settings.temperature = 1;
  const { directives } = one.start("go", { at: 0, runId: "r" });
  expect(directives[0]).toMatchObject({ type: "llm", settings: { temperature: 0 } });
  expect(one.fingerprint).toBe(agent({ name: "a", settings: { temperature: 0 } }).fingerprint);
});
