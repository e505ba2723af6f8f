/** Writes the legend and the notes below a picture in SVG. */
import { widthOf, wrap } from "./measure.js";
import type { LegendEntry, Picture } from "./picture.js";
import { number, outline, way } from "./svg-shapes.js";
import { oneLine, xml } from "./visible-text.js";

const SIZE = 11;
const LINE = 24;
const SAMPLE = 30;
const GAP = 22;

/** The entries of the legend whose look occurs among the picture's nodes or edges. */
export function legendOf({ legend, nodes, edges }: Picture): readonly LegendEntry[] {
  return legend.filter((entry) =>
    "node" in entry
      ? nodes.some((node) => entry.means.every((part) => node[part] === entry.node[part]))
      : edges.some(({ line, tone }) => line === entry.edge.line && tone === entry.edge.tone),
  );
}

/** The legend in lines as wide as the picture. */
export function drawLegend(
  picture: Picture,
  left: number,
  top: number,
  width: number,
): { readonly text: string; readonly bottom: number } {
  const parts: string[] = [];
  let [x, y] = [left, top];
  for (const entry of legendOf(picture)) {
    const text = oneLine(entry.text);
    const needed = SAMPLE + 8 + widthOf(text, SIZE);
    if (x > left && x + needed > left + width) [x, y] = [left, y + LINE];
    parts.push(sample(entry, x, y));
    parts.push(
      `<text class="aside left" x="${number(x + SAMPLE + 8)}" y="${number(y + 4)}" font-size="${SIZE}">${xml(text)}</text>`,
    );
    x += needed + GAP;
  }
  if (parts.length > 0) y += LINE;
  for (const note of picture.notes) {
    for (const line of wrap(oneLine(note), width, SIZE, 3)) {
      parts.push(
        `<text class="aside left" x="${number(left)}" y="${number(y + 4)}" font-size="${SIZE}">${xml(line)}</text>`,
      );
      y += LINE * 0.75;
    }
  }
  return { text: parts.length === 0 ? "" : `<g>${parts.join("")}</g>`, bottom: y - LINE / 2 };
}

function sample(entry: LegendEntry, x: number, y: number): string {
  if ("edge" in entry)
    return way(entry.edge, [
      { x, y },
      { x: x + SAMPLE, y },
    ]);
  const { shape } = entry.node;
  const width = shape === "dot" ? 12 : shape === "history" ? 16 : SAMPLE;
  const height = shape === "dot" ? 12 : 16;
  return outline(entry.node, { x: x + SAMPLE / 2, y, width, height });
}
