/** The style sheet of an SVG: its classes, and their colours in both themes. */
import { dark, light, type Theme } from "./palette.js";
import type { Tone } from "./picture.js";

/** On which paper: as the reader's system says, or always the same. */
export type SvgTheme = "auto" | "light" | "dark";

/** The class of the root: the rules reach nothing else on a page that the picture stands in. */
export const SCOPE = "reckoner-picture";

const rule = (name: string, style: string) => `.${SCOPE} ${name}{${style}}`;

const LINES = ["solid", "thick", "dashed", "dotted"];
const SHAPES = [
  rule("text", "font-family:ui-sans-serif,system-ui,'DejaVu Sans',sans-serif;text-anchor:middle"),
  rule(".left", "text-anchor:start"),
  rule(".bold", "font-weight:600"),
  ...LINES.map((line) => rule(`.${line}`, "stroke-width:1.2")),
  rule(".way", "fill:none"),
  rule(".thick", "stroke-width:2.6"),
  rule(".dashed", "stroke-dasharray:6 4"),
  rule(".dotted", "stroke-dasharray:1.5 4;stroke-linecap:round"),
];

/** Rules for the tones that a picture uses. */
export function styleOf(theme: SvgTheme, tones: ReadonlySet<Tone>): string {
  const rules = [...SHAPES, ...coloursOf(theme === "dark" ? dark : light, tones)];
  // The reader's system may be dark; who wants one look for ever says so.
  if (theme === "auto") {
    rules.push(`@media (prefers-color-scheme:dark){${coloursOf(dark, tones).join("")}}`);
  }
  return rules.join("\n");
}

function coloursOf(theme: Theme, tones: ReadonlySet<Tone>): readonly string[] {
  const used = [...tones].sort().map((tone) => [tone, theme.tones[tone]] as const);
  return [
    rule(".paper", `fill:${theme.paper}`),
    rule(".ink", `fill:${theme.ink};stroke:none`),
    rule(".aside", `fill:${theme.quiet}`),
    rule(".grid", `stroke:${theme.grid};stroke-width:1`),
    rule(".label", `fill:${theme.paper};fill-opacity:.88`),
    rule(".frame", `fill:${theme.ink};fill-opacity:.03`),
    ...used.flatMap(([tone, { fill, stroke, ink }]) => [
      rule(`.t-${tone}`, `fill:${fill};stroke:${stroke}`),
      rule(`.i-${tone}`, `fill:${ink}`),
      rule(`.e-${tone}`, `stroke:${stroke}`),
      rule(`.h-${tone}`, `fill:${stroke}`),
    ]),
    // Borders of another tone come last, and win.
    ...used.map(([tone, { stroke }]) => rule(`.b-${tone}`, `stroke:${stroke}`)),
  ];
}
