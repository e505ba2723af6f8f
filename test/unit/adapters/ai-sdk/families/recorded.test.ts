// Answers as providers' servers put them, streamed and whole, through the clients of both majors: what
// comes of them goes back to the same model, and to each other family, by the rules.
import { afterEach, describe, expect, it } from "vitest";
import {
  familyOf,
  mendRequest,
  type Request,
  unmarked,
} from "../../../../../src/adapters/ai-sdk/families/index.js";
import { aiSdk } from "../../../../../src/adapters/ai-sdk/index.js";
import type { Message } from "../../../../../src/core/kernel/vocabulary/index.js";
import {
  type ConversationServer,
  ownConversation,
  serveConversation,
} from "../../../../support/conversation-server.js";
import { faultsOf } from "../../../../support/faults-of.js";
import { majors, providerModel } from "../../../../support/provider-model.js";
import { aCall } from "../support.js";
import { result, targets, user } from "./support.js";

let server: ConversationServer | undefined;
afterEach(() => server?.close());

const recorded = [
  ["anthropic-stream-thinking", "claude-sonnet-4-5"],
  ["anthropic-thinking", "claude-sonnet-4-5"],
  ["openai-chat-parallel", "gpt-4o"],
  ["openai-chat-stream-malformed", "gpt-4o"],
  ["openai-responses-reasoning", "gpt-5-mini"],
  ["openai-responses-stream-reasoning", "gpt-5-mini"],
] as const;

describe.each(majors)("with the clients of ai %i", (major) => {
  it.each(recorded)("an answer of %s goes on with every family", async (name, modelId) => {
    const conversation = ownConversation(name);
    server = await serveConversation(conversation);
    const model = providerModel(conversation.api, modelId, server.url, major);
    const port = aiSdk(model, { stream: name.includes("stream") });
    const { content } = await port.generate({ messages: [user("go")] }, aCall());
    const results = content.flatMap((part): Message[] =>
      part.type === "tool-call" ? [result(part.toolCallId, "seen", part.toolName)] : [],
    );
    const request: Request = {
      messages: [user("go"), { role: "assistant", content }, ...results, user("and?")],
    };
    if (typeof model === "string") throw new Error("a model is an object here");
    const own = familyOf(model.provider, model.modelId);
    for (const each of targets) {
      const to = each.family === own ? { ...each, provider: model.provider, modelId } : each;
      const mended = mendRequest(request, to);
      expect(faultsOf(mended.request, to)).toEqual([]);
      const sent = JSON.stringify(unmarked(mended.request));
      expect(sent).not.toContain("reckoner");
      // Sealed thinking is with its own model alone.
      expect(/c2lnbmVk|c2VhbGVk/.test(sent)).toBe(
        to.family === own && /thinking|reasoning/.test(name),
      );
    }
  });
});
