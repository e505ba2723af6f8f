// What drawers and writers are given: an option that is misspelt, or of the wrong kind, is refused by
// its name, and so is what is no picture.
import {
  chartPicture,
  decisionsPicture,
  thoughtsPicture,
  toJson,
  toSvg,
  tracePicture,
  writePicture,
} from "reckoner/pictures";
import { thoughtGraph } from "reckoner/thoughts";
import { Trace } from "reckoner/trace";
import { expect, it } from "vitest";
import { smallReasoner } from "../../support/small-machine.js";
import { refusal } from "../../support/thrown.js";

const chart = smallReasoner({ initial: "a", states: { a: {} } });
const picture = chartPicture(chart);
const none = { nodes: [], edges: [] };

it.each<readonly [string, () => unknown, string]>([
  [
    "a chart's",
    () => chartPicture(chart, { titel: "x" } as never),
    "chartPicture: options.titel is not a part of it; title, active are.",
  ],
  [
    "a chart's state",
    () => chartPicture(chart, { active: 5 } as never),
    "chartPicture: options.active must be a state value",
  ],
  [
    "a chart",
    () => chartPicture({ root: 1 } as never),
    "chartPicture: of must be a machine, a reasoner that has one, or a recorded chart",
  ],
  [
    "a decision's",
    () => decisionsPicture(none, { title: 5 } as never),
    "decisionsPicture: options.title must be a string; it is 5.",
  ],
  [
    "a decision without an id",
    () => decisionsPicture({ ...none, nodes: [{}] } as never),
    "decisionsPicture: graph must be an object of a decision graph's nodes and edges",
  ],
  [
    "a thought's",
    () => thoughtsPicture(thoughtGraph.emptyGraph, { better: "best" } as never),
    'better must be "higher" or "lower"',
  ],
  [
    "a trace's",
    () => tracePicture(new Trace([]), { explains: "x" } as never),
    "tracePicture: options.explains is not a part of it",
  ],
  [
    "a list of others for a trace",
    () => tracePicture([1] as never),
    "tracePicture: trace must be a trace, as journalTraces() reads it, or a list of its events",
  ],
  [
    "an option of SVG",
    () => toSvg(picture, { folds: {} } as never),
    "toSvg: options.folds is not a part of it; theme, ids are.",
  ],
  [
    "a theme",
    () => toSvg(picture, { theme: "Dark" } as never),
    'theme must be "auto", "light" or "dark"',
  ],
  ["a list for a picture", () => toJson([] as never), "toJson: picture must be a picture"],
  [
    "a format",
    () => writePicture(picture, "png" as never),
    'writePicture: format must be "mermaid", "svg" or "json"',
  ],
])("%s is refused by its name", (_what, draw, message) => {
  const { code, message: said } = refusal(draw);
  expect([code, said]).toEqual(["option.invalid", expect.stringContaining(message)]);
});
