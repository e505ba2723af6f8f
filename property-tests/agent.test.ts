// The laws on the agent loop: any tools, any answers, in any order, with anything in between.
import { initialTransition, transition } from "xstate";
import { agentInput, agentLaws, fastPathLaw } from "../src/testing/index.js";
import { anyAgent } from "./agents.js";
import { holds } from "./setup.js";

const tools = ["t0", "t1", "t2", "t3"];
const input = agentInput(tools);
holds("the agent", agentLaws(anyAgent, { input }), 100);
holds("the agent", [fastPathLaw(anyAgent, { initialTransition, transition }, { input })], 100);
