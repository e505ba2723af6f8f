// A step of the agent's machine, with all that a step promises, against XState's own `transition()` of
// the same machine with the same events.
import { initialTransition, transition } from "xstate";
import { cpuSeconds, figure, inTurns, ratios } from "../figure.mjs";
import { instantModel, warmUp, worker } from "../turns.mjs";

const TURNS = 400;

/** The events of a run, each with the directive that it settles, as the machine sees it. */
async function recorded(reasoner) {
  const model = instantModel(TURNS);
  let { state, directives } = reasoner.start("go", { at: 0, runId: "bench" });
  const events = [];
  while (state.status === "active") {
    const [directive] = directives;
    const answer =
      directive.type === "llm"
        ? { type: "llm.succeeded", ...(await model.generate()) }
        : { type: "tool.succeeded", output: "ok" };
    const event = { ...answer, id: directive.id, at: events.length + 1 };
    events.push({ event, seen: { ...event, directive } });
    ({ state, directives } = reasoner.step(state, event));
  }
  return events;
}

export async function measure({ rounds }) {
  await warmUp();
  const reasoner = worker(TURNS);
  if (reasoner.compiled !== true) throw new Error(`The agent is not compiled: ${reasoner.why}`);
  const events = await recorded(reasoner);
  const start = { input: "go", at: 0, runId: "bench" };
  const ours = () =>
    cpuSeconds(() => {
      for (let k = 0; k < 5; k++) {
        let { state } = reasoner.start("go", { at: 0, runId: "bench" });
        for (const { event } of events) state = reasoner.step(state, event).state;
        if (state.status !== "done") throw new Error("The run is not done.");
      }
    }).then((took) => took / 5);
  const theirs = () =>
    cpuSeconds(() => {
      let [snapshot] = initialTransition(reasoner.machine, start);
      for (const { seen } of events) [snapshot] = transition(reasoner.machine, snapshot, seen);
      if (snapshot.status !== "done") throw new Error("XState's run is not done.");
    });
  await inTurns(3, [ours, theirs]);
  const [a, b] = await inTurns(rounds, [ours, theirs]);
  return [
    figure("step", "a step against XState's transition()", ratios(b, a), {
      aim: { atLeast: 8 },
      kept: true,
    }),
    figure(
      "step.micros",
      "µs a step",
      a.map((took) => (took / events.length) * 1e6),
      {},
    ),
  ];
}
