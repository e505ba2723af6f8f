// The laws on agents with everything switched on at random, and with agents of their own.
import { initialTransition, transition } from "xstate";
import { agentInput, agentLaws } from "../src/testing/index.js";
import { fastPathLaw } from "./fast-path-law.js";
import { limitedAgent, orderlyAgent } from "./full-agents.js";
import { holds } from "./setup.js";

const input = agentInput(["t0", "t1", "child0"]);
const xstate = { initialTransition, transition };
// The law of order is for agents whose approvals block.
const blocking = orderlyAgent.filter(({ tools }) =>
  Object.values(tools).every(({ approvalBlocks }) => approvalBlocks),
);
holds("an agent with everything", agentLaws(blocking, { input }), 40);
holds("an agent with everything", [fastPathLaw(orderlyAgent, xstate, { input })], 40);
holds(
  "an agent with everything, and limits",
  agentLaws(limitedAgent, { input, confluent: false }),
  40,
);
