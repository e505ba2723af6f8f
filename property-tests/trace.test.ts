// The trace of random runs: its events are exactly what their journals hold, each once; what caused
// an event stands before it; and from any event one comes to an input.
import fc from "fast-check";
import type { Agent } from "../src/core/agent/index.js";
import { journalOfRun } from "../src/testing/driver-laws.js";
import { agentInput } from "../src/testing/index.js";
import { liveLaw } from "../src/testing/property-law.js";
import { journalTraces } from "../src/trace/live/index.js";
import { tracesAre } from "../test/support/trace-check.js";
import { anyThoughts, options } from "./any-thoughts.js";
import { plannedReasoner } from "./arbitrary-machine.js";
import { limitedAgent, orderlyAgent } from "./full-agents.js";
import { holds } from "./setup.js";

/** Generated machines may go on without end. */
const BOUND = { bound: 200 };
const input = agentInput(["t0", "t1", "child0"]);
const agentsHold = (name: string, agents: fc.Arbitrary<Agent>, runs: number) =>
  holds(
    name,
    [
      liveLaw(
        "its trace is exactly its journals",
        agents,
        { input },
        async (reasoner, given, script) => {
          const journal = await journalOfRun(reasoner as never, given, script, BOUND);
          await tracesAre(journalTraces(journal), [journal.text], () => true);
        },
      ),
    ],
    runs,
  );
agentsHold("an agent with everything", orderlyAgent, 100);
agentsHold("an agent with everything, and limits", limitedAgent, 100);

holds(
  "a generated machine",
  [
    liveLaw(
      "its trace is exactly its journal",
      plannedReasoner(),
      { input: fc.integer() },
      async (reasoner, given, script) => {
        const journal = await journalOfRun(reasoner as never, given, script, BOUND);
        await tracesAre(journalTraces(journal), [journal.text], () => false);
      },
    ),
  ],
  100,
);

holds(
  "thoughts",
  [
    liveLaw(
      "its trace is exactly its journal",
      anyThoughts,
      options,
      async (reasoner, given, script) => {
        const journal = await journalOfRun(reasoner as never, given, script, BOUND);
        await tracesAre(journalTraces(journal), [journal.text], () => false);
      },
    ),
  ],
  100,
);
