// What it costs to define an agent: once in a program, whatever number of runs it has.
import { cpuSeconds, figure, inTurns } from "../figure.mjs";
import { worker } from "../turns.mjs";

const TIMES = 100;

export async function measure({ rounds }) {
  const define = () =>
    cpuSeconds(async () => {
      for (let i = 0; i < TIMES; i++) worker(i);
    });
  await define();
  const [spent] = await inTurns(rounds, [define]);
  return [
    figure(
      "define",
      "ms to define an agent",
      spent.map((s) => (1000 * s) / TIMES),
    ),
  ];
}
