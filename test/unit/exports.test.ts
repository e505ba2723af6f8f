// The names that the package exports: people live with them, so a change shows.
import * as reckoner from "reckoner";
import { expect, it } from "vitest";

it("the root exports these names", async () => {
  const names = Object.keys(reckoner).sort();
  await expect(`${names.join("\n")}\n`).toMatchFileSnapshot("exports.snap.txt");
});
