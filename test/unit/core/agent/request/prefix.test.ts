// Each request begins with the one before it: its tools, its system text and its messages. Where a
// behaviour makes it otherwise, observers are told; what the instructions say later is said in a message.
import { describe, expect, it } from "vitest";
import {
  type AgentDefinition,
  agent,
  agentContext,
  type Behaviour,
  basicBehaviour,
  contextUpdate,
  type LlmDirective,
  type Plugin,
  toArray,
  tool,
  withUpdate,
} from "../../../../../src/index.js";
import { answer, messagesOf, wish } from "../../../../support/agent-events.js";
import { byHand } from "../../../../support/by-hand.js";

const rename = tool({
  name: "rename",
  reduce: () => withUpdate("ok", contextUpdate().set("user", "Bo")),
});
const look = tool({ name: "look", reduce: () => "seen" });
const talking = (definition: Partial<AgentDefinition>) =>
  byHand(
    agent({
      name: "a",
      conversation: true,
      deps: { user: "Ada" },
      tools: [rename, look],
      ...definition,
    }),
    "Hello",
  );
const requestIn = ({ directives }: { readonly directives: readonly object[] }) =>
  (directives as readonly LlmDirective[]).find(({ type }) => type === "llm") as LlmDirective;
const noticesIn = ({ directives }: { readonly directives: readonly object[] }) =>
  (directives as readonly { topic?: string; data?: object }[]).flatMap(({ topic, data }) =>
    topic === "request.changed" ? [data] : [],
  );
const HEAD =
  "[This is not from the user: some of the instructions have changed since the system text.]";
const marked = (text: string) => ({
  role: "user",
  content: `${HEAD}\n\n${text}`,
  providerOptions: { reckoner: { says: "instructions" } },
});

describe("the system text", () => {
  const talk = () => talking({ system: ({ user }) => `You talk to ${user}.` });

  it("stays, and what it says in a later turn stands before the user's message", () => {
    const run = talk();
    run.take(answer(0, wish("rename")));
    run.take(answer(1, "Hello."));
    run.take({ type: "message", content: "And now?" });
    expect(requestIn(run).system).toBe("You talk to Ada.");
    expect(messagesOf(run.context).slice(-2)).toEqual([
      marked("You talk to Bo."),
      { role: "user", content: "And now?" },
    ]);
  });

  it("says what changed once", () => {
    const run = talk();
    run.take(answer(0, wish("rename")));
    run.take(answer(1, "Hello."));
    for (const [i, content] of ["one", "two"].entries()) {
      run.take({ type: "message", content });
      run.take(answer(2 + i, "Yes."));
    }
    const said = JSON.stringify(messagesOf(run.context)).split(HEAD).length - 1;
    expect(said).toBe(1);
  });

  it("of a turn that was interrupted before it asked is said with the next", () => {
    const run = talking({
      system: ({ user }) => `You talk to ${user}.`,
      plugins: [{ name: "p", issue: () => [{ type: "read", store: "s", query: 1 }] }],
    });
    run.take({ type: "read.succeeded", id: "plugin/0/0/0", value: 1 });
    run.take(answer(0, wish("rename")));
    run.take({ type: "read.succeeded", id: "plugin/1/0/0", value: 1 });
    run.take(answer(1, "Hello."));
    run.take({ type: "message", content: "one" });
    run.take({ type: "interrupt", partial: {} });
    run.take({ type: "message", content: "two" });
    run.take({ type: "read.succeeded", id: run.owed[0], value: 1 });
    expect(messagesOf(run.context).slice(-3)).toMatchObject([
      { content: "one" },
      marked("You talk to Bo."),
      { content: "two" },
    ]);
  });

  it("of plug-ins likewise: of each the part that changed, and that it says no more", () => {
    const plugin: Plugin = {
      name: "p",
      init: () => 0,
      systemPrompt: () => "I count.",
      settle: (_context, state) => {
        const n = (state as number) + 1;
        return { state: n, prompt: n < 3 ? `Request ${n}.` : null };
      },
    };
    const run = talking({ system: "Be brief.", plugins: [plugin] });
    expect(requestIn(run).system).toBe("Be brief.\n\nI count.\n\nRequest 1.");
    run.take(answer(0, "Yes."));
    run.take({ type: "message", content: "one" });
    run.take(answer(1, "Yes."));
    run.take({ type: "message", content: "two" });
    expect(requestIn(run).system).toBe("Be brief.\n\nI count.\n\nRequest 1.");
    const said = messagesOf(run.context).filter(({ providerOptions }) => providerOptions);
    expect(said).toEqual([
      marked("Request 2."),
      marked("(Nothing is said by plugins.p.prompt any more.)"),
    ]);
  });

  it("as a text of the definition leaves nothing to remember", () => {
    const run = talking({ system: "Be brief." });
    expect(run.context).toMatchObject({ instructions: null, sent: null });
    expect(requestIn(run).system).toBe("Be brief.");
  });
});

describe("a behaviour that makes requests of its own", () => {
  const own = (callbacks: Partial<Behaviour>) =>
    talking({ behaviour: { ...basicBehaviour, name: "own", ...callbacks } });
  const turn = (run: ReturnType<typeof own>, i: number) => {
    run.take(answer(i, wish("look")));
    return noticesIn(run);
  };

  it("and leaves what was there says nothing", () => {
    const run = own({
      beforeRequest: (_agent, _context, request) => ({ ...request, settings: { temperature: 1 } }),
      buildMessages: (_agent, { messages }) => [
        { role: "user", content: "Mind the cost." },
        ...toArray(messages),
      ],
    });
    expect([turn(run, 0), turn(run, 1)]).toEqual([[], []]);
  });

  const changing: readonly (readonly [string, Partial<Behaviour>, string, string])[] = [
    [
      "offers other tools",
      { getTools: ({ tools }, { iteration }) => Object.values(tools).slice(iteration) },
      "tools",
      "behaviour own offers other tools",
    ],
    [
      "writes another system text",
      { beforeRequest: (_a, { iteration }, request) => ({ ...request, system: `${iteration}` }) },
      "system",
      "behaviour own changes the system text",
    ],
    [
      "cuts the beginning off",
      { buildMessages: (_a, { messages }) => toArray(messages).slice(-2) },
      "messages",
      "behaviour own changes what was said before",
    ],
    [
      "rewrites the transcript",
      {
        processResponse: (_a, message, context) =>
          agentContext.addMessages({ ...context, messages: agentContext.newContext().messages }, [
            { role: "user", content: "In short." },
            message,
          ]),
      },
      "messages",
      "behaviour own changes what was said before",
    ],
  ];
  it.each(changing)("and %s is told of", (_what, callbacks, part, why) => {
    expect(turn(own(callbacks), 0)).toEqual([{ part, why }]);
  });

  it("may add tools behind those that were there", () => {
    const run = own({
      getTools: ({ tools }, { iteration }) => Object.values(tools).slice(0, iteration + 1),
    });
    expect(requestIn(run).tools).toHaveLength(1);
    expect(turn(run, 0)).toEqual([]);
    expect(requestIn(run).tools).toHaveLength(2);
  });
});

it("the best answer at a limit is asked for without tools, and that is told", () => {
  const run = talking({ maxIterations: 1, onLimit: "answer" });
  run.take(answer(0, wish("look")));
  const why = "a limit is reached, and the model is asked without tools";
  expect(noticesIn(run)).toEqual([{ part: "tools", why }]);
});
