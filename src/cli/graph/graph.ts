/** `reckoner graph`: draws a config's chart, or what a journal or a decision store contains. */
import { extname } from "node:path";
import {
  chartPicture,
  type Picture,
  type PictureFormat,
  writePicture,
} from "../../pictures/index.js";
import { fold, type JournalPort, viewOf } from "../../runtime/index.js";
import { loadConfig } from "../config/config.js";
import { Configs } from "../config/config-of-journal.js";
import { journalFile, statsOf } from "../files/journal-files.js";
import { products, refuseOverwrite } from "../files/refuse-overwrite.js";
import { writeOut } from "../files/write-out.js";
import { exitCodes } from "../terminal/exit-codes.js";
import { about, usageError } from "../terminal/failure.js";
import { type Io, say } from "../terminal/io.js";
import { oneOf } from "../terminal/one-of.js";
import { checkAddress, type DecisionsFlags, decisionsAt, nameOf } from "./graph-decisions.js";
import { type GraphSubject, type GraphView, graphViews } from "./graph-views.js";
import { recordedPlace, refusePast } from "./recorded-chart.js";
import { traceView } from "./trace-view.js";

/** Flags of `graph`. */
export interface GraphFlags extends DecisionsFlags {
  readonly view?: string;
  readonly format?: string;
  readonly out?: string;
  readonly config?: string;
  /** Of a trace: the event that stands out with what led to it. */
  readonly explain?: string;
}

/** The endings of configs; anything else is a journal. */
const CODE = new Set([".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".tsx", ".jsx"]);

/** The format that a file's ending names. */
const ENDINGS: Readonly<Record<string, PictureFormat>> = {
  ".mmd": "mermaid",
  ".mermaid": "mermaid",
  ".svg": "svg",
  ".json": "json",
};
const FORMATS = [...new Set(Object.values(ENDINGS))];

/** Draws. @returns the exit code */
export async function graphCommand(io: Io, path: string, flags: GraphFlags): Promise<number> {
  const { view = "chart", out } = flags;
  checkView(view, flags);
  checkAddress(path, view === "decisions");
  const format = formatOf(flags);
  if (out !== undefined) refuseOverwrite(io, "--out", out, products.picture);
  try {
    const { picture, incomplete } = await pictureOf(io, path, view, flags);
    const text = writePicture(picture, format);
    if (out === undefined) io.stdout.write(text);
    else save(io, out, text);
    return incomplete === true ? exitCodes.refused : exitCodes.ok;
  } catch (thrown) {
    throw about(nameOf(path), thrown);
  }
}

function checkView(view: string, flags: GraphFlags): void {
  oneOf("--view", view, [...Object.keys(graphViews), "trace", "decisions"]);
  if (flags.explain !== undefined && view !== "trace") {
    throw usageError(`--explain goes with --view trace; ${view} has no events.`);
  }
  for (const flag of ["store", "scope", "schema"] as const) {
    if (flags[flag] === undefined || view === "decisions") continue;
    throw usageError(`--${flag} goes with --view decisions.`);
  }
}

/** A trace and decisions need no reasoner; all else is drawn from one, and from where a run of it stands. */
async function pictureOf(
  io: Io,
  path: string,
  view: string,
  flags: GraphFlags,
): Promise<{ readonly picture: Picture; readonly incomplete?: boolean }> {
  if (view === "trace") return await traceView(io, path, flags);
  if (view === "decisions") return { picture: await decisionsView(io, path, flags) };
  if (view === "chart" && flags.config === undefined && !isCode(path)) {
    const picture = await recordedChart(io, path, flags);
    if (picture !== undefined) return { picture };
  }
  const draw = graphViews[view] as GraphView;
  return { picture: await draw(await subjectAt(io, path, flags)) };
}

async function decisionsView(io: Io, path: string, flags: GraphFlags): Promise<Picture> {
  if (isCode(path)) {
    throw usageError(`--view decisions needs a store or a journal; ${path} is a config.`);
  }
  if (flags.config !== undefined) throw usageError("--view decisions needs no --config.");
  return await decisionsAt(io, path, flags);
}

/** The chart of a journal as it has it: nobody's code is run for it. */
async function recordedChart(
  io: Io,
  path: string,
  flags: GraphFlags,
): Promise<Picture | undefined> {
  const torn = () => sayTorn(io, path);
  const place = await recordedPlace(journalIn(io, path), flags.at, torn);
  if (place === undefined) return undefined;
  const { id, chart, value, events } = place;
  const title = events === 0 ? id : `${id}, after event ${events - 1}`;
  return chartPicture(chart, { title, ...(value === undefined ? {} : { active: value }) });
}

function journalIn(io: Io, path: string): JournalPort {
  if (statsOf(io, path)?.isDirectory()) {
    throw usageError(`${path} is a folder; name a config or a journal in it.`);
  }
  return journalFile(io, path);
}

const sayTorn = (io: Io, path: string) =>
  say(io, `reckoner: ${path}: the last line is torn and left out`);

function isCode(path: string): boolean {
  return CODE.has(extname(path).toLowerCase());
}

function formatOf({ format, out }: GraphFlags): PictureFormat {
  if (format !== undefined) return oneOf("--format", format, FORMATS);
  if (out === undefined) return "mermaid";
  const ending = ENDINGS[extname(out).toLowerCase()];
  if (ending !== undefined) return ending;
  throw usageError(
    `--out ${out} does not say in which format; add --format with one of ${FORMATS.join(", ")}.`,
  );
}

async function subjectAt(io: Io, path: string, flags: GraphFlags): Promise<GraphSubject> {
  const { at, config } = flags;
  if (isCode(path)) {
    if (at !== undefined) throw usageError(`--at ${at} needs a journal; ${path} is a config.`);
    if (config !== undefined) {
      throw usageError(`--config goes with a journal; ${path} is a config itself.`);
    }
    return { reasoner: (await loadConfig(io, path)).reasoner };
  }
  const journal = journalIn(io, path);
  const { reasoner } = await new Configs(io, { config }).for(await viewOf(journal).header());
  const { state, torn, events } = await fold(reasoner, journal, at);
  if (torn) sayTorn(io, path);
  refusePast(at, events);
  return { reasoner, ...(state === undefined ? {} : { state, seq: events - 1 }) };
}

function save(io: Io, out: string, text: string): void {
  writeOut(io, "--out", out, text, products.picture);
  say(io, `reckoner: wrote ${out}`);
}
