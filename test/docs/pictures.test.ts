// The pictures of the documentation are those that the code draws: `DRAW=1` draws them anew.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import desk from "../../examples/desk.js";
import { asker } from "../../examples/two-states.js";
import type { Agent } from "../../src/index.js";
import { agentPicture, chartPicture, toSvg } from "../../src/pictures/index.js";
import { concepts } from "./concepts-picture.js";
import { ROOT } from "./markdown.js";

it.each([
  ["docs/concepts.svg", "how a run goes round", concepts],
  ["docs/asker.svg", "the chart of the README's own reasoner", chartPicture(asker)],
  [
    "docs/desk.svg",
    "the guide's agent",
    agentPicture((desk as { reasoner: object }).reasoner as Agent),
  ],
])("%s is %s", (path, _, picture) => {
  const drawn = toSvg(picture);
  const file = join(ROOT, path);
  if (process.env.DRAW === "1") writeFileSync(file, drawn);
  expect(readFileSync(file, "utf8")).toBe(drawn);
});
