// Turns in memory: how many a second, and whether an event costs the same in a long run as in a short.
import { cpuSeconds, figure, inTurns, ratios, threadShare } from "../figure.mjs";
import { memoryJournal, turns, warmUp } from "../turns.mjs";
import { yardstick } from "../yardstick.mjs";

export async function measure({ rounds, longest }) {
  await warmUp();
  const sizes = [100, 1_000, 10_000, 100_000].filter((size) => size <= longest);
  // As many runs of a size as make a few thousand turns, so that a round of each takes as long.
  const each = (size) => async () => {
    const runs = Math.max(1, Math.round(3_000 / size));
    const took = await cpuSeconds(async () => {
      for (let i = 0; i < runs; i++) await turns(size, memoryJournal());
    });
    return took / runs / size;
  };
  // The longest takes long: it is measured in fewer rounds, beside the shortest.
  const usual = sizes.filter((size) => size <= 10_000);
  const [sticks, ...perTurn] = await inTurns(rounds, [() => yardstick(), ...usual.map(each)]);
  const figures = usual.map((size, i) =>
    figure(
      `turns.${size}`,
      `turns a second in memory, ${size} turns`,
      perTurn[i].map((s) => 1 / s),
      { aim: { atLeast: 12_000 } },
    ),
  );
  figures.push(
    figure("turns.yardsticks", "a turn in yardsticks", ratios(perTurn[1] ?? perTurn[0], sticks), {
      kept: true,
    }),
  );
  const shares = await inTurns(rounds, [() => threadShare(each(usual.at(-1)))]);
  figures.push(
    figure("turns.threads", "of them all threads of the process against its main one", shares[0]),
  );
  let growth = ratios(perTurn.at(-1), perTurn[0]);
  if (sizes.length > usual.length) {
    const few = Math.min(rounds, 3);
    const [short, long] = await inTurns(few, [each(100), each(sizes.at(-1))]);
    growth = ratios(long, short);
    figures.push(
      figure(
        `turns.${sizes.at(-1)}`,
        `turns a second in memory, ${sizes.at(-1)} turns`,
        long.map((s) => 1 / s),
        {
          aim: { atLeast: 12_000 },
        },
      ),
    );
  }
  figures.push(
    figure("turns.growth", `time per event, ${sizes.at(-1)} turns against 100`, growth, {
      aim: { atMost: 1.2 },
      kept: true,
    }),
  );
  return figures;
}
