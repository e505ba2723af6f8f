// The pictures of the documentation are those that the code draws: `DRAW=1` draws them anew.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { asker } from "../../examples/two-states.js";
import { chartPicture, toSvg } from "../../src/pictures/index.js";
import { ROOT } from "./markdown.js";

it("docs/asker.svg is the chart of the README's own reasoner", () => {
  const drawn = toSvg(chartPicture(asker));
  const file = join(ROOT, "docs/asker.svg");
  if (process.env.DRAW === "1") writeFileSync(file, drawn);
  expect(readFileSync(file, "utf8")).toBe(drawn);
});
