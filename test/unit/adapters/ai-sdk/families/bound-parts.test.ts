// Parts that are bound to the model that made them, and which tool may be called: what a change of the
// provider must not carry along, and what a family refuses.
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createGoogleGenerativeAI as createGoogleOf7 } from "@ai-sdk/google-4";
import { describe, expect, it } from "vitest";
import { FAMILIES, type Request } from "../../../../../src/adapters/ai-sdk/families/index.js";
import { aiSdk } from "../../../../../src/adapters/ai-sdk/index.js";
import type { AssistantPart, Message } from "../../../../../src/core/kernel/vocabulary/index.js";
import { majors } from "../../../../support/provider-model.js";
import { aCall } from "../support.js";
import { call, from, look, mended, named, result, said, text, user } from "./support.js";

const asked = (...more: Message[]): Request => ({ messages: [user("go"), ...more] });
const partsIn = ({ messages }: Request) =>
  messages.flatMap(({ content }) =>
    typeof content === "string" ? [] : (content as readonly AssistantPart[]),
  );

describe("what is bound to whom it came from", () => {
  const origin = "anthropic.messages:claude-sonnet-4-5";
  const signed = {
    type: "reasoning",
    text: "hm",
    ...from(origin, { anthropic: { signature: "c2ln" } }),
  } as const;

  it("goes back to that model, without the mark", () => {
    const { request, notices } = mended("anthropic", asked(said(signed, text("so")), user("x")));
    expect(request.messages[1]).toEqual(
      said(
        { type: "reasoning", text: "hm", providerOptions: { anthropic: { signature: "c2ln" } } },
        text("so"),
      ),
    );
    expect(notices).toEqual([]);
  });

  it.each(FAMILIES)("goes to no other model, and a notice says so: %s", (family) => {
    const other = family === "anthropic" ? { modelId: "claude-haiku-4-5" } : {};
    const item = {
      ...text("so"),
      ...from(origin, { anthropic: { x: 1 }, openai: { itemId: "msg_1" } }),
    };
    const { request, notices } = mended(family, asked(said(signed, item), user("x")), other);
    expect(request.messages[1]).toEqual(said(text("so")));
    expect(notices).toContainEqual(
      expect.stringContaining(`Reasoning of ${origin} is not sent to`),
    );
  });

  it("goes back to the server that sent it, where it is not signed", () => {
    const thought = { type: "reasoning", text: "hm", ...from("local.chat:qwen2") } as const;
    const sentBack = mended(
      "openai-compatible",
      asked(said(thought, text("so")), user("x")),
    ).request;
    expect(sentBack.messages[1]).toEqual(said({ type: "reasoning", text: "hm" }, text("so")));
    const foreign = mended("openai-compatible", asked(said(thought, text("so")), user("x")), {
      provider: "other.chat",
    });
    expect(foreign.request.messages[1]).toEqual(said(text("so")));
  });

  it("is in a result as well, which has the options of its call", () => {
    const bound = from("google.generative-ai:gemini-2.5-flash", {
      google: { thoughtSignature: "s" },
    });
    const [results] = result("abcdefghi").content;
    const turn: Message[] = [
      said(call("abcdefghi", bound)),
      { role: "tool", content: [{ ...results, ...bound }] },
    ];
    const sent = (family: "google" | "openai-chat") => {
      const { request, notices } = mended(family, { ...asked(...turn), tools: [look] });
      expect(notices).toEqual([]);
      return partsIn(request).map((part) => (part as { providerOptions?: object }).providerOptions);
    };
    expect(sent("google")).toEqual(Array(2).fill({ google: { thoughtSignature: "s" } }));
    expect(sent("openai-chat")).toEqual([undefined, undefined]);
  });

  it("is marked in an answer", () => {
    const { back } = mended("openai-responses", asked());
    const mark = { reckoner: { from: "openai.responses:gpt-5-mini" } };
    expect(
      back([
        { type: "reasoning", text: "hm" },
        { ...text("so"), providerOptions: { openai: { itemId: "m" } } },
        text("plain"),
        call("a"),
        call("b", { providerExecuted: true }),
      ]),
    ).toEqual([
      { type: "reasoning", text: "hm", providerOptions: mark },
      { ...text("so"), providerOptions: { openai: { itemId: "m" }, ...mark } },
      text("plain"),
      call("a"),
      call("b", { providerExecuted: true, providerOptions: mark }),
    ]);
  });

  it("are a provider's own tools: the pair goes where the tool is not offered, and a notice says so", () => {
    const own = { toolName: "search", providerExecuted: true, ...from(origin) };
    const output = { type: "json", value: [1] } as const;
    const found = {
      type: "tool-result",
      toolCallId: "s1",
      toolName: "search",
      output,
      ...from(origin),
    } as const;
    const request = asked(said(call("s1", own), found, text("found")), user("x"));
    const tools = [
      { ...named("search"), provider: { id: "anthropic.web_search_20250305", args: {} } },
    ];
    const kinds = (to: Parameters<typeof mended>[0], given: Request) =>
      partsIn(mended(to, given).request).map(({ type }) => type);
    expect(kinds("anthropic", { ...request, tools })).toEqual(["tool-call", "tool-result", "text"]);
    expect(kinds("anthropic", request)).toEqual(["text"]);
    expect(kinds("openai-responses", { ...request, tools })).toEqual(["text"]);
    expect(mended("openai-responses", request).notices).toEqual([
      expect.stringContaining("Calls and results of search"),
    ]);
  });

  it("turns budget thinking off in the turn that another model began, and in no other", () => {
    const settings = {
      providerOptions: { anthropic: { thinking: { type: "enabled", budgetTokens: 1024 } } },
    };
    const begun = { ...asked(said(call("a")), result("a")), tools: [look], settings };
    const { request, notices } = mended("anthropic", begun);
    expect(request.settings?.providerOptions?.anthropic?.thinking).toEqual({ type: "disabled" });
    expect(notices).toEqual([expect.stringContaining("does not think in the rest of a turn")]);
    const next = { ...begun, messages: [...begun.messages, said(text("ok")), user("next")] };
    expect(mended("anthropic", next).request.settings).toEqual(settings);
  });
});

