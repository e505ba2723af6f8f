/**
 * `reckoner checkpoint`, `fork`, `rewind`, `salvage` and `forks`: the commands that go back in a run, or list
 * its checkpoints and forks.
 */
import { resolve } from "node:path";
import * as shapes from "../../core/kernel/shapes.js";
import { isReckonerError, type Json } from "../../core/kernel/values/index.js";
import { type JournalPort, viewOf } from "../../runtime/index.js";
import {
  checkpoint,
  type Fork,
  type ForkOptions,
  type ForkTree,
  fork,
  forks,
  type RewindTo,
  rewind,
  salvage,
} from "../../time-travel/live/index.js";
import { isoTime } from "../../trace/pure/index.js";
import { Configs } from "../config/config-of-journal.js";
import { journalPlace } from "../files/journal-files.js";
import { parseJsonFlag } from "../files/json-flag.js";
import { about, oneLine, usageError } from "../terminal/failure.js";
import { type Io, print, printJson, say, styles } from "../terminal/io.js";
import { plural } from "../terminal/plural.js";
import { inLine } from "../terminal/visible.js";

/** Flags that all of these have. */
interface TravelFlags {
  readonly json?: boolean;
  readonly limit?: number;
}
/** Flags of `checkpoint`. */
export interface CheckpointFlags extends TravelFlags {
  readonly at?: number;
  readonly name?: string;
}
/** Flags of `fork`. */
export interface ForkFlags extends TravelFlags {
  readonly at?: number;
  readonly set?: readonly string[];
  readonly out?: string;
  readonly name?: string;
  readonly config?: string;
}
/** Flags of `salvage`. */
export interface SalvageFlags extends TravelFlags {
  readonly out: string;
  readonly name?: string;
}
/** Flags of `rewind`. */
export interface RewindFlags extends TravelFlags {
  readonly to: string;
}

/** Notes name other journals by their place, so the path is absolute. */
function journalAt(io: Io, path: string): JournalPort {
  return journalPlace(io, path);
}

async function saying(journal: string, work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (thrown) {
    throw about(journal, thrown);
  }
}

/** Marks an event. @returns the exit code */
export function checkpointCommand(
  io: Io,
  journal: string,
  flags: CheckpointFlags,
): Promise<number> {
  const { json, ...options } = flags;
  return saying(journal, async () => {
    const { name } = options;
    if (name !== undefined && !("checkpoint" in rewindTo(name))) {
      throw usageError(
        `--name ${name} is what rewind --to takes for an event or a time; write a word.`,
      );
    }
    const made = await checkpoint(journalAt(io, journal), options);
    if (json === true) printJson(io, made);
    else
      print(
        io,
        `checkpoint ${inLine(made.name)}: event ${made.seq}, ${plural(made.events, "event")}`,
      );
  });
}

/** Forks. @returns the exit code */
export function forkCommand(io: Io, journal: string, flags: ForkFlags): Promise<number> {
  const { json, out, config, set: words = [], ...options } = flags;
  if (options.at !== undefined && words.length > 0) {
    throw usageError("--set cuts just before that answer; leave --at out.");
  }
  return saying(journal, async () => {
    const port = journalAt(io, journal);
    const made = await fork(port, {
      ...options,
      ...(words.length === 0
        ? {}
        : { set: answersOf(words), ...(await hidingOf(io, port, config)) }),
      ...(out === undefined ? {} : { to: journalAt(io, out) }),
    });
    if (json === true) return printJson(io, documentOf(io, made));
    printFork(io, made, config);
  });
}

/** Makes a fork of what stands before a fault. @returns the exit code */
export function salvageCommand(io: Io, journal: string, flags: SalvageFlags): Promise<number> {
  const { json, out, ...options } = flags;
  return saying(journal, async () => {
    const made = await salvage(journalAt(io, journal), { ...options, to: journalAt(io, out) });
    if (json === true) return printJson(io, documentOf(io, made));
    printFork(io, made, undefined);
  });
}

function printFork(io: Io, made: Fork, config: string | undefined): void {
  const path = inLine(shownPath(io, made.journal));
  const { runId, seq } = made.from;
  print(
    io,
    `${path}: run ${inLine(made.runId)}, cut from run ${inLine(runId)} behind event ${seq}`,
  );
  for (const id of made.children) print(io, `  with the child run ${inLine(id)}`);
  sayOfCut(io, made);
  const with_ = config === undefined ? "" : ` --config ${config}`;
  say(io, `reckoner: nothing has run yet; go on with: reckoner resume ${path}${with_}`);
}

/**
 * Returns the function that hides given answers: of the config that is named or that the journal names,
 * as in a resume.
 */
async function hidingOf(
  io: Io,
  port: JournalPort,
  named: string | undefined,
): Promise<Pick<ForkOptions, "redact" | "maskCredentials">> {
  const header = await viewOf(port).header();
  if (named === undefined && header.config === undefined) return {};
  try {
    const { options = {} } = await new Configs(io, { config: named }).for(header);
    const { redact, maskCredentials } = options;
    return shapes.defined({ redact, maskCredentials });
  } catch (thrown) {
    if (!isReckonerError(thrown) || thrown.code !== "config.outside") throw thrown;
    say(io, `reckoner: what is set is not redacted: ${thrown.message}`);
    return {};
  }
}

