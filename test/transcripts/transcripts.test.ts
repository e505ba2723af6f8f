// Each transcript shows what a run did, step by step, as the one printer prints it. A transcript that
// changed is rewritten with UPDATE_TRANSCRIPTS=1, and only when its difference is understood.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import {
  type JsonObject,
  type List,
  type RunEvent,
  type RunState,
  type Step,
  toArray,
} from "reckoner";
import { expect, it } from "vitest";
import { printState, printStep, printValue } from "../../src/core/kernel/machine/index.js";
import { throughJson } from "../support/by-hand.js";
import { agentScenarios } from "./agent-scenarios.js";
import { scenarios as others, type Scenario } from "./scenarios.js";

const scenarios = [...others, ...agentScenarios];
const folder = new URL(".", import.meta.url);
const fileOf = (name: string) => new URL(`${name}.txt`, folder);

/** The transcript of a scenario; the state goes through JSON between any two steps. */
function play({ hypothesis, reasoner, input, events }: Scenario): string {
  const width = 320;
  const blocks: string[] = [];
  let step: Step<unknown> = reasoner.start(input as never, { at: 0, runId: "run" });
  const show = (event: RunEvent) => blocks.push(printStep(event, step, { width }));
  show({ type: "start", at: 0, input } as unknown as RunEvent);
  for (const [i, each] of events.entries()) {
    const event = { ...each, at: 10 * (i + 1) } as RunEvent;
    step = reasoner.step(throughJson(step.state), event);
    show(event);
  }
  const opening = hypothesis.split("\n").map((line) => `# ${line}`);
  return `${opening.join("\n")}\n\n${blocks.join("\n\n")}\n\n${printEnd(step.state, width)}\n`;
}

/** The state at the end: its transcript, and the rest of its context that is worth a look. */
function printEnd(state: RunState<unknown>, width: number): string {
  const { messages, toolCalls, deps, usage } = state.context as {
    readonly [key: string]: JsonObject;
  };
  const lines = [`In the end: ${printState(state)}`];
  if (messages !== undefined) {
    const items = (list: unknown) => toArray(list as List<JsonObject>);
    for (const message of items(messages)) lines.push(`  | ${printValue(message, width)}`);
    for (const call of items(toolCalls)) lines.push(`  call ${printValue(call, width)}`);
    lines.push(`  deps: ${printValue(deps, width)}`, `  usage: ${printValue(usage, width)}`);
  } else {
    lines.push(`  context: ${printValue(state.context as JsonObject, width)}`);
  }
  return lines.join("\n");
}

for (const scenario of scenarios) {
  it(scenario.name, () => {
    const transcript = play(scenario);
    if (process.env.UPDATE_TRANSCRIPTS === "1") writeFileSync(fileOf(scenario.name), transcript);
    expect(transcript).toBe(readFileSync(fileOf(scenario.name), "utf8"));
  });
}

it("there is a scenario for every transcript", () => {
  // Those of thoughts are printed by a test of their own.
  const files = readdirSync(folder).filter((name) => /^(?!thoughts-).+\.txt$/.test(name));
  expect(files.sort()).toEqual(scenarios.map(({ name }) => `${name}.txt`).sort());
});
