// What a run keeps in the heap, against the JSON of its state: after 10 000 turns, with a journal that
// keeps nothing, so that only the run itself is counted. Measured as what letting go of it frees.
import { figure } from "../figure.mjs";
import { collected, forgetful } from "../heap.mjs";
import { turns, warmUp } from "../turns.mjs";

export async function measure({ rounds, longest }) {
  await warmUp();
  const count = Math.min(10_000, longest);
  const values = [];
  for (let i = 0; i < Math.min(rounds, 3); i++) {
    const kept = [await turns(count, forgetful())];
    const { length } = JSON.stringify(kept[0].state);
    await new Promise((resolve) => setImmediate(resolve));
    const held = collected();
    kept.length = 0;
    await new Promise((resolve) => setImmediate(resolve));
    values.push((held - collected()) / length);
  }
  return [
    figure("heap", `heap of a run of ${count} turns against its state's JSON`, values, {
      aim: { atMost: 3 },
      kept: true,
    }),
  ];
}
