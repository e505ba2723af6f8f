/** `reckoner show`: prints a journal's steps, or the state after one of them. */
import { PassThrough } from "node:stream";
import { type AnyReasoner, FoldedTree } from "../../core/driver/index.js";
import {
  type Configuration,
  changesOf,
  differenceOf,
  type HeaderLine,
  isEventLine,
  isHeaderLine,
  isUnresolved,
  isUpgradeLine,
  RecordedValues,
  ROOT_RUN,
  type StateChange,
} from "../../core/journal/index.js";
import type { RunState } from "../../core/kernel/machine/index.js";
import { isList, type Json, tableValues, toArray } from "../../core/kernel/values/index.js";
import {
  type JournalPort,
  linkedRuns,
  RunView,
  snapshotsOf,
  soundPart,
  takeKnowing,
  verifiedSnapshot,
  viewOf,
} from "../../runtime/index.js";
import {
  type RecordedStep,
  RecordedSteps,
  type TreeStep,
  TreeSteps,
} from "../../studio/model/index.js";
import { Timeline } from "../../time-travel/live/index.js";
import { RecordedChanges } from "../../time-travel/pure/index.js";
import { isoTime } from "../../trace/pure/index.js";
import type { LoadedConfig } from "../config/config.js";
import { Configs } from "../config/config-of-journal.js";
import { journalFile } from "../files/journal-files.js";
import { about, sayFault, usageError } from "../terminal/failure.js";
import { type Io, print, printJson, printJsonList, say, styles } from "../terminal/io.js";
import { paragraph, type Setting, textOfValue } from "../terminal/paragraph.js";
import { sidesOf } from "../terminal/print-difference.js";
import { flattened } from "../terminal/print-end.js";
import { inLine } from "../terminal/visible.js";
import { StepPrinter } from "./show-steps.js";

/** The width of output that goes to no terminal. */
const PIPED_COLUMNS = 100;

/** Flags of `show`. */
export interface ShowFlags {
  readonly at?: number;
  readonly config?: string;
  /** Everything, and nothing cut. */
  readonly full?: boolean;
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
  // The part before a fault can be read.
  const { port, fault } = await soundPart(journalFile(io, journal));
  if (fault !== undefined && flags.json === true && flags.at === undefined) throw fault;
  const header = await viewOf(port).header();
  // A config that the journal names is not run: only one that the caller names is.
  const config = flags.config === undefined ? undefined : await new Configs(io, flags).for(header);
  if (flags.at !== undefined) {
    await showState(io, config, port, flags.at, flags.json ?? false).catch((thrown) => {
      throw fault ?? thrown;
    });
    if (fault !== undefined) sayFault(io, journal, fault);
    return;
  }
  if (flags.json === true) {
    // It is gone through to its end first: half a document would be none.
    const unheard = { ...io, stderr: new PassThrough().resume() };
    for await (const _step of stepsOf(unheard, journal, port, config, true));
    await printJsonList(
      io,
      { header },
      "steps",
      oneByOne(stepsOf(io, journal, port, config, true)),
    );
    return;
  }
  const setting = { columns: io.stdout.columns ?? PIPED_COLUMNS, full: flags.full === true };
  print(io, headline(header, setting));
  const printers = new Map<string, StepPrinter>();
  for await (const step of stepsOf(io, journal, port, config, false)) {
    const { run = ROOT_RUN, begin } = step;
    const input = begin === undefined ? header.input : begin.input;
    const printer = printers.get(run) ?? new StepPrinter(header.at, input, setting);
    if (step.end === undefined) printers.set(run, printer);
    else printers.delete(run);
    print(io, printer.print(step));
  }
  if (fault !== undefined) throw fault;
}

/** The steps of a journal, each as it is read: nothing of them is kept. */
/** A step holds a run's state: of several the text may be too long. */
async function* oneByOne(steps: AsyncIterable<TreeStep>): AsyncGenerator<readonly TreeStep[]> {
  for await (const step of steps) yield [step];
}

