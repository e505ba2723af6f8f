// Compares a scenario as it is kept with what was just played, line by line, but for named differences.
import type { Line, Recorded, Section } from "./record.js";

/** Where two differ. */
export interface Place {
  readonly scenario: string;
  /** `run`, `run <path>`, `processes` or `calls`. */
  readonly section: string;
  /** The line as it is kept; absent behind the last. */
  readonly recorded: Line | undefined;
  /** The line as it was played; absent behind the last. */
  readonly present: Line | undefined;
}

/**
 * How a difference is passed over: the kept line is gone, the played one was added, or the one stands
 * in place of the other.
 */
export type Explained = "gone" | "added" | "changed";

/** A difference that is meant. */
export interface NamedDifference {
  readonly name: string;
  /** Why it is meant. */
  readonly reason: string;
  /** Says how it explains a difference; `undefined` where it does not. */
  explains(place: Place): Explained | undefined;
}

/** What a comparison came to. */
export interface Comparison {
  /** The names of the differences that were met. */
  readonly met: ReadonlySet<string>;
  /** The first difference that has no name. */
  readonly first?: Place;
  /** Whether that one is only in what events, directives and states hold. */
  readonly onlyContents: boolean;
}

/** Compares one scenario. */
export function compare(
  kept: Recorded,
  played: Recorded,
  named: readonly NamedDifference[],
): Comparison {
  const met = new Set<string>();
  if (kept.shape === played.shape && kept.contents === played.contents) {
    return { met, onlyContents: false };
  }
  const same = kept.shape === played.shape;
  const names = [...kept.sections, ...played.sections].map(({ name }) => name);
  for (const section of new Set(names)) {
    const linesOf = ({ sections }: Recorded): Section["lines"] =>
      sections.find(({ name }) => name === section)?.lines ?? [];
    const first = walk(
      { scenario: kept.name, section },
      linesOf(kept),
      linesOf(played),
      named,
      met,
    );
    if (first !== undefined) return { met, first, onlyContents: same };
  }
  if (met.size > 0) return { met, onlyContents: false };
  // The short digests of a line are the same by chance, or the order of the sections is another.
  const nowhere = { scenario: kept.name, section: "all", recorded: undefined, present: undefined };
  return { met, first: nowhere, onlyContents: same };
}

function walk(
  where: Pick<Place, "scenario" | "section">,
  kept: readonly Line[],
  played: readonly Line[],
  named: readonly NamedDifference[],
  met: Set<string>,
): Place | undefined {
  let i = 0;
  let j = 0;
  while (i < kept.length || j < played.length) {
    const [recorded, present] = [kept[i], played[j]];
    const isSame = recorded?.text === present?.text && recorded?.contents === present?.contents;
    const place = { ...where, recorded, present };
    const how = isSame ? "changed" : explain(place, named, met);
    if (how === undefined) return place;
    if (how !== "added") i += 1;
    if (how !== "gone") j += 1;
  }
  return undefined;
}

function explain(
  place: Place,
  named: readonly NamedDifference[],
  met: Set<string>,
): Explained | undefined {
  for (const each of named) {
    const how = each.explains(place);
    const isThere = how === "gone" ? place.recorded : how === "added" ? place.present : place;
    if (how === undefined || isThere === undefined) continue;
    met.add(each.name);
    return how;
  }
  return undefined;
}

/** A difference in words: the scenario, the run, both lines, and what is behind the played one's digests. */
export function inWords({ scenario, section, recorded, present }: Place): string {
  const shown = (line: Line | undefined) =>
    line === undefined
      ? "nothing more"
      : `${line.text}${line.contents ? ` | ${line.contents}` : ""}`;
  const lines = [
    `${scenario}, ${section}:`,
    `  recorded: ${shown(recorded)}`,
    `  now:      ${shown(present)}`,
  ];
  const [old, now] = [recorded?.contents, present?.contents];
  if (recorded?.text === present?.text && old?.length === 9 && now?.length === 9) {
    const parts = ["the event", "the directives", "the state"];
    const other = parts.filter(
      (_, i) => old.slice(3 * i, 3 * i + 3) !== now.slice(3 * i, 3 * i + 3),
    );
    lines.push(`  what differs is what is in ${other.join(" and ")}`);
  }
  if (present?.details !== undefined) lines.push(`  now, in full: ${present.details()}`);
  return lines.join("\n");
}
