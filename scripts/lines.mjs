// Lines by room: of code, which is without blank lines and lines that hold only a comment, and all. A file
// counts once, in the first room that has its folder or its name. Aims of rooms are of all lines, that of the
// whole is of code. Ceilings are of code: no explanation is left out for a line.
//
//   node scripts/lines.mjs           prints the table
//   node scripts/lines.mjs --check   and fails where a room has more lines than its ceiling
//   node scripts/lines.mjs --lower   lowers the ceilings to today's counts; it raises none
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { holdToCeilings } from "./ceilings.mjs";
import { withoutComments } from "./comments.mjs";

const ROOT = resolve(import.meta.dirname, "..");

/** The rooms: the aim in all lines, and a pattern of paths within src. */
const ROOMS = [
  [
    "decisions",
    4_500,
    /^decisions\/|^decisions\.ts$|^cli\/graph\/(?:graph-decisions|recorded-decisions)\.ts$/,
  ],
  ["trace", 3_300, /^trace\/|^trace\.ts$|^cli\/observe\/|^cli\/graph\/trace-view\.ts$/],
  [
    "time travel",
    3_000,
    /^time-travel\/|^runtime\/journals\/(?:check-journal|checker|findings|late-values)\.ts$|^time-travel\.ts$|^cli\/time-travel\/|^cli\/terminal\/print-difference\.ts$/,
  ],
  ["kernel", 7_000, /^core\/kernel\/|^kernel\.ts$/],
  ["agent", 4_500, /^core\/agent\/|^(?:contexts|capabilities\/index)\.ts$/],
  ["thoughts", 3_800, /^core\/thoughts\/|^(?:thoughts|capabilities\/thoughts-as-tool)\.ts$/],
  ["studio", 4_000, /^(?:cli\/)?studio\//],
  ["engines", 2_000, /^engines\//],
  ["hosts of many runs", 1_800, /^serve(?:\/|\.ts$)/],
  [
    "journal, driver, runtime, journals by path",
    9_500,
    /^(?:core\/journal|core\/driver|platform|runtime|adapters\/file-journal)\/|^[\w-]+\.ts$/,
  ],
  ["journals in databases", 800, /^adapters\/(?:journal-tables|sqlite|postgres)\//],
  ["testing", 5_000, /^testing(?:\/|\.ts$)/],
  ["pictures", 1_700, /^pictures\//],
  ["command line without its features' files", 3_000, /^cli\//],
  ["AI SDK and schemas", 2_000, /^adapters\/(?:ai-sdk|json-schema)\//],
];

const none = () => Object.fromEntries([...ROOMS.map(([room]) => [room, 0]), ["elsewhere", 0]]);
const [counts, whole] = [none(), none()];
const src = join(ROOT, "src");
for (const path of readdirSync(src, { recursive: true, encoding: "utf8" }).sort()) {
  if (!/\.tsx?$/.test(path)) continue;
  const name = path.replaceAll("\\", "/");
  const [room] = ROOMS.find(([, , pattern]) => pattern.test(name)) ?? ["elsewhere"];
  const text = readFileSync(join(src, path), "utf8");
  const code = withoutComments(text);
  counts[room] += code.split("\n").filter((line) => line.trim() !== "").length;
  whole[room] += text.trimEnd().split("\n").length;
}

const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);
const row = (room, ...cells) =>
  console.log(`${room.padEnd(44)}${cells.map((cell) => String(cell).padStart(8)).join("")}`);
row("room", "code", "lines", "aim");
for (const [room, lines] of Object.entries(counts)) {
  row(room, lines, whole[room], ROOMS.find(([name]) => name === room)?.[1] ?? "");
}
row("in all", sum(Object.values(counts)), sum(Object.values(whole)), "");

holdToCeilings("lines", counts);
