/**
 * `fixture`: makes a test case of a recorded run and its children: a new journal of their events, redacted,
 * without links and credentials.
 */

import { redacted } from "../../core/driver/for-live-runs.js";
import { type HeaderLine, isHeaderLine, type SetAnswer } from "../../core/journal/index.js";
import type { Reasoner } from "../../core/kernel/machine/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import { type Json, ReckonerError, toJson } from "../../core/kernel/values/index.js";
import { maskCredentials, type RunEvent } from "../../core/kernel/vocabulary/index.js";
import {
  appendLines,
  checkAllOptions,
  checkIsReasoner,
  type HeadedJournal,
  type HostOptions,
  type JournalPort,
  journalAt,
  linkTo,
  readableAt,
  replay,
  viewOf,
  withWriter,
} from "../../runtime/index.js";
import { TreeRecording } from "./tree-recording.js";

/** Texts that are removed from a fixture, beside credentials. */
export type FixtureOptions = Pick<HostOptions, "redact">;

/**
 * Makes a fixture of a run: a journal by itself that `testRun` replays.
 * @param to where there is no journal
 * @returns how many events it has
 * @throws ReckonerError `journal.diverged` where the present code is not what wrote all of the journal,
 * `journal.exists`, and what reading a journal throws
 */
export async function fixture<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  journal: string | JournalPort,
  to: string | JournalPort,
  options: FixtureOptions = {},
): Promise<{ readonly events: number }> {
  checkIsReasoner(reasoner);
  checkAllOptions("fixture", options, { redact: shapes.FUNCTION });
  return recordAnew(reasoner, await readableAt(journal), await journalAt(to), options);
}

/** @param until the last event that is wanted */
async function recordAnew<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  port: JournalPort,
  place: JournalPort,
  options: FixtureOptions,
  until = Number.POSITIVE_INFINITY,
): Promise<{ readonly events: number }> {
  const report = await replay(reasoner, port);
  // Events before an upgrade are other code's and were not compared.
  if (report.status === "diverged" || report.segments.some(({ checked }) => !checked)) {
    const message = `A fixture of ${port.name} says what the present code does, and that is not what was recorded; make it with the code that wrote all of it.`;
    throw new ReckonerError("journal.diverged", message, { place: port.name });
  }
  const view = viewOf(port);
  const origin = await view.origin();
  const linked = await linkedFixture(reasoner, origin, place, options);
  const set = origin.port === port ? [] : await setIn(port, options);
  const header = {
    ...headerOf(origin.header, options),
    ...(linked && { from: linked.link }),
    ...(set.length === 0 ? {} : { set }),
  };
  const seen = (event: RunEvent) => seenOf(event, options);
  const recording = new TreeRecording(reasoner as never, header, linked?.context, seen);
  for await (const { line } of view.treeLines()) {
    if (!("event" in line)) recording.take(line);
    else if (line.seq > until) break;
    else if (line.seq > 0) recording.take(line);
  }
  await write(place, recording.lines);
  return { events: recording.events };
}

/** The answers that forks were given, which need not be what a child came to. */
async function setIn(port: JournalPort, options: FixtureOptions): Promise<readonly SetAnswer[]> {
  const set: SetAnswer[] = [];
  for await (const { line } of viewOf(port).treeLines()) {
    for (const { event, ...of } of (isHeaderLine(line) && line.set) || []) {
      set.push({ ...of, event: seenOf(event, options) });
    }
  }
  return set;
}

function seenOf<Seen extends RunEvent>(event: Seen, options: FixtureOptions): Seen {
  return toJson<Seen>(maskCredentials(redacted(options, event) as Json));
}

/** The run that this one goes on from, up to where it does, as a fixture of its own beside it. */
async function linkedFixture<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  { header, port: begun }: HeadedJournal,
  place: JournalPort,
  options: FixtureOptions,
) {
  const { from } = header;
  const other = from === undefined ? undefined : begun.follow?.(from.journal);
  const beside = place.fork?.("from");
  if (other === undefined || beside === undefined) return undefined;
  await recordAnew(reasoner, other, beside, options, from?.seq);
  return linkTo(reasoner, place, beside);
}

function headerOf(header: HeaderLine, options: FixtureOptions): HeaderLine {
  const { config: _config, from: _from, fork: _fork, set: _set, ...rest } = header;
  const start = { type: "start" as const, at: header.at, input: header.input };
  const { input } = redacted(options, start) as typeof start;
  return { ...rest, input: maskCredentials(input) };
}

function write(port: JournalPort, lines: readonly string[]): Promise<void> {
  return withWriter(port, "create", (writer) =>
    appendLines(port, writer, lines, { lines: 0, bytes: 0 }),
  );
}
