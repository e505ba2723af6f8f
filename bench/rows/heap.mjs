// What a run keeps in the heap, against the JSON of its state: after 10 000 turns, with a journal that
// keeps nothing, so that only the run itself is counted.
import { figure } from "../figure.mjs";
import { collected, forgetful } from "../heap.mjs";
import { turns, warmUp } from "../turns.mjs";

export async function measure({ rounds, longest }) {
  await warmUp();
  const count = Math.min(10_000, longest);
  const values = [];
  await turns(count, forgetful());
  for (let i = 0; i < Math.min(rounds, 3); i++) {
    const before = collected();
    let end = await turns(count, forgetful());
    const held = collected() - before;
    values.push(held / JSON.stringify(end.state ?? end.context).length);
    end = undefined;
  }
  return [
    figure("heap", `heap of a run of ${count} turns against its state's JSON`, values, {
      aim: { atMost: 3 },
      kept: true,
    }),
  ];
}
