/**
 * Makes the entries of a picture's legend, each a sample of a node or an edge with its meaning. All functions
 * that draw pictures use it.
 */
import type { EdgeLook, LegendEntry, NodeLook, Shape } from "./picture.js";

/** The entry of a node's look: what is given of it means it. @param shape of the sample, where none is given */
export function lookEntry(
  text: string,
  look: Partial<NodeLook>,
  shape: Shape = "round",
): LegendEntry {
  const means = Object.keys(look) as (keyof NodeLook)[];
  return { text, node: { shape, tone: "plain", ...look }, means };
}

/** The entries of nodes' looks by what they mean. */
export function lookEntries(looks: { readonly [name: string]: NodeLook }): LegendEntry[] {
  return Object.entries(looks).map(([name, look]) => lookEntry(inWords(name), look));
}

/** The entries of edges' looks by what they mean. */
export function edgeEntries(looks: { readonly [name: string]: EdgeLook }): LegendEntry[] {
  return Object.entries(looks).map(([name, edge]) => ({ text: inWords(name), edge }));
}

/** A type's name in words. */
export function inWords(type: string): string {
  return type.replaceAll("_", " ");
}
