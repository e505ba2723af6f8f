// Memory of conversations that wait after one turn, in this process: what a server keeps where it
// holds on to a thousand runs.
import { figure } from "../figure.mjs";
import { collected, forgetful } from "../heap.mjs";
import { instantModel, run, warmUp, worker } from "../turns.mjs";

const RUNS = 1_000;

export async function measure({ rounds }) {
  await warmUp();
  const chat = worker(1, undefined, { conversation: true });
  const one = async () => {
    const live = run(chat, "go", { model: instantModel(1), journal: forgetful() });
    const end = await live;
    if (end.status !== "waiting") throw new Error(`The run is ${end.status}.`);
    return { live, end };
  };
  for (let i = 0; i < 200; i++) await one();
  const values = [];
  for (let i = 0; i < Math.min(rounds, 3); i++) {
    const before = collected();
    const held = [];
    for (let k = 0; k < RUNS; k++) held.push(await one());
    values.push((collected() - before) / RUNS / 1024);
    held.length = 0;
  }
  return [
    figure("ready", `KiB of a waiting conversation after one turn, of ${RUNS}`, values, {
      aim: { atMost: 10 },
      kept: true,
    }),
  ];
}