async function* stepsOf(
  io: Io,
  journal: string,
  port: JournalPort,
  config: LoadedConfig | undefined,
  json: boolean,
): AsyncGenerator<TreeStep> {
  const steps = new TreeSteps();
  let last = 0;
  const torn = () => say(io, `reckoner: ${journal}: line ${last + 1} is torn and left out`);
  const reasoner = config?.reasoner;
  const code = ({ version }: Configuration) =>
    (reasoner?.version === version ? reasoner : undefined) as AnyReasoner | undefined;
  const tree = reasoner && new FoldedTree({ code, strict: false });
  let same = true;
  let upgraded: string | undefined;
  for await (const line of viewOf(port).treeLines(torn)) {
    last = line.number;
    if (isHeaderLine(line.line) && reasoner !== undefined) {
      const from = await linkedRuns.contextOrUndefined(reasoner, line.port, line.line);
      if (tree?.root === undefined) tree?.begin(line.line, from);
      else tree.fork(line.line);
    }
    if (isHeaderLine(line.line) && line.line.fork !== undefined && !json) {
      print(
        io,
        `-- here run ${inLine(line.runId)} was forked from run ${inLine(line.line.fork.runId)}`,
      );
    }
    if (isUpgradeLine(line.line)) {
      const { from, to } = line.line.upgrade;
      upgraded = differenceOf(from, to);
      if (!json) print(io, `-- from here on under another configuration: ${upgraded}`);
    }
    const step = steps.take(line);
    const take = () => (isHeaderLine(line.line) ? undefined : tree?.take(line));
    const taken = await takeKnowing(line.port, line, take, (lists) => tree?.know(lists));
    if (taken !== undefined && "upgrade" in taken) tree?.upgrade(taken);
    // A replay tells what children do.
    else if (taken?.path === ROOT_RUN && !taken.replayed.same && same) {
      same = false;
      const what = "the config's reasoner does something else than was recorded";
      say(
        io,
        `reckoner: from event ${taken.replayed.line.seq} on, ${what}; reckoner replay says what`,
      );
    }
    if (step === undefined) continue;
    yield upgraded === undefined ? step : { ...step, upgraded };
    upgraded = undefined;
  }
}

function headline({ runId, reasoner, config, at, input }: HeaderLine, setting: Setting): string {
  const from = config === undefined ? "" : `, config ${inLine(config)}`;
  const when = isoTime(at);
  return [
    ...paragraph(
      "",
      `run ${inLine(runId)}: ${inLine(reasoner.id)} version ${reasoner.version}${from}, begun ${when}`,
      "",
      setting,
    ),
    ...paragraph("input:", textOfValue(input), "  ", setting),
  ].join("\n");
}

async function showState(
  io: Io,
  config: LoadedConfig | undefined,
  port: JournalPort,
  at: number,
  json: boolean,
): Promise<void> {
  const { header, state, changes, step } =
    config === undefined
      ? await recordedAt(io, port, at)
      : await computedAt(io, config.reasoner, port, at);
  if (json) {
    printJson(io, JSON.parse(JSON.stringify({ header, state, changes }, flattened)));
    return;
  }
  if (state === undefined) print(io, step ?? "");
  else printState(io, state);
  print(io, at === 0 ? "the start:" : `since event ${at - 1}:`);
  if (changes.length === 0) print(io, "  nothing changed");
  for (const { path, before, after } of changes) {
    const [left, right] = sidesOf(before, after);
    print(io, `  ${path}: ${styles.red(left)} → ${styles.green(right)}`);
  }
}

/** A state, and what changed to it. */
interface ShownState {
  readonly header: HeaderLine;
  readonly state: RunState | undefined;
  readonly changes: readonly StateChange[];
  /** The recorded step, where there is no state. */
  readonly step?: string;
}

/** By the reasoner at hand. */
async function computedAt(
  io: Io,
  reasoner: LoadedConfig["reasoner"],
  port: JournalPort,
  at: number,
): Promise<ShownState> {
  const timeline = await Timeline.open(reasoner, port);
  if (at >= timeline.events) throw pastTheLast(at, timeline.events);
  const moment = await timeline.at(at);
  if (!moment.same) {
    const what = "the config's reasoner does something else than was recorded";
    say(io, `reckoner: at event ${at}, ${what}; reckoner replay says what`);
  }
  if (moment.run !== undefined) {
    const child = `event ${at} is of the child run ${inLine(moment.run)}`;
    say(io, `reckoner: ${child}; the state is its root's. Without --config the event is shown.`);
  }
  const changes = changesOf(moment.before, moment.state);
  return { header: timeline.header, state: moment.state, changes };
}