/** Rewinds. @returns the exit code */
export function rewindCommand(io: Io, journal: string, flags: RewindFlags): Promise<number> {
  const { json, to, ...options } = flags;
  return saying(journal, async () => {
    const made = await rewind(journalAt(io, journal), rewindTo(to), options);
    if (json === true) return printJson(io, documentOf(io, made));
    const { removed, retained } = made;
    const back = `${plural(removed, "event")} taken back, ${retained} retained`;
    print(io, `${journal}: rewound to event ${made.from.seq}: ${back}`);
    sayOfCut(io, made);
    say(
      io,
      `reckoner: the journal stays as it was; reckoner resume ${journal} goes on in ${inLine(shownPath(io, made.journal))}`,
    );
  });
}

function rewindTo(word: string): RewindTo {
  if (/^\d{1,15}$/.test(word)) return { at: Number(word) };
  return /^\d{4}-\d\d-\d\d/.test(word) ? { time: word } : { checkpoint: word };
}

function answersOf(words: readonly string[]): { readonly [id: string]: Json } {
  const answers = new Map<string, Json>();
  for (const word of words) {
    const at = word.indexOf("=");
    if (at < 1) throw usageError(`--set ${word} is not ID=JSON; write --set tool/0/0='"text"'.`);
    const id = word.slice(0, at);
    if (answers.has(id)) throw usageError(`The answer ${id} is set twice; set it once.`);
    answers.set(id, parseJsonFlag(`--set ${id}`, word.slice(at + 1)));
  }
  return Object.fromEntries(answers);
}

function documentOf(io: Io, { journal, ...made }: Fork): object {
  return { journal: shownPath(io, journal), ...made };
}

/** A path as it can be typed here. */
function shownPath(io: Io, { name }: JournalPort): string {
  const from = `${resolve(io.cwd)}/`;
  return name.startsWith(from) ? name.slice(from.length) : name;
}

/** Says what the cut does not take back, and where a person is asked again. */
function sayOfCut(io: Io, { writes, effects, undecided, from, fault }: Fork): void {
  if (fault !== undefined) {
    say(io, `reckoner: the original has a fault behind event ${from.seq}: ${oneLine(fault)}`);
    say(
      io,
      "reckoner: what was outstanding there may have begun, and its tools are settled as unknown",
    );
  }
  if (undecided.length > 0) {
    const ids = undecided.map(inLine).join(", ");
    say(io, `reckoner: cut before the decision of ${ids}: what was allowed had not begun`);
  }
  if (effects.length > 0) {
    const begun = effects.map(({ id, tool, idempotent }) => {
      const how = idempotent === undefined ? "" : idempotent ? ", idempotent" : ", not idempotent";
      return `${inLine(tool)} (${inLine(id)}${how})`;
    });
    say(
      io,
      `reckoner: began behind event ${from.seq}, and may have taken effect: ${begun.join(", ")}`,
    );
  }
  const written = Object.entries(writes).map(([store, n]) => `${n} to ${inLine(store)}`);
  const there =
    written.length === 0
      ? ""
      : ` What was written behind event ${from.seq} is still there: ${written.join(", ")}.`;
  say(io, `reckoner: stores do not fork.${there}`);
}

/** Lists. @returns the exit code */
export function forksCommand(io: Io, journal: string, flags: TravelFlags): Promise<number> {
  return saying(journal, async () => {
    const port = journalAt(io, journal);
    const listed = await forks(port);
    if (flags.json === true) return printJson(io, listed);
    const { head, checkpoints, malformed } = listed;
    print(io, `${journal}: run ${inLine(listed.runId)}, ${plural(listed.events, "event")}`);
    for (const { name, seq, at } of checkpoints) {
      print(io, `  checkpoint ${inLine(name)}: event ${seq}, made ${isoTime(at)}`);
    }
    printForks(io, listed.forks, "  ");
    if (head !== undefined) {
      const rewound = `rewound to event ${head.seq} (${head.removed} taken back, ${head.retained} retained)`;
      print(io, `  head: ${rewound}; goes on in ${inLine(head.journal)}`);
    }
    if (listed.forks.length + checkpoints.length === 0) print(io, "  no checkpoints, no forks");
    if (malformed > 0)
      say(io, `reckoner: ${malformed} notes beside ${journal} cannot be read, and are skipped`);
  });
}

function printForks(io: Io, forked: readonly ForkTree[], indent: string): void {
  for (const each of forked) {
    const how = each.rewind === true ? "rewind" : "fork";
    const set = each.set === undefined ? "" : `, sets ${each.set.map(inLine).join(", ")}`;
    const state =
      each.missing === undefined
        ? `${plural(each.events ?? 0, "event")}, ${each.ended ?? "open"}`
        : styles.red(each.missing);
    print(io, `${indent}${how} ${inLine(each.name)}: behind event ${each.seq}${set}; ${state}`);
    print(io, `${indent}  ${inLine(shownPath(io, { name: each.path } as JournalPort))}`);
    printForks(io, each.forks, `${indent}  `);
  }
}
