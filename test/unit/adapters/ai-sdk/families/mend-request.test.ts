// What the mends make of a request, and of its answer: nothing that was said is lost but what a notice
// names.
import { describe, expect, it } from "vitest";
import { mendRequest, type Request } from "../../../../../src/adapters/ai-sdk/families/index.js";
import type { AssistantPart, Message } from "../../../../../src/core/kernel/vocabulary/index.js";
import {
  call,
  from,
  look,
  mended,
  named,
  pdf,
  png,
  result,
  said,
  targets,
  text,
  user,
} from "./support.js";

const asked = (...more: Message[]): Request => ({ messages: [user("go"), ...more] });
const idsIn = (messages: readonly Message[], of: "assistant" | "tool") =>
  messages.flatMap(({ role, content }) =>
    role !== of || typeof content === "string"
      ? []
      : (content as readonly AssistantPart[]).flatMap((part) =>
          "toolCallId" in part ? [part.toolCallId] : [],
        ),
  );
const partsIn = ({ messages }: Request) =>
  messages.flatMap(({ content }) =>
    typeof content === "string" ? [] : (content as readonly AssistantPart[]),
  );

describe("a request that obeys its family", () => {
  it.each(targets)("is sent as it is: $family", (to) => {
    const options = { openai: { store: true } };
    const request: Request = {
      system: "be brief",
      messages: [user("go"), said(text("ok"), call("abcdefghi")), result("abcdefghi")],
      tools: [look],
      settings: { temperature: 0, providerOptions: options },
    };
    expect(mendRequest(request, to).request).toEqual(request);
    expect(mendRequest(request, to).notices).toEqual([]);
  });
});

describe("ids of calls", () => {
  const turn = (id: string) => [said(call(id)), result(id)];

  it.each(targets)("are unique over the request, calls and results alike: $family", (to) => {
    const ids = [
      "call_0",
      "call_0",
      "",
      "",
      "list:0",
      "list_0",
      "c".repeat(90),
      "call_0",
      "call_0_2",
    ];
    const { messages } = mendRequest(asked(...ids.flatMap(turn)), to).request;
    const sent = idsIn(messages, "assistant");
    expect(new Set(sent).size).toBe(ids.length);
    expect(idsIn(messages, "tool")).toEqual(sent);
    for (const id of sent)
      expect(id).toMatch(to.family === "mistral" ? /^[a-zA-Z0-9]{9}$/ : /^[a-zA-Z0-9_-]{1,64}$/);
  });

  it("stay as they are where they may, whatever comes behind them", () => {
    const { messages } = mended("anthropic", asked(...["a:1", "a_1", "b"].flatMap(turn))).request;
    expect(idsIn(messages, "assistant")).toEqual(["a_1", "a_1_2", "b"]);
  });

  it("have nine letters for a model of Mistral behind any server", () => {
    for (const [family, modelId] of [
      ["openai-compatible", "mistralai/Mistral-7B-Instruct"],
      ["bedrock", "mistral.mistral-large-2402-v1:0"],
    ] as const) {
      const { messages } = mended(family, asked(...turn("call_1"), ...turn("c-a-l-l1")), {
        modelId,
      }).request;
      const sent = idsIn(messages, "assistant");
      expect(new Set(sent).size).toBe(2);
      for (const id of sent) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
    }
  });

  it("are as they were in a late result of a provider's own tool", () => {
    const mend = mended("anthropic", {
      ...asked(said(call("s:1", { toolName: "code", providerExecuted: true }))),
      tools: [{ ...named("code"), provider: { id: "anthropic.code_execution", args: {} } }],
    });
    const late = {
      type: "tool-result",
      toolCallId: "s_1",
      toolName: "code",
      output: { type: "text", value: "1" },
    } as const;
    expect(mend.back([late])).toMatchObject([{ toolCallId: "s:1" }]);
  });
});

