// Thoughts in memory: a graph that grows in waves, and as many in one fan.
import { cpuSeconds, figure, inTurns, ratios } from "../figure.mjs";
import { memoryJournal, run } from "../turns.mjs";
import { yardstick } from "../yardstick.mjs";

const { generate, keepBest, plan, score, thoughts } = await import("../../dist/thoughts.js");
const WAVE = 100;

const model = {
  name: "instant",
  generate: async () => ({
    content: [{ type: "text", text: "a thought" }],
    finishReason: "stop",
    usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
  }),
};

/** Waves of a hundred: each grows from the best of the wave before. */
const waves = (count) =>
  Array.from({ length: count / WAVE }, () => [
    generate({ responses: WAVE }),
    score({ by: () => 1 }),
    keepBest({ n: 1 }),
  ]).flat();

async function eventsPerSecond(operations) {
  const reasoner = thoughts({ policy: plan(operations) });
  let end;
  const took = await cpuSeconds(async () => {
    end = await run(reasoner, "why?", { model, journal: memoryJournal(), runId: "bench" });
  });
  if (end.status !== "done") throw new Error(`The run ended in ${end.reason}.`);
  return end.events / took;
}

export async function measure({ rounds, longest }) {
  const most = Math.min(50_000, longest);
  for (let i = 0; i < 3; i++) await eventsPerSecond(waves(2_000));
  const few = Math.min(rounds, 3);
  const [short, long, fan, sticks] = await inTurns(few, [
    () => eventsPerSecond(waves(1_000)),
    () => eventsPerSecond(waves(most)),
    () => eventsPerSecond([generate({ responses: most })]),
    () => yardstick(),
  ]);
  const aim = { atLeast: 5_000 };
  return [
    figure("thoughts.1000", "events a second, 1 000 thoughts", short, { aim }),
    figure(`thoughts.${most}`, `events a second, ${most} thoughts`, long, { aim }),
    figure("thoughts.fan", `events a second, ${most} thoughts in one fan`, fan, { aim }),
    figure(
      "thoughts.yardsticks",
      "an event in yardsticks",
      ratios(
        long.map((rate) => 1 / rate),
        sticks,
      ),
      { kept: true },
    ),
    figure(
      "thoughts.growth",
      `time per event, ${most} thoughts against 1 000`,
      ratios(short, long),
      {
        aim: { atMost: 1.2 },
        kept: true,
      },
    ),
  ];
}
