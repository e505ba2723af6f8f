// Bytes of the journal for a turn in its middle. Numbers with more digits are all that may grow.
import { figure } from "../figure.mjs";
import { memoryJournal, textIn, turns } from "../turns.mjs";

/** Bytes of so many turns' lines around a turn, by turn. */
async function bytesAround(lines, turn) {
  const span = turn < 100 ? 2 : 20;
  const from = 2 * (turn - span);
  const to = 2 * (turn + span);
  return Buffer.byteLength(lines.slice(from, to).join("\n")) / (2 * span);
}

export async function measure({ longest }) {
  const sizes = [10, 1_000, 10_000].filter((size) => size <= longest);
  const journal = memoryJournal();
  await turns(sizes.at(-1) + 40, journal);
  const lines = (await textIn(journal)).split("\n");
  const bytes = [];
  for (const size of sizes) bytes.push(await bytesAround(lines, size));
  // Without digits: what is left is the same at any turn.
  const bare = [];
  const plain = lines.map((line) => line.replace(/\d+/g, "0"));
  for (const size of sizes) bare.push(await bytesAround(plain, size));
  return [
    ...sizes.map((size, i) =>
      figure(`bytes.${size}`, `bytes a turn, at turn ${size}`, [bytes[i]], {
        aim: { atMost: 900 },
        kept: true,
      }),
    ),
    figure(
      "bytes.growth",
      "the largest against the smallest, digits of numbers aside",
      [Math.max(...bare) / Math.min(...bare)],
      {
        aim: { atMost: 1.02 },
        kept: true,
      },
    ),
  ];
}
