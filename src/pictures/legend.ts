/** The legend of a picture: only the styles that occur in it. */
import type { EdgeLook, LegendEntry, Picture } from "./picture.js";

/** The entries whose look occurs among the picture's nodes or edges. */
export function legendOf({ legend, nodes, edges }: Picture): readonly LegendEntry[] {
  return legend.filter((entry) =>
    "node" in entry
      ? nodes.some((node) => entry.means.every((part) => node[part] === entry.node[part]))
      : edges.some((edge) => isSame(edge, entry.edge)),
  );
}

function isSame(edge: EdgeLook, look: EdgeLook): boolean {
  return edge.line === look.line && edge.tone === look.tone;
}
