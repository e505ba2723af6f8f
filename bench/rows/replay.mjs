// Replay: every line verified, every step taken, every state proven; on one core.
import { cpuSeconds, figure, inTurns } from "../figure.mjs";
import { memoryJournal, replay, turns, worker } from "../turns.mjs";
import { yardstick } from "../yardstick.mjs";

const LONG = "A line of a tool's output, of which there are many. ".repeat(160);

async function journalOf(count, output) {
  const journal = memoryJournal();
  await turns(count, journal, output);
  return { journal, reasoner: worker(count, output), events: 2 * count + 2 };
}

export async function measure({ rounds }) {
  const small = await journalOf(3_000);
  const large = await journalOf(800, LONG);
  const each =
    ({ journal, reasoner, events }) =>
    async () => {
      let report;
      const took = await cpuSeconds(async () => {
        report = await replay(reasoner, journal);
      });
      if (report.status !== "identical" || report.events !== events) {
        throw new Error(`The replay says ${JSON.stringify(report).slice(0, 300)}`);
      }
      return events / took;
    };
  const works = [each(small), each(large), () => yardstick()];
  await inTurns(2, works);
  const [plain, long, sticks] = await inTurns(rounds, works);
  const inSticks = (perSecond) => perSecond.map((rate, i) => 1 / rate / sticks[i]);
  return [
    figure("replay.small", "events a second replayed", plain, { aim: { atLeast: 30_000 } }),
    figure("replay.small.yardsticks", "an event replayed, in yardsticks", inSticks(plain), {
      kept: true,
    }),
    figure("replay.8k", "events a second replayed, 8 KB a turn", long, { aim: { atLeast: 8_000 } }),
    figure("replay.8k.yardsticks", "an event of these, in yardsticks", inSticks(long), {
      kept: true,
    }),
  ];
}
