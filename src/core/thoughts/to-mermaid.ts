/** A graph of thoughts as a Mermaid flowchart: what was made of what as arrows, connections dotted. */
import { type Graph, listEdges, listThoughts } from "./graph.js";
import { describe } from "./print-tree.js";

/** Letters of a thought that are shown. */
const LABEL = 48;

/** The flowchart's text. Nodes are numbered in order of insertion: ids of ours are no ids of Mermaid's. */
export function thoughtsToMermaid(graph: Graph): string {
  const all = listThoughts(graph);
  const numbers = new Map(all.map(({ id }, i) => [id, `t${i}`]));
  const nodes = all.map((thought) => {
    const text = describe(thought);
    const short = text.length > LABEL ? `${text.slice(0, LABEL)}…` : text;
    const [open, close] = thought.kind === "aggregation" ? ["{{", "}}"] : ["[", "]"];
    return `  ${numbers.get(thought.id)}${open}"${quoted(short)}"${close}`;
  });
  const edges = listEdges(graph).map(({ from, to, type }) => {
    const arrow = type === "connects" ? "-.->" : type === "refines" ? "==>" : "-->";
    return `  ${numbers.get(from)} ${arrow} ${numbers.get(to)}`;
  });
  const solved = all.filter((thought) => thought.solved === true);
  const styles =
    solved.length === 0
      ? []
      : [
          "  classDef solved stroke:#2a7d2a,stroke-width:3px",
          `  class ${solved.map(({ id }) => numbers.get(id)).join(",")} solved`,
        ];
  return ["flowchart TD", ...nodes, ...edges, ...styles, ""].join("\n");
}

/** Mermaid reads entities in quoted labels. */
function quoted(text: string): string {
  return text.replace(/[&"<>#`\\]/g, (letter) => `#${letter.codePointAt(0)};`);
}
