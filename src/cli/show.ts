/** `reckoner show`: a journal's steps, or the state after one of them, for people. */
import { type HeaderLine, Replay, reasonerOf } from "../core/journal/index.js";
import {
  isList,
  type Json,
  printStep,
  printValue,
  tableValues,
  toArray,
} from "../core/kernel/index.js";
import {
  contextOfLink,
  fold,
  type JournalPort,
  readHeader,
  readLines,
  verifiedSnapshot,
} from "../runtime/index.js";
import type { LoadedConfig } from "./config.js";
import { Configs } from "./config-of-journal.js";
import { flattened } from "./end.js";
import { about, usageError } from "./failure.js";
import { type Io, print, printJson, say } from "./io.js";
import { journalFile } from "./journal-files.js";
import { printRecorded, type RecordedStep, RecordedSteps } from "./recorded.js";

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
  const port = journalFile(io, journal);
  const header = await readHeader(port);
  // What a journal names is not run: only a config that the caller names is.
  const config =
    flags.config === undefined ? undefined : await new Configs(io, flags.config).for(header);
  if (flags.at !== undefined) {
    await showState(io, config, port, flags.at, flags.json ?? false);
    return;
  }
  if (flags.json !== true) print(io, headline(header));
  const steps = new RecordedSteps();
  const shown: RecordedStep[] = [];
  let last = 0;
  const torn = () => say(io, `reckoner: ${journal}: line ${last + 1} is torn and left out`);
  const reasoner = config === undefined ? undefined : reasonerOf(config.reasoner, header);
  const replay =
    reasoner === undefined
      ? undefined
      : new Replay(reasoner, { header, from: await contextOfLink([reasoner], port, header) });
  let same = true;
  for await (const line of readLines(port, torn)) {
    last = line.number;
    const step = steps.take(line.line);
    const replayed = replay?.take(line);
    if (replayed !== undefined && !replayed.same && same) {
      same = false;
      const what = "the config's reasoner does something else than was recorded";
      say(io, `reckoner: from event ${replayed.line.seq} on, ${what}; reckoner replay says what`);
    }
    if (step === undefined) continue;
    if (flags.json === true) shown.push(step);
    else
      print(
        io,
        replayed === undefined ? printRecorded(step) : printStep(replayed.event, replayed.step),
      );
  }
  if (flags.json === true) printJson(io, { header, steps: shown });
}

function headline({ runId, reasoner, config, at, input }: HeaderLine): string {
  const from = config === undefined ? "" : `, config ${config}`;
  const when = new Date(at).toISOString();
  return `run ${runId}: ${reasoner.id} version ${reasoner.version}${from}, begun ${when}\n  input: ${printValue(input)}`;
}

async function showState(
  io: Io,
  config: LoadedConfig | undefined,
  port: JournalPort,
  at: number,
  json: boolean,
): Promise<void> {
  const { header, state, events } =
    config === undefined ? await stateOfSnapshot(port, at) : await fold(config.reasoner, port, at);
  if (state === undefined || state.seq < at) {
    throw usageError(`--at ${at} is past the last event, ${events - 1}.`);
  }
  if (json) {
    printJson(io, JSON.parse(JSON.stringify({ header, state }, flattened)));
    return;
  }
  const { context, outstanding, issued: _issued, ...rest } = state;
  for (const [name, value] of Object.entries(rest)) printPart(io, name, value as Json, "");
  print(io, "context:");
  for (const [name, value] of Object.entries(context as object)) printPart(io, name, value, "  ");
  printPart(io, "outstanding", tableValues(outstanding) as never, "");
}

/** A state without any code: where a snapshot of it is kept. */
async function stateOfSnapshot(port: JournalPort, at: number) {
  const header = await readHeader(port);
  const snapshot = await verifiedSnapshot(port, at);
  if (snapshot === undefined) {
    throw usageError(
      `No snapshot of event ${at} is kept; pass --config FILE with the reasoner that wrote it, ${header.reasoner.id} version ${header.reasoner.version}.`,
    );
  }
  return { header, state: snapshot.state, events: at + 1 };
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