/** Without any code: from a snapshot where one is kept, and from what the lines say. */
async function recordedAt(io: Io, port: JournalPort, at: number): Promise<ShownState> {
  const header = await viewOf(port).header();
  const torn = () => say(io, `reckoner: ${port.name}: the last line is torn and left out`);
  const run = await runAt(port, at, torn);
  const view = new RunView(port, run);
  const isRoot = run === ROOT_RUN;
  const steps = new RecordedSteps();
  const recorded = new RecordedChanges(steps.values);
  let found: { readonly step: string; readonly changes: readonly StateChange[] } | undefined;
  for await (const { line } of view.lines()) {
    if (found !== undefined) continue;
    if ("parts" in line && line.parts !== undefined) recorded.carryOver(line.parts);
    const step = steps.take(line);
    if (step === undefined || !isEventLine(line)) continue;
    if (line.seq !== at) recorded.pass(line);
    else {
      const named = isRoot ? step : { ...step, run };
      found = { step: printed(header, named), changes: recorded.take(line) };
    }
  }
  if (found === undefined) throw new Error(`There is no event ${at}`);
  const changed = await withBefore(view, found.changes, recorded);
  const state = isRoot ? (await verifiedSnapshot(port, at))?.runs[0]?.state : undefined;
  const before =
    at === 0 || !isRoot ? undefined : (await verifiedSnapshot(port, at - 1))?.runs[0]?.state;
  if (state === undefined && isRoot) {
    say(
      io,
      `reckoner: no snapshot of event ${at} is kept; for the whole state pass --config FILE with the reasoner that wrote it, ${header.reasoner.id} version ${header.reasoner.version}`,
    );
  }
  const whole = state !== undefined && before !== undefined;
  return {
    header,
    state,
    changes: whole
      ? changesOf(before, state)
      : isRoot
        ? await fromSnapshots(port, at, changed, recorded)
        : changed,
    step: found.step,
  };
}

/** Returns the path of the run that took an event. */
async function runAt(port: JournalPort, at: number, torn: () => void): Promise<string> {
  let events = 0;
  let run: string | undefined;
  for await (const { line } of viewOf(port).treeLines(torn)) {
    if (!isEventLine(line)) continue;
    if (line.seq === at) run = line.run ?? ROOT_RUN;
    events = line.seq + 1;
  }
  if (run === undefined) throw pastTheLast(at, events);
  return run;
}

/** Returns a change with the value before it, which may have been set long ago: then it is read once more. */
async function withBefore(
  view: RunView,
  changes: readonly StateChange[],
  { missing }: RecordedChanges,
): Promise<readonly StateChange[]> {
  const last = missing.reduce((most, { seq }) => Math.max(most, seq), -1);
  const found = [...changes];
  const values = RecordedValues.recent();
  const recorded = new RecordedChanges(values);
  for await (const { line } of last < 0 ? [] : view.lines()) {
    values.take(line);
    if (!isEventLine(line)) continue;
    for (const { change, path, seq } of missing) {
      const before = seq === line.seq ? recorded.setTo(line, path) : undefined;
      if (before !== undefined) found[change] = { ...(found[change] as StateChange), before };
    }
    if (line.seq >= last) break;
  }
  return found;
}

/**
 * Returns values that lines name and the journal does not hold, from the snapshots that are kept, the
 * nearest first.
 */
async function fromSnapshots(
  port: JournalPort,
  at: number,
  changes: readonly StateChange[],
  recorded: RecordedChanges,
): Promise<readonly StateChange[]> {
  const kept = [...(await snapshotsOf(port))];
  kept.sort((a, b) => Math.abs(a.seq - at) - Math.abs(b.seq - at));
  let held = changes;
  for (const { seq } of kept) {
    if (!held.some(({ before, after }) => isUnresolved(before) || isUnresolved(after))) break;
    held = recorded.heldBy(held, (await verifiedSnapshot(port, seq))?.runs[0]?.state.context);
  }
  return held;
}

/** One step by itself, whole. */
function printed(header: HeaderLine, step: RecordedStep): string {
  const setting = { columns: Number.POSITIVE_INFINITY, full: true };
  return new StepPrinter(header.at, header.input, setting).print(step);
}

function pastTheLast(at: number, events: number): Error {
  return usageError(
    `--at ${at} is past the last event, ${events === 0 ? "there is none" : events - 1}.`,
  );
}

function printState(io: Io, state: RunState): void {
  const { context, outstanding, issued: _issued, ...rest } = state;
  for (const [name, value] of Object.entries(rest)) printPart(io, name, value as Json, "");
  print(io, "context:");
  for (const [name, value] of Object.entries(context as object)) printPart(io, name, value, "  ");
  printPart(io, "outstanding", tableValues(outstanding) as never, "");
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