describe("names of tools", () => {
  it("are one map for definitions, choice, history, answer and stream", () => {
    const request: Request = {
      ...asked(said(call("a", { toolName: "web-search" })), result("a", "x", "web-search")),
      tools: [named("web-search"), named("web_search"), named("1st")],
      toolChoice: { tool: "1st" },
    };
    const { request: now, back, nameOf } = mended("bedrock", request);
    const names = now.tools?.map(({ name }) => name);
    expect(names).toEqual(["web_search_2", "web_search", "tool_1st"]);
    expect(now.toolChoice).toEqual({ tool: "tool_1st" });
    expect(JSON.stringify(now.messages)).not.toContain("web-search");
    expect(back([call("n", { toolName: "web_search_2" })])).toEqual([
      call("n", { toolName: "web-search" }),
    ]);
    expect(nameOf("tool_1st")).toBe("1st");
    expect(nameOf("unheard_of")).toBe("unheard_of");
  });

  it("in a history never become that of another tool", () => {
    const request: Request = {
      ...asked(said(call("a", { toolName: "a.b" })), result("a", "no", "a.b")),
      tools: [named("a_b")],
    };
    const parts = partsIn(mended("openai-chat", request).request);
    expect(parts).toMatchObject([{ toolName: "a_b_2" }, { toolName: "a_b_2" }]);
  });

  it.each(["anthropic", "bedrock", "google"] as const)("leave json to the client: %s", (family) => {
    const { request } = mended(family, { ...asked(), tools: [named("json")] });
    expect(request.tools?.[0]?.name).toBe("json_tool");
  });
});

