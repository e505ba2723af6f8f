// Durable records of ours, of one run and of a hundred at once, against bare ones of the same size in the
// same place: 1 is bare.
import { figure, inTurns, ratios, seconds } from "./figure.mjs";
import { textIn, turns } from "./turns.mjs";

const RUNS = 100;

/**
 * @param place.id of the figures
 * @param place.before the words before theirs
 * @param place.records what its bare records are called
 * @param place.journal a new journal there
 * @param place.bare writes so many records of so many bytes; returns how many a second
 * @param place.aims of one run, and of many
 */
export async function againstBare(rounds, { id, before = "", records, journal, bare, aims }) {
  /** Records a second of runs side by side, and how large a record was. */
  const ours = async (runs, size) => {
    const journals = Array.from({ length: runs }, journal);
    const took = await seconds(() => Promise.all(journals.map((each) => turns(size, each))));
    const text = await textIn(journals[0]);
    const lines = text.split("\n").length - 1;
    return { perSecond: (lines * runs) / took, bytes: Buffer.byteLength(text) / lines };
  };
  const compared = (runs, size) =>
    inTurns(rounds, [async () => (await ours(runs, size)).perSecond, () => bare(800, bytes)]);
  // What writes has to be learnt as well: the fifth run takes two thirds of the first.
  for (let i = 0; i < 6; i++) await ours(1, 400);
  const { bytes } = await ours(4, 20);
  const [one, bareOne] = await compared(1, 400);
  const [many, bareMany] = await compared(RUNS, 10);
  const kept = (name, whose, of, atLeast) =>
    figure(`${id}.${name}`, `${before}durable records, ${whose}, against bare`, of, {
      aim: { atLeast },
      kept: true,
    });
  return [
    figure(`${id}.bare`, `${records} a second`, bareOne),
    kept("one", "one run", ratios(one, bareOne), aims[0]),
    kept("many", `${RUNS} runs at once`, ratios(many, bareMany), aims[1]),
  ];
}
