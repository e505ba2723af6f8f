/**
 * `Picture`: nodes, edges and groups with their styles, as plain JSON. Drawers make pictures of charts,
 * thoughts, decisions and traces; writers make SVG, Mermaid or JSON of them. Drawers and writers do not know
 * each other.
 */

/** The subject of a picture. */
export type PictureKind = "chart" | "agent" | "thoughts" | "decisions" | "trace";

/** Colours, by name; the palette says how each looks on light and on dark. `rank1` is worst. */
export type Tone =
  | "plain"
  | "grey"
  | "blue"
  | "green"
  | "red"
  | "amber"
  | "purple"
  | "teal"
  | "rank1"
  | "rank2"
  | "rank3"
  | "rank4"
  | "rank5";

/** A node's outline. `dot` and `history` are the small marks of statecharts, `stack` is a fold. */
export type Shape = "box" | "round" | "pill" | "hexagon" | "double" | "dot" | "history" | "stack";

/** The look of a node. */
export interface NodeLook {
  readonly shape: Shape;
  readonly tone: Tone;
  /** Default: thin. */
  readonly border?: "thin" | "thick" | "dashed";
  /** The border's colour, where it is not the tone's. */
  readonly borderTone?: Tone;
}

/** A node. */
export interface PictureNode extends NodeLook {
  readonly id: string;
  /** Any text, as it came: writers cut it and make it harmless. */
  readonly label: string;
  /** Further lines, smaller. */
  readonly details?: readonly string[];
  /** The whole text, shown when the node is pointed at. Default: label and details. */
  readonly title?: string;
  /** The group it stands in. */
  readonly group?: string;
  /** Its row from the top, where rows mean something. */
  readonly row?: number;
  /** The name under which it is counted where it is folded: "5 × rejected". */
  readonly tally?: string;
  /** Higher is folded later. Default 0. */
  readonly weight?: number;
  /** It stands above everything that has no row of its own. */
  readonly top?: boolean;
}

/** The look of an edge. */
export interface EdgeLook {
  readonly line: "solid" | "thick" | "dashed" | "dotted";
  readonly tone: Tone;
}

/** An edge. Its ends are ids of nodes or of groups. */
export interface PictureEdge extends EdgeLook {
  readonly from: string;
  readonly to: string;
  /** Lines of text. */
  readonly labels?: readonly string[];
  /** The place of its target: below its source, above it, or anywhere. Default "below". */
  readonly target?: "below" | "above" | "anywhere";
  /** Kept short and straight where it is higher. Default 1. */
  readonly weight?: number;
}

/** A box around nodes and other groups: a state with states in it. */
export interface PictureGroup {
  readonly id: string;
  readonly label: string;
  readonly details?: readonly string[];
  readonly parent?: string;
  readonly line: "solid" | "dashed";
  readonly tone: Tone;
}

/** The meaning of a look: of a node, the parts of it that mean it; the rest is for the sample. */
export type LegendEntry =
  | { readonly text: string; readonly node: NodeLook; readonly means: readonly (keyof NodeLook)[] }
  | { readonly text: string; readonly edge: EdgeLook };

/** The words at the left of a row. */
export interface PictureRow {
  readonly row: number;
  readonly label: string;
}

/** A picture. */
export interface Picture {
  readonly kind: PictureKind;
  readonly title: string;
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
  readonly groups: readonly PictureGroup[];
  readonly rows: readonly PictureRow[];
  readonly legend: readonly LegendEntry[];
  /** The parts that the picture does not show, in sentences. */
  readonly notes: readonly string[];
}

/** The options that every drawer has. */
export interface PictureOptions {
  readonly title?: string | undefined;
}
