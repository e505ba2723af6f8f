// A desk that answers requests, on whatever platform loads it. It imports the package as a user does.
import { agent, scriptedModel, tool } from "reckoner";
import { host, memoryHostStore } from "reckoner/serve";

/** The agent of the desk, and its model. */
export function deskParts() {
  const refund = tool({ name: "refund", needsApproval: true, execute: () => "paid back" });
  const desk = agent({ name: "desk", conversation: true, tools: [refund] });
  const model = scriptedModel(({ messages }) =>
    messages.at(-1)?.role === "user"
      ? { text: "One moment, ﬁrst: 🫖.", calls: [{ name: "refund" }] }
      : "It is done.",
  );
  return { reasoners: [desk], model };
}

/** A host of the desk, with its runs in memory. */
export function deskHost() {
  const authorize = () => ({ person: "ann" });
  return host({ ...deskParts(), store: memoryHostStore(), path: "/api", authorize });
}
