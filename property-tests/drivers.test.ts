// The byte law: a host that keeps its driver, and one that throws it away after each take, write the bytes that
// run() writes, whatever the agent, its children or the machine, with messages, interrupts and cancels at any time.
import { agentInput, driverLaws } from "../src/testing/index.js";
import { type Lifetime, rowHost } from "../test/support/row-host.js";
import { anyThoughts, options } from "./any-thoughts.js";
import { limitedAgent, loneAgent, orderlyAgent } from "./full-agents.js";
import { holds } from "./setup.js";

const LIFETIMES: readonly (readonly [Lifetime, string])[] = [
  ["run", "that lives"],
  ["take", "thrown away after each take"],
  ["snapshot", "thrown away, and opened at the newest snapshot"],
];

for (const [lifetime, how] of LIFETIMES) {
  const host = rowHost(lifetime);
  const input = agentInput(["t0", "t1"]);
  holds(`a driver ${how}: an agent`, driverLaws(host, loneAgent, { input }), 60);
  holds(`a driver ${how}: thoughts`, driverLaws(host, anyThoughts, options), 20);
  holds(`a driver ${how}: a tree`, driverLaws(host, orderlyAgent, { input }), 30);
  holds(`a driver ${how}: a tree with budgets`, driverLaws(host, limitedAgent, { input }), 30);
}
