/**
 * State that tools share: an agent counts the vowels of "elephant" with a counter and a scratchpad in
 * its `deps`. The counter is `sequential`, so three calls in one answer count to three. It is a
 * configuration for the command line: `npx --no reckoner run examples/counters.ts`.
 */
import {
  type Agent,
  agent,
  contextUpdate,
  defineConfig,
  type RunContext,
  scriptedModel,
  tool,
  withUpdate,
} from "reckoner";
import { z } from "zod";

/** The run's own data. */
export interface Deps {
  readonly counters: { readonly [name: string]: number };
  readonly notes: readonly string[];
}

const increment = tool({
  name: "increment",
  description: "Increments a named counter; creates it at 0.",
  inputSchema: z.object({ name: z.string() }),
  sequential: true,
  reduce({ name }, { deps }: RunContext<Deps>) {
    const value = (deps.counters[name] ?? 0) + 1;
    return withUpdate(
      { counter: name, value },
      contextUpdate().merge("counters", { [name]: value }),
    );
  },
});

const addNote = tool({
  name: "add_note",
  description: "Appends a note to the scratchpad.",
  inputSchema: z.object({ text: z.string() }),
  reduce: ({ text }, { deps }: RunContext<Deps>) =>
    withUpdate(
      { added: text, total: deps.notes.length + 1 },
      contextUpdate().append("notes", text),
    ),
});

const showState = tool({
  name: "show_state",
  description: "Shows all counters and notes.",
  reduce: (_input, { deps }: RunContext<Deps>) => ({ counters: deps.counters, notes: deps.notes }),
});

/** The agent. */
export const counter: Agent<Deps> = agent<Deps>({
  name: "counter",
  system: "You have tools to track counters and notes. Count with increment, record with add_note.",
  tools: [increment, addNote, showState],
  deps: { counters: {}, notes: [] },
});

/** What the script has an answer to. */
export const question =
  "Count how many vowels are in the word 'elephant', incrementing a counter named 'vowels' for each one. Also add a note listing the vowels you found. Then show the final state.";

const vowel = { name: "increment", input: { name: "vowels" } };

export default defineConfig({
  reasoner: counter,
  input: question,
  model: scriptedModel([
    { text: "e, e, a.", calls: [vowel, vowel, vowel] },
    { calls: [{ name: "add_note", input: { text: "Found vowels: e, e, a" } }] },
    { calls: [{ name: "show_state" }] },
    "There are three vowels in 'elephant': e, e, a.",
  ]),
});
