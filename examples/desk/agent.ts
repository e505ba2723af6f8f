/** The agent of a support desk, in the versions that were deployed, and a model that answers from a script. */
import { agent, type ModelPort, tool } from "reckoner";
import { z } from "zod";

const find = tool({
  name: "find_order",
  description: "Looks an order up.",
  inputSchema: z.object({ order: z.string() }),
  idempotent: true,
  execute: async ({ order }) => ({ order, item: "a kettle", euros: 39 }),
});

const refund = tool({
  name: "refund",
  description: "Pays the price of an order back.",
  inputSchema: z.object({ order: z.string(), euros: z.number() }),
  needsApproval: true, // somebody of the desk, perhaps tomorrow, in another process
  execute: async ({ order, euros }, { progress }) => {
    progress("the bank is asked");
    return `${euros} euros for order ${order}`;
  },
});

/** The prompts that were deployed, the newest last. Add one, and open runs go on with it. */
const PROMPTS = ["You are the support desk of a shop.", "You are the friendly desk of a shop."];

/** The desk and its earlier versions, the newest first. @param deployed so many prompts */
export const desks = (deployed: number = PROMPTS.length) =>
  PROMPTS.slice(0, deployed)
    .map((system) => desk(system))
    .reverse();

function desk(system: string) {
  const prices = { [script.name]: { inputPerMillion: 0.25, outputPerMillion: 2 } };
  return agent({ name: "desk", system, conversation: true, tools: [find, refund], prices });
}

/** The desk, for the types of its page. */
export type Desk = ReturnType<typeof desk>;

/** A model without a key. With one: `aiSdk(openai("gpt-5-mini"))` of `reckoner/ai-sdk`, in its place. */
export const script: ModelPort = {
  name: "script",
  async generate({ messages, system }, { onDelta, signal }) {
    const last = messages.at(-1);
    const words = JSON.stringify(last?.content ?? "");
    const call = (toolName: string, input: object) =>
      ({
        type: "tool-call",
        toolCallId: `${toolName}-${messages.length}`,
        toolName,
        input,
      }) as never;
    const answer = (text: string, ...calls: never[]) => ({ text, calls });
    const { text, calls } =
      last?.role === "user"
        ? /back|refund/i.test(words)
          ? answer("I look your order up.", call("find_order", { order: "17" }))
          : answer(`${/friendly/.test(JSON.stringify(system)) ? "Gladly" : "Well"}: ${long(words)}`)
        : words.includes("kettle")
          ? answer("A colleague decides that.", call("refund", { order: "17", euros: 39 }))
          : answer(
              words.includes("denied") ? "I am sorry: no refund." : "Your money is on its way.",
            );
    for (const word of text.match(/\S+\s*/g) ?? []) {
      onDelta({ type: "text", text: word });
      await new Promise((resolve) => setTimeout(resolve, 40));
      signal.throwIfAborted();
    }
    const content = [{ type: "text", text } as const, ...calls];
    return { content, finishReason: "stop", usage: { inputTokens: 100, outputTokens: 20 } };
  },
};

/** Something that takes its time to be said. */
const long = (words: string) =>
  /story/.test(words) ? "once upon a time ".repeat(40) : `you said ${words}.`;
