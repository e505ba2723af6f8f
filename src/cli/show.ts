/** `reckoner show`: a journal's steps, or the state after one of them, for people. */
import {
  compareStep,
  foldJournal,
  foldSteps,
  type HeaderLine,
  type JournalText,
  type Line,
  readJournal,
  reasonerOf,
} from "../core/journal/index.js";
import { asJson, isList, type Json, printStep, printValue, toArray } from "../core/kernel/index.js";
import type { LoadedConfig } from "./config.js";
import { Configs } from "./config-of-journal.js";
import { flattened } from "./end.js";
import { about, describe, usageError } from "./failure.js";
import { type Io, print, say } from "./io.js";
import { readJournalFile } from "./journal-files.js";
import { printRecorded, recordedSteps } from "./recorded.js";

/** Flags of `show`. */
export interface ShowFlags {
  readonly at?: number;
  readonly config?: string;
  readonly json?: boolean;
}

/** Shows. @returns the exit code */
export async function showCommand(io: Io, journal: string, flags: ShowFlags): Promise<number> {
  try {
    await show(io, journal, flags);
    return 0;
  } catch (thrown) {
    throw about(journal, thrown);
  }
}

async function show(io: Io, journal: string, flags: ShowFlags): Promise<void> {
  const text = await readJournalFile(io, journal);
  const { header, lines: decoded, torn } = readJournal(text);
  const lines = decoded.map(({ line }) => line);
  if (torn !== "") {
    say(io, `reckoner: ${journal}: line ${lines.length + 1} is torn and left out`);
  }
  const configs = new Configs(io, flags.config);
  if (flags.at !== undefined) {
    showState(io, await configs.for(header), text, flags.at, flags.json ?? false);
  } else if (flags.json === true) {
    print(io, JSON.stringify({ header, steps: [...recordedSteps(lines)] }, null, 2));
  } else {
    print(io, headline(header));
    const config = await configs.for(header).catch((thrown: unknown) => {
      // A config that the caller named has to be usable.
      if (flags.config !== undefined) throw thrown;
      say(io, `reckoner: shown as recorded, since: ${describe(thrown)}`);
      return undefined;
    });
    if (config === undefined)
      for (const step of recordedSteps(lines)) print(io, printRecorded(step));
    else showSteps(io, config, header, lines);
  }
}

function headline({ runId, reasoner, config, at, input }: HeaderLine): string {
  const from = config === undefined ? "" : `, config ${config}`;
  const when = new Date(at).toISOString();
  return `run ${runId}: ${reasoner.id} version ${reasoner.version}${from}, begun ${when}\n  input: ${printValue(input)}`;
}

function showSteps(io: Io, config: LoadedConfig, header: HeaderLine, lines: readonly Line[]): void {
  const reasoner = reasonerOf(config.reasoner, header);
  let same = true;
  for (const { line, event, step } of foldSteps(reasoner, header, lines)) {
    const upTo = () => lines.slice(0, lines.indexOf(line) + 1);
    if (same && compareStep(reasoner, line, step, upTo) !== undefined) {
      same = false;
      const what = "the config's reasoner does something else than was recorded";
      say(io, `reckoner: from event ${line.seq} on, ${what}; reckoner replay says what`);
    }
    print(io, printStep(event, step));
  }
}

function showState(
  io: Io,
  { reasoner }: LoadedConfig,
  text: JournalText,
  at: number,
  json: boolean,
): void {
  const { header, state, events } = foldJournal(reasoner, text, at);
  if (state === undefined || state.seq < at) {
    throw usageError(`--at ${at} is past the last event, ${events - 1}.`);
  }
  if (json) {
    print(io, JSON.stringify({ header, state }, flattened, 2));
    return;
  }
  const { context, outstanding, issued: _issued, ...rest } = state;
  for (const [name, value] of Object.entries(rest)) printPart(io, name, value as Json, "");
  print(io, "context:");
  for (const [name, value] of Object.entries(context as object)) printPart(io, name, value, "  ");
  printPart(io, "outstanding", asJson(outstanding), "");
}

/** A value whole; a list item by item. */
function printPart(io: Io, name: string, value: Json, indent: string): void {
  const items = isList(value) ? toArray(value) : value;
  if (!Array.isArray(items) || items.length === 0) {
    print(io, `${indent}${name}: ${JSON.stringify(items, flattened)}`);
    return;
  }
  print(io, `${indent}${name}:`);
  for (const item of items) print(io, `${indent}  - ${JSON.stringify(item, flattened)}`);
}
