// The pictures on any graph, with any texts: every writer writes, what is written is well formed and
// within its limits, nothing is lost, and the same picture gives the same bytes.
import fc from "fast-check";
import { describe, it } from "vitest";
import { fold } from "../src/pictures/collapse.js";
import { type Picture, writePicture } from "../src/pictures/index.js";
import { pictureFormats } from "../src/pictures/write.js";
import { checkMermaid, checkSvg, hostile } from "../test/unit/pictures/support.js";
import { seeds } from "./setup.js";

const tones = ["plain", "grey", "blue", "rank1", "rank5"] as const;
const shapes = ["box", "round", "pill", "hexagon", "double", "dot", "history"] as const;
const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...hostile));

/** Any picture: cycles, loops, edges to groups, groups in groups, rows or none. */
const anyPicture: fc.Arbitrary<Picture> = fc
  .record({
    kind: fc.constantFrom("chart", "thoughts", "decisions", "trace"),
    title: text,
    size: fc.integer({ min: 0, max: 40 }),
    groups: fc.integer({ min: 0, max: 5 }),
    ranked: fc.boolean(),
    seeds: fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
    links: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { maxLength: 90 }),
    texts: fc.array(text, { minLength: 1, maxLength: 12 }),
  })
  .map(({ kind, title, size, groups, ranked, seeds, links, texts }) => {
    const pick = <T>(list: readonly T[], n: number) => list[n % list.length] as T;
    const ids = [
      ...Array.from({ length: size }, (_, i) => `${pick(texts, i)}/${i}`),
      ...Array.from({ length: groups }, (_, i) => `group/${i}`),
    ];
    return {
      kind,
      title,
      nodes: ids.slice(0, size).map((id, i) => {
        const seed = pick(seeds, i);
        const group = groups > 0 && seed % 3 === 0 ? { group: `group/${seed % groups}` } : {};
        return {
          id,
          label: pick(texts, seed),
          details: texts.slice(0, seed % 4),
          shape: pick(shapes, seed),
          tone: pick(tones, seed),
          tally: pick(texts, seed >> 2),
          weight: seed % 5,
          ...group,
          ...(ranked ? { row: seed % 6 } : seed % 7 === 0 ? { top: true } : {}),
        };
      }),
      edges: links.flatMap(([from, to, seed]) =>
        ids.length === 0
          ? []
          : {
              from: pick(ids, from),
              to: pick(ids, to),
              line: pick(["solid", "thick", "dashed", "dotted"] as const, seed),
              tone: pick(tones, seed),
              target: pick(["below", "above", "anywhere"] as const, seed >> 1),
              labels: texts.slice(0, seed % 3),
            },
      ),
      groups: ids.slice(size).map((id, i) => ({
        id,
        label: pick(texts, i),
        line: "solid" as const,
        tone: pick(tones, i),
        ...(i > 0 && pick(seeds, i) % 2 === 0 ? { parent: "group/0" } : {}),
      })),
      rows: ranked ? [0, 1, 2].map((row) => ({ row, label: pick(texts, row) })) : [],
      legend: [],
      notes: [],
    };
  });

const limits = fc.record({
  nodes: fc.integer({ min: 1, max: 30 }),
  edges: fc.integer({ min: 1, max: 60 }),
  columns: fc.integer({ min: 1, max: 9 }),
  rows: fc.integer({ min: 1, max: 9 }),
});

/** How many nodes a picture stands for; a closed group says how many it holds. */
function standsFor(nodes: Picture["nodes"]): number {
  return nodes.reduce(
    (sum, { label, shape }) =>
      sum + (shape === "stack" ? Number(/^… (\d+) more$/.exec(label)?.[1] ?? 1) : 1),
    0,
  );
}

describe.each(seeds)("any picture, seed %i,", (seed) => {
  it("is written in every format, well formed, and the same each time", () => {
    const written = fc.property(anyPicture, (picture) => {
      const texts = pictureFormats.map((format) => writePicture(picture, format));
      checkMermaid(writePicture(picture, "mermaid"));
      checkSvg(writePicture(picture, "svg"));
      const again = structuredClone(picture);
      return pictureFormats.every((format, i) => writePicture(again, format) === texts[i]);
    });
    fc.assert(written, { seed, numRuns: 50 });
  });

  it("is folded within its limits, and loses nothing", () => {
    const folded = fc.property(anyPicture, limits, (picture, most) => {
      const { nodes, edges, groups } = fold(picture, most);
      const ids = new Set([...nodes, ...groups].map(({ id }) => id));
      const whole = ids.size === nodes.length + groups.length;
      const tied = edges.every(({ from, to }) => ids.has(from) && ids.has(to));
      const all = picture.groups.length > 0 || standsFor(nodes) === picture.nodes.length;
      const few = ids.size <= most.nodes;
      // Loops of the last node that is left cannot be folded away.
      const thin = edges.length <= most.edges || nodes.length <= 1 + groups.length;
      return whole && tied && all && few && thin;
    });
    fc.assert(folded, { seed, numRuns: 1_000 });
  });
});
