/** Computes the size of a picture's nodes, groups and labels from their texts, line by line. */
import { shortened, widthOf, wrap } from "./measure.js";
import type { PictureEdge, PictureGroup, PictureKind, PictureNode } from "./picture.js";
import { oneLine } from "./visible-text.js";

/** A line of text in a box. */
export interface TextLine {
  readonly text: string;
  /** Pixels. */
  readonly size: number;
  readonly bold?: boolean;
  readonly quiet?: boolean;
}

/** The lines of a box, and the size they need. */
export interface Box {
  readonly lines: readonly TextLine[];
  readonly width: number;
  readonly height: number;
}

/** Around what stands in a group. */
export const GROUP_PADDING = 18;
/** The size of texts at edges. */
export const LABEL_SIZE = 10;
/** A line's height, as a share of its size. */
export const LEADING = 1.3;

interface Room {
  /** Pixels for a line of text. */
  readonly width: number;
  readonly lines: number;
  readonly size: number;
  readonly details: number;
}

/** The room that a node of each kind of picture may take. */
const ROOM: Readonly<Record<PictureKind, Room>> = {
  chart: { width: 320, lines: 2, size: 13, details: 8 },
  agent: { width: 260, lines: 2, size: 13, details: 12 },
  thoughts: { width: 92, lines: 2, size: 10, details: 2 },
  decisions: { width: 170, lines: 3, size: 12, details: 2 },
  trace: { width: 200, lines: 2, size: 12, details: 2 },
};

/** Wide labels of edges are cut. */
const LABEL_WIDTH = 240;

/** A node's lines and size. */
export function sizeOf(node: PictureNode, kind: PictureKind): Box {
  const { shape } = node;
  if (shape === "dot") return { lines: [], width: 14, height: 14 };
  if (shape === "history") {
    const line = { text: oneLine(node.label), size: 11, bold: true };
    return { lines: [line], width: 26, height: 26 };
  }
  const isDense = kind === "thoughts";
  const lines = linesOf(node, ROOM[kind], kind === "chart" || kind === "agent", isDense ? 0 : 2);
  const side = shape === "hexagon" || shape === "pill" ? 26 : shape === "stack" ? 24 : 18;
  const { width, height } = sizeOfLines(lines);
  return { lines, width: Math.max(width + side, isDense ? 64 : 40), height: height + 14 };
}

/** The head of a group: its name, and what it does where it is entered and left. */
export function headOf(group: PictureGroup): Box {
  const lines = linesOf(group, { ...ROOM.chart, lines: 1 }, true, 2);
  const { width, height } = sizeOfLines(lines);
  return { lines, width: width + 2 * GROUP_PADDING, height: height + 8 };
}

/** The label's lines, and a smaller one for each detail. @param less how much smaller, in pixels */
function linesOf(
  { label, details = [] }: Pick<PictureNode, "label" | "details">,
  room: Room,
  bold: boolean,
  less: number,
): readonly TextLine[] {
  const size = room.size - less;
  const quiet = (text: string): TextLine => ({ text, size, quiet: true });
  const more = details.length - room.details;
  return [
    ...wrap(oneLine(label), room.width, room.size, room.lines).map(
      (text): TextLine => ({ text, size: room.size, bold }),
    ),
    ...details
      .slice(0, room.details)
      .map((detail) => quiet(shortened(oneLine(detail), room.width, size))),
    ...(more > 0 ? [quiet(`… ${more} more`)] : []),
  ];
}

/** The lines at an edge. */
export function labelsOf({ labels = [] }: PictureEdge): readonly TextLine[] {
  return labels.flatMap((label) =>
    wrap(oneLine(label), LABEL_WIDTH, LABEL_SIZE, 2).map((text) => ({ text, size: LABEL_SIZE })),
  );
}

/** The room that an edge's labels take. */
export function sizeOfLabels(edge: PictureEdge): { width: number; height: number } {
  const lines = labelsOf(edge);
  if (lines.length === 0) return { width: 0, height: 0 };
  const { width, height } = sizeOfLines(lines);
  return { width: width + 8, height: height + 4 };
}

function sizeOfLines(lines: readonly TextLine[]): { width: number; height: number } {
  let [widest, height] = [0, 0];
  for (const { text, size, bold } of lines) {
    // Bold letters are a tenth wider.
    widest = Math.max(widest, widthOf(text, size) * (bold ? 1.1 : 1));
    height += size * LEADING;
  }
  return { width: widest, height };
}
