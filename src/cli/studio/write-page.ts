/** `studio --html`: writes a page with its journals in it, which opens without a network. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { isEventLine, LineDecoder, textOfLines } from "../../core/journal/index.js";
import { headerOf, type JournalPort } from "../../runtime/index.js";
import { decoded, viewOf } from "../../runtime/journals/index.js";
import { type Embedded, heldJournal, type StateAnswer } from "../../studio/live/index.js";
import { products, refuseOverwrite } from "../files/refuse-overwrite.js";
import { usageError } from "../terminal/failure.js";
import { print } from "../terminal/io.js";
import { aboutOf, stateOf } from "./api.js";
import { costOf } from "./costs.js";
import type { Studio } from "./open-studio.js";
import { wholePage } from "./page.js";
import { readItem, unreadItem } from "./run-items.js";

/** Bytes of a page: longer ones no mail takes, and no browser opens at once. */
export const MAX_PAGE: number = 50 * 1024 * 1024;

/** The runs that are meant, by their journals or run ids, and the last event of each. */
export interface PageCut {
  readonly run?: readonly string[] | undefined;
  readonly at?: number | undefined;
}

/** Writes it. @throws ReckonerError `cli.usage` where it would be too large, or no run is meant */
export async function writePage(parts: Studio, out: string, cut: PageCut): Promise<void> {
  const { io, journals } = parts;
  refuseOverwrite(io, "--html", out, products.page);
  const data = await embedded(parts, cut);
  const { runs, unread } = data.listed;
  if (runs.length === 0 && unread.length === 0) {
    throw usageError(`No run is named ${(cut.run ?? []).join(" or ")}; reckoner list names them.`);
  }
  const page = wholePage(data);
  const size = Buffer.byteLength(page);
  if (size > MAX_PAGE) {
    const megabytes = Math.ceil(size / 1024 / 1024);
    const how = journals.kind === "journal" ? "--at SEQ" : "--run RUN or --at SEQ";
    throw usageError(`The page would have ${megabytes} MB, and may have 50; cut it with ${how}.`);
  }
  writeFileSync(resolve(io.cwd, out), page);
  print(io, out);
}

async function embedded(parts: Studio, { run, at }: PageCut): Promise<Embedded> {
  const { journals } = parts;
  const { name: title, prices } = await aboutOf(parts);
  const listed = {
    runs: [] as Embedded["listed"]["runs"][number][],
    unread: [] as Embedded["listed"]["unread"][number][],
  };
  // Runs of a host may have any names, such as __proto__.
  const texts = new Map<string, string>();
  const links = new Map<string, Map<string, string>>();
  const states = new Map<string, readonly StateAnswer[]>();
  let left = MAX_PAGE;
  const add = async (port: JournalPort, name: string): Promise<void> => {
    if (texts.has(name)) return;
    const text = await textOf(port, at, left);
    left -= text.length;
    texts.set(name, text);
    const { from, fork } = await headerOf(port);
    for (const link of [from, fork]) {
      const other = link === undefined ? undefined : port.follow?.(link.journal);
      if (link === undefined || other === undefined) continue;
      const word = `${name} → ${link.journal}`;
      links.set(name, (links.get(name) ?? new Map()).set(link.journal, word));
      await add(other, word).catch(() => undefined);
    }
  };
  for (const name of await journals.names()) {
    const port = journals.open(name);
    try {
      const whole = await readItem(port, name);
      if (run !== undefined && !run.includes(name) && !run.includes(whole.runId)) continue;
      await add(port, name);
      // The row of a run that is cut says what the page shows of it: it may not be over there.
      const isCut = at !== undefined && at < whole.events - 1;
      const shown = isCut
        ? heldJournal(name, texts.get(name), (link) => port.follow?.(link))
        : port;
      const item = isCut ? await readItem(shown, name) : whole;
      const cost = await costOf(shown, item, prices).catch(() => undefined);
      listed.runs.push(cost === undefined ? item : { ...item, cost });
      const state = await stateOf(parts, port, at ?? item.events).catch(() => null);
      if (state !== null) states.set(name, [state]);
    } catch (thrown) {
      if (run === undefined || run.includes(name)) listed.unread.push(unreadItem(name, thrown));
    }
  }
  const [only, ...more] = listed.runs;
  const isOne = only !== undefined && more.length === 0 && listed.unread.length === 0;
  const about = { name: title, prices, kind: "file", code: false, decides: "no" } as const;
  const own = isOne ? { ...about, only: only.journal } : about;
  const linked = [...links].map(([name, words]) => [name, Object.fromEntries(words)] as const);
  return {
    about: own,
    listed,
    journals: Object.fromEntries(texts),
    links: Object.fromEntries(linked),
    states: Object.fromEntries(states),
  };
}

/** The text of a journal up to an event. Behind the limit it stops: the page is refused anyway. */
async function textOf(port: JournalPort, at: number | undefined, left: number): Promise<string> {
  const decoder = new LineDecoder();
  const lines: string[] = [];
  let size = 0;
  for await (const batch of viewOf(port).rawLines().batches()) {
    for (const raw of batch) {
      const { line } = decoded(decoder, raw);
      if (at !== undefined && isEventLine(line) && line.seq > at) return textOfLines(lines);
      const text = raw.text();
      lines.push(text);
      size += text.length + 1;
      if (size > left) return textOfLines(lines);
    }
  }
  return textOfLines(lines);
}