describe("a choice of tools", () => {
  const choosing = (toolChoice: Request["toolChoice"], more: Partial<Request> = {}): Request => ({
    ...asked(said(call("a")), result("a")),
    tools: [look],
    ...(toolChoice === undefined ? {} : { toolChoice }),
    ...more,
  });

  it("that is refused is auto, with a notice, and the tools stay", () => {
    const { request, notices } = mended("anthropic", choosing({ tool: "look" }), {
      modelId: "claude-fable-5",
    });
    expect(request).toMatchObject({ toolChoice: "auto", tools: [look] });
    expect(notices).toEqual([
      'anthropic.messages:claude-fable-5 refuses toolChoice { tool: "look" }; it is "auto".',
    ]);
    expect(mended("anthropic", choosing("required")).request.toolChoice).toBe("required");
  });

  it("of none keeps Bedrock's history, in words; Mistral is sent no tools", () => {
    const bedrock = mended("bedrock", choosing("none", { system: "be brief" })).request;
    expect(bedrock).toMatchObject({
      toolChoice: "auto",
      tools: [look],
      system: "be brief\n\nAnswer now without calling a tool.",
    });
    const mistral = mended("mistral", choosing("none")).request;
    expect(mistral).not.toHaveProperty("tools");
    expect(mistral).not.toHaveProperty("toolChoice");
  });

  it("has tools as soon as the history has calls, for who refuses it else", () => {
    const { tools: _gone, ...without } = choosing(undefined);
    const anthropic = mended("anthropic", without).request;
    expect(anthropic.tools?.map(({ name }) => name)).toEqual(["look"]);
    expect(anthropic.toolChoice).toBe("none");
    expect(mended("bedrock", without).request.toolChoice).toBe("auto");
    expect(mended("openai-chat", without).request).not.toHaveProperty("tools");
  });

  it("keeps the tool that is chosen among those that a limit leaves", () => {
    const tools = Array.from({ length: 200 }, (_, i) => named(`t${i}`));
    const { request, notices } = mended("openai-chat", {
      ...asked(),
      tools,
      toolChoice: { tool: "t150" },
    });
    expect(request.tools).toHaveLength(128);
    expect(request.tools?.at(-1)?.name).toBe("t150");
    expect(notices).toEqual([expect.stringContaining("takes 128 tools")]);
  });
});

describe("Gemini 3, which wants the signature of each step's first call", () => {
  const google = { 6: createGoogleGenerativeAI, 7: createGoogleOf7 };
  it.each(majors)("gets its word for none from the client of ai %i", async (major) => {
    const bodies: string[] = [];
    const fetch = async (_url: unknown, init?: RequestInit) => {
      bodies.push(String(init?.body));
      return new Response("{}", { status: 400 });
    };
    const model = aiSdk(google[major]({ apiKey: "k", fetch })("gemini-3-pro"));
    const messages = [user("go"), said(call("a")), result("a")];
    await expect(model.generate({ messages, tools: [look] }, aCall())).rejects.toThrow();
    expect(JSON.parse(bodies[0] as string).contents[1].parts).toEqual([
      expect.objectContaining({ thoughtSignature: "skip_thought_signature_validator" }),
    ]);
  });
});
