/**
 * Shows a picture as SVG in the studio's page, with nodes that can be chosen. Its styles go into a style
 * sheet of the page, since the page's policy admits no styles in the SVG.
 */
import { useEffect, useRef } from "preact/hooks";
import { type Picture, toSvg } from "../../pictures/index.js";
import { theme } from "./state.js";
import { seen } from "./text.js";

const sheets = new Map<string, CSSStyleSheet>();

interface PictureViewProps {
  readonly picture: Picture;
  readonly label: string;
  /** Follows a node by its id; absent for a node that leads nowhere. */
  readonly leadsTo?: (id: string) => (() => void) | undefined;
}

/** Shows a picture; it scrolls where it is larger than its place. A node that leads somewhere can be chosen. */
export function PictureView({ picture, label, leadsTo }: PictureViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const leads = useRef(leadsTo);
  // The text of a picture has unseen characters of an id in their visible form.
  const ids = new Map(picture.nodes.map(({ id }) => [seen(id), id]));
  leads.current = (shown) => leadsTo?.(ids.get(shown) ?? "");
  const chosen = theme.value;
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const { css, svg } = withoutStyle(
      toSvg(picture, {
        theme: chosen === "light" || chosen === "dark" ? chosen : "auto",
        ids: true,
      }),
    );
    adopt(css);
    const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
    const drawn = document.importNode(parsed.documentElement, true);
    drawn.removeAttribute("role");
    for (const node of drawn.querySelectorAll("[data-id]")) {
      const isLink = leads.current?.(idOf(node) ?? "") !== undefined;
      if (!isLink) continue;
      node.setAttribute("role", "button");
      node.setAttribute("tabindex", "0");
    }
    const focused = idOf(element.contains(document.activeElement) && document.activeElement);
    element.replaceChildren(drawn);
    // A person who goes through a picture by keys stays where they are when it is drawn anew.
    for (const node of drawn.querySelectorAll<SVGElement>("[role=button]")) {
      if (idOf(node) === focused) node.focus();
    }
  }, [picture, chosen]);
  const follow = (event: Event): boolean => {
    const node = event.target instanceof Element ? event.target.closest("[role=button]") : null;
    const lead = leads.current?.(idOf(node) ?? "");
    lead?.();
    return lead !== undefined;
  };
  return (
    <div
      class="picture"
      ref={box}
      role="group"
      aria-label={label}
      tabIndex={0}
      onClick={follow}
      onKeyDown={(event) => {
        const isPressed = event.key === "Enter" || event.key === " ";
        if (isPressed && follow(event)) event.preventDefault();
      }}
    />
  );
}

/** Returns the id of a node; `undefined` of what is none. */
function idOf(element: Element | false | null): string | undefined {
  return (element || undefined)?.getAttribute("data-id") ?? undefined;
}

/** Takes the style out of a picture's text: of what is ours in it the first, since all texts in it are escaped. */
function withoutStyle(text: string): { readonly css: string; readonly svg: string } {
  const [from, to] = [text.indexOf("<style>"), text.indexOf("</style>")];
  const css = text.slice(from + "<style>".length, to);
  const svg = `${text.slice(0, from)}${text.slice(to + "</style>".length)}`;
  return { css, svg: svg.replace(/ style="[^"]*"/, "") };
}

/** Adds a picture's style to the page, once. */
function adopt(css: string): void {
  if (sheets.has(css)) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  sheets.set(css, sheet);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
