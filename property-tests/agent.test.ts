// The laws on the agent loop: any tools, any answers, in any order, with anything in between.
import { initialTransition, transition } from "xstate";
import { agentInput, agentLaws } from "../src/testing/index.js";
import { anyAgent, hurriedAgent } from "./agents.js";
import { fastPathLaw } from "./fast-path-law.js";
import { holds } from "./setup.js";

const tools = ["t0", "t1", "t2", "t3"];
const input = agentInput(tools);
// A deadline fires in the midst of things: what was there before it is another run than what came after.
const anyOrder = "the order in which answers arrive changes no request and no context";
const isAnyOrder = ({ name }: { readonly name: string }) => name === anyOrder;
holds(
  "the agent",
  agentLaws(anyAgent, { input, confluent: false }).filter((law) => !isAnyOrder(law)),
  100,
);
// The outcome of a call whose approval does not block is a message, and messages have an order.
const blocking = anyAgent.filter(({ tools }) =>
  Object.values(tools).every(({ approvalBlocks }) => approvalBlocks),
);
holds("the agent", agentLaws(blocking, { input }).filter(isAnyOrder), 100);
holds(
  "an agent in a hurry",
  agentLaws(hurriedAgent, { input, confluent: false }).filter((law) => !isAnyOrder(law)),
  60,
);
holds("the agent", [fastPathLaw(anyAgent, { initialTransition, transition }, { input })], 100);
