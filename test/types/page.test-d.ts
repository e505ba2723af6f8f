// The messages of a page follow from the agent, in the AI SDK's own types of either major.
import type { UIMessage } from "ai";
import type { UIMessage as UIMessageOf7 } from "ai-7";
import { agent, tool } from "reckoner";
import { type PageData, type PageTools, shown } from "reckoner/page";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";

const desk = agent({
  name: "desk",
  conversation: true,
  tools: [
    tool({
      name: "refund",
      inputSchema: z.object({ euros: z.number() }),
      execute: ({ euros }) => ({ refunded: euros }),
    }),
    tool({ name: "seat", ask: z.object({ row: z.number() }) }),
    tool({ name: "note", reduce: () => "noted" }),
  ],
});

type Tools = PageTools<typeof desk>;

test("the tools of a page are the agent's, with what they take and give", () => {
  expectTypeOf<keyof Tools>().toEqualTypeOf<"refund" | "seat" | "note">();
  expectTypeOf<Tools["refund"]>().toEqualTypeOf<{
    input: { euros: number };
    output: { refunded: number };
  }>();
  expectTypeOf<Tools["seat"]["output"]>().toEqualTypeOf<{ row: number }>();
  expectTypeOf<Tools["note"]["output"]>().toEqualTypeOf<string>();
});

test("messages of either major have them, and are shown as what they are", () => {
  type Message = UIMessage<unknown, PageData, Tools>;
  type MessageOf7 = UIMessageOf7<unknown, PageData, Tools>;
  expectTypeOf(shown<Message>).returns.toEqualTypeOf<Message>();
  expectTypeOf(shown<MessageOf7>).returns.toEqualTypeOf<MessageOf7>();
  const euros = (message: Message) =>
    message.parts.flatMap((part) =>
      part.type === "tool-refund" && part.state === "output-available"
        ? [part.output.refunded]
        : [],
    );
  expectTypeOf(euros).returns.toEqualTypeOf<number[]>();
});
