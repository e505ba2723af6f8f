/** The style sheet of an SVG: its classes, and their colours in both themes. */
import { dark, light, type Theme } from "./palette.js";
import type { Tone } from "./picture.js";

/** On which paper: as the reader's system says, or always the same. */
export type SvgTheme = "auto" | "light" | "dark";

/** Rules for the tones that a picture uses. */
export function styleOf(theme: SvgTheme, tones: ReadonlySet<Tone>): string {
  const shape = [
    "text{font-family:ui-sans-serif,system-ui,'DejaVu Sans',sans-serif;text-anchor:middle}",
    ".left{text-anchor:start}",
    ".bold{font-weight:600}",
    ".solid,.thick,.dashed,.dotted{stroke-width:1.2}",
    ".way{fill:none}",
    ".thick{stroke-width:2.6}",
    ".dashed{stroke-dasharray:6 4}",
    ".dotted{stroke-dasharray:1.5 4;stroke-linecap:round}",
  ];
  const first = theme === "dark" ? dark : light;
  const rules = [...shape, ...coloursOf(first, tones)];
  // The reader's system may be dark; who wants one look for ever says so.
  if (theme === "auto") {
    rules.push(`@media (prefers-color-scheme:dark){${coloursOf(dark, tones).join("")}}`);
  }
  return scoped(rules);
}

/** The class of the root: the rules reach nothing else on a page that the picture stands in. */
export const SCOPE = "reckoner-picture";

function scoped(rules: readonly string[]): string {
  const within = (rule: string) =>
    rule.replace(/([^{},]+)(?=[^{}]*\{)/g, (selector) => `.${SCOPE} ${selector}`);
  return rules
    .map((rule) => {
      const media = /^(@media [^{]+\{)(.*)\}$/.exec(rule);
      return media === null ? within(rule) : `${media[1]}${within(media[2] as string)}}`;
    })
    .join("\n");
}

function coloursOf(theme: Theme, tones: ReadonlySet<Tone>): string[] {
  const rules = [
    `.paper{fill:${theme.paper}}`,
    `.ink{fill:${theme.ink};stroke:none}`,
    `.aside{fill:${theme.quiet}}`,
    `.grid{stroke:${theme.grid};stroke-width:1}`,
    `.label{fill:${theme.paper};fill-opacity:.88}`,
    `.frame{fill:${theme.ink};fill-opacity:.03}`,
  ];
  // Borders of another tone come last, and win.
  const borders: string[] = [];
  for (const tone of [...tones].sort()) {
    const { fill, stroke, ink } = theme.tones[tone];
    rules.push(
      `.t-${tone}{fill:${fill};stroke:${stroke}}`,
      `.i-${tone}{fill:${ink}}`,
      `.e-${tone}{stroke:${stroke}}`,
      `.h-${tone}{fill:${stroke}}`,
    );
    borders.push(`.b-${tone}{stroke:${stroke}}`);
  }
  return [...rules, ...borders];
}