describe("images in a tool's result", () => {
  const shot = (id: string) => result(id, { type: "content", value: [text("the page"), png] });

  it.each(["openai-chat", "openai-compatible", "google"] as const)(
    "stand in a user's message behind all results: %s",
    (family) => {
      const { request, notices } = mended(
        family,
        asked(said(call("a"), call("b")), shot("a"), shot("b"), said(text("I see."))),
      );
      const [, , results, shown] = request.messages;
      expect(results).toMatchObject({
        role: "tool",
        content: [
          { output: { type: "text", value: expect.stringContaining("the page\n[image 1") } },
          { output: { type: "text" } },
        ],
      });
      expect(shown).toEqual({
        role: "user",
        content: [
          text("From the result of look: image 1"),
          png,
          text("From the result of look: image 1"),
          png,
        ],
      });
      expect(notices.filter((each) => each.includes("image"))).toEqual([]);
    },
  );

  it.each([
    ["openai-responses", {}],
    ["anthropic", {}],
    ["bedrock", {}],
    ["google", { modelId: "gemini-3-flash" }],
  ] as const)("stay in it where they may: %s", (family, more) => {
    const request = { ...asked(said(call("abcdefghi")), shot("abcdefghi")), tools: [look] };
    expect(mended(family, request, more).request.messages[2]).toEqual(shot("abcdefghi"));
  });

  it("have a word of the model before them with Mistral", () => {
    const { messages } = mended("mistral", asked(said(call("a")), shot("a"))).request;
    expect(messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
  });

  it("go, the oldest first, where there are too many, and a notice says so", () => {
    const pages = Array.from({ length: 101 }, (_, i) => ({ ...png, image: `iVBORw0KGgo${i}` }));
    const { request, notices } = mended("anthropic", asked(user(pages)));
    expect(request.messages[1]?.content).toHaveLength(101);
    expect(request.messages[1]?.content[0]).toEqual(text("(image left out)"));
    expect(request.messages[1]?.content[1]).toEqual(pages[1]);
    expect(notices).toEqual([expect.stringContaining("beyond the limits of anthropic.messages")]);
  });
});

describe("texts", () => {
  it.each(["anthropic", "bedrock", "mistral", "openai-compatible"] as const)(
    "that are blank are nowhere: %s",
    (family) => {
      const { request } = mended(family, {
        system: "  ",
        messages: [
          user(" "),
          said(text("\n\n"), call("a")),
          result("a", "\t"),
          said(text(" ")),
          user([text(""), text("x")]),
        ],
        tools: [look],
      });
      expect(request.system).toBeUndefined();
      expect(JSON.stringify(request.messages)).not.toMatch(/"(?:text|value|content)":"\s*"/);
      expect(JSON.stringify(request.messages)).not.toMatch(/"(?:\\n)+"|"\\t"/);
      expect(request.messages[0]).toEqual(user("(no text)"));
      expect(partsIn(request)).toContainEqual(
        expect.objectContaining({ output: { type: "text", value: "(no output)" } }),
      );
    },
  );

  it("that are empty and carry a signature stay with Google", () => {
    const signed = { ...text(""), providerOptions: { google: { thoughtSignature: "c2ln" } } };
    expect(mended("google", asked(said(signed), user("x"))).request.messages[1]).toEqual(
      said(signed),
    );
  });

  it("of failures say so in words where there is no sign, and only once", () => {
    const outputs = (family: "anthropic" | "openai-chat", value: string) =>
      mended(family, {
        ...asked(said(call("a")), result("a", { type: "error-text", value })),
        tools: [look],
      }).request.messages[2]?.content;
    expect(outputs("openai-chat", "sold out")).toMatchObject([
      { output: { type: "text", value: "Error: sold out" } },
    ]);
    expect(outputs("openai-chat", "Tool not found: x")).toMatchObject([
      { output: { value: "Tool not found: x" } },
    ]);
    expect(outputs("anthropic", "sold out")).toMatchObject([
      { output: { type: "error-text", value: "sold out" } },
    ]);
  });

  it("of the system in the middle are a user's, with a notice; at the start they are one", () => {
    const request: Request = {
      system: "a",
      messages: [
        { role: "system", content: "b" },
        user("go"),
        said(text("ok")),
        { role: "system", content: "c" },
      ],
    };
    const { request: now, notices } = mended("openai-compatible", request);
    expect(now.system).toBe("a\n\nb");
    expect(now.messages.at(-1)).toEqual(user([text("[Instructions]\nc")]));
    expect(notices).toEqual([expect.stringContaining("instructions in the middle")]);
    expect(mended("openai-chat", request).request.messages).toEqual(request.messages);
  });
});

describe("parts of other programs", () => {
  it("are left out: an approval in silence, others with a notice", () => {
    const approval = { type: "tool-approval-request", approvalId: "a", toolCallId: "abcdefghi" };
    const step = { type: "step-start" };
    const { request, notices } = mended("openai-chat", {
      messages: [
        user("Pay."),
        said(call("abcdefghi"), approval as never, step as never),
        result("abcdefghi"),
      ],
    });
    expect(request.messages[1]).toEqual(said(call("abcdefghi")));
    expect(notices).toEqual(["Parts of type step-start are not sent to openai.chat:gpt-4o."]);
  });
});

describe("the order of roles", () => {
  it("ends with a user where no prefill is taken, but for an answer that was paused", () => {
    const paused = said(
      text("…"),
      call("s1", {
        providerExecuted: true,
        toolName: "search",
        ...from("anthropic.messages:claude-sonnet-4-5"),
      }),
    );
    const tools = [{ ...named("search"), provider: { id: "anthropic.web_search", args: {} } }];
    expect(mended("anthropic", { ...asked(paused), tools }).request.messages).toHaveLength(2);
    expect(mended("anthropic", asked(said(text("so")))).request.messages.at(-1)).toEqual(
      user([text("Continue.")]),
    );
    expect(mended("openai-chat", asked(said(text("so")))).request.messages).toHaveLength(2);
  });

  it("begins with a user, and has one in it", () => {
    expect(
      mended("bedrock", { messages: [said(text("hi")), user("ho")] }).request.messages,
    ).toHaveLength(3);
    expect(mended("openai-responses", { system: "x", messages: [] }).request.messages).toHaveLength(
      1,
    );
  });

  it("has a text beside each of Bedrock's documents", () => {
    const { messages } = mended("bedrock", asked(said(text("what?")), user([pdf]))).request;
    expect(messages.at(-1)?.content).toEqual([text("(a document)"), pdf]);
  });

  it("keeps arguments that are no object, in one", () => {
    const broken = call("abcdefghi", { input: '{"at": ', malformed: true });
    for (const to of targets) {
      const { request } = mendRequest(
        { ...asked(said(broken), result("abcdefghi")), tools: [look] },
        to,
      );
      const sent = partsIn(request).find(({ type }) => type === "tool-call");
      expect(sent).toEqual(call("abcdefghi", { input: { rawInvalidInput: '{"at": ' } }));
    }
  });
});
