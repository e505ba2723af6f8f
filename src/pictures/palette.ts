/**
 * The colours of a picture's nodes and edges by tone, in the light and the dark theme, with sufficient
 * contrast. For colour-blind readers labels and borders carry the same information.
 */
import type { Tone } from "./picture.js";

/** Colours of a tone, as `#rrggbb`. */
export interface Colours {
  readonly fill: string;
  readonly stroke: string;
  readonly ink: string;
}

/** Colours of one theme. */
export interface Theme {
  readonly paper: string;
  readonly ink: string;
  /** Texts beside the matter: rows, notes, the legend. */
  readonly quiet: string;
  readonly grid: string;
  readonly tones: Readonly<Record<Tone, Colours>>;
}

const tone = (fill: string, stroke: string, ink: string): Colours => ({ fill, stroke, ink });

/** On white. */
export const light: Theme = {
  paper: "#ffffff",
  ink: "#1f2328",
  quiet: "#59636e",
  grid: "#e4e8ec",
  tones: {
    plain: tone("#f6f8fa", "#6e7781", "#1f2328"),
    grey: tone("#eaecef", "#a8b0b8", "#6a737d"),
    blue: tone("#ddebfd", "#2f6fcb", "#10305c"),
    green: tone("#daf3df", "#2a7d3b", "#0f3d1a"),
    red: tone("#fde2e1", "#c0362c", "#5c120d"),
    amber: tone("#fdf0cf", "#a86d00", "#4a3000"),
    purple: tone("#ebe3fb", "#7a4fc4", "#331a63"),
    teal: tone("#d6f2f1", "#1a7f7c", "#073f3d"),
    rank1: tone("#f9d3cf", "#b9473d", "#5c120d"),
    rank2: tone("#fbe3c4", "#b0752a", "#4f2f05"),
    rank3: tone("#f8f0bd", "#958314", "#423902"),
    rank4: tone("#e0f0c0", "#6a8f27", "#2c3f08"),
    rank5: tone("#c6ecc9", "#2f8a43", "#0f3d1a"),
  },
};

/** On near black. */
export const dark: Theme = {
  paper: "#0d1117",
  ink: "#e6edf3",
  quiet: "#9aa4af",
  grid: "#252c35",
  tones: {
    plain: tone("#1c2128", "#8b949e", "#e6edf3"),
    grey: tone("#1a1e24", "#596068", "#969fa8"),
    blue: tone("#12294a", "#5a9bf2", "#d3e5ff"),
    green: tone("#11331a", "#46b35c", "#cff5d6"),
    red: tone("#46130f", "#f0685d", "#ffd9d6"),
    amber: tone("#3c2a04", "#dc9d27", "#ffecc2"),
    purple: tone("#2b1b4d", "#a781f0", "#e6dbff"),
    teal: tone("#07302f", "#36b3ae", "#c9f4f2"),
    rank1: tone("#4a1a16", "#e0695f", "#ffd9d6"),
    rank2: tone("#43290a", "#d99643", "#ffe3c2"),
    rank3: tone("#3a3306", "#c2ad33", "#f8efb0"),
    rank4: tone("#2a360c", "#93b94a", "#e4f3c4"),
    rank5: tone("#123819", "#4cb563", "#cff5d6"),
  },
};
