/**
 * `fixture`: makes a test case of a recorded run: a new journal of its events, redacted, without
 * links, children and credentials.
 */

import { redacted } from "../../core/driver/live.js";
import {
  type HeaderLine,
  isHeaderLine,
  Recorder,
  reasonerOf,
  startOf,
} from "../../core/journal/index.js";
import {
  isList,
  type Json,
  type List,
  maskCredentials,
  type Reasoner,
  ReckonerError,
  type RunState,
  toJson,
} from "../../core/kernel/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import { readableAt } from "../journals/head.js";
import type { Origin } from "../journals/history.js";
import { journalAt } from "../journals/journal-place.js";
import { linkTo } from "../journals/link.js";
import { appendLines, withWriter } from "../journals/port-calls.js";
import { replay } from "../journals/replay.js";
import { viewOf } from "../journals/view.js";
import type { JournalPort } from "../ports.js";
import { checkAllOptions, checkGivenReasoner } from "../running/check-options.js";
import type { HostOptions } from "../running/options.js";

/** What is to be removed from a fixture, beside credentials. */
export type FixtureOptions = Pick<HostOptions, "redact">;

/**
 * Makes a fixture of a run: a journal by itself that `testRun` replays. Of a child's run its parent's
 * reasoner will do; the fixture is of the child's own.
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
  checkGivenReasoner(reasoner);
  checkAllOptions("fixture", options, { redact: shapes.FUNCTION });
  return recordAnew(reasoner, await readableAt(journal), await journalAt(to), options);
}

/** @param until the last event that is wanted */
async function recordAnew<Input, Output, Context>(
  root: Reasoner<Input, Output, Context>,
  port: JournalPort,
  place: JournalPort,
  options: FixtureOptions,
  until = Number.POSITIVE_INFINITY,
): Promise<{ readonly events: number }> {
  const known = await replay(root, port);
  // What other code wrote before an upgrade was not compared.
  if (known.status === "diverged" || known.segments.some(({ checked }) => !checked)) {
    const message = `A fixture of ${port.name} says what the present code does, and that is not what was recorded; make it with the code that wrote all of it.`;
    throw new ReckonerError("journal.diverged", message, { place: port.name });
  }
  const view = viewOf(port);
  const origin = await view.origin();
  const reasoner = reasonerOf(root, origin.header);
  const linked = await linkedFixture(reasoner, origin, place, options);
  const recorder = new Recorder();
  const lines: string[] = [];
  let state: RunState<Context> | undefined;
  for await (const { line } of view.lines()) {
    if ("event" in line && line.seq > until) break;
    if (isHeaderLine(line)) {
      if (state !== undefined || lines.length > 0) continue;
      const header = headerOf(line, options);
      for (const value of Object.values((linked?.context ?? {}) as object)) {
        if (isList(value)) recorder.inherit(value as List<Json>);
      }
      lines.push(recorder.header({ ...header, ...(linked && { from: linked.link }) }).text);
      const step = startOf(reasoner, header, linked?.context);
      state = step.state;
      const event = { type: "start" as const, at: header.at };
      lines.push(...recorder.event(reasoner, event, step, []).map(({ text }) => text));
    } else if ("mark" in line) lines.push(recorder.mark(line.mark).text);
    else if ("event" in line && line.seq > 0 && state?.status === "active") {
      const event = toJson<typeof line.event>(
        maskCredentials(redacted(options, line.event) as Json),
      );
      const step = reasoner.step(state, event);
      state = step.state;
      const made = recorder.event(reasoner, event, step, line.starts ?? []);
      lines.push(...made.map(({ text }) => text));
    }
  }
  await write(place, lines);
  return { events: (state?.seq ?? -1) + 1 };
}

/** The run that this one goes on from, up to where it does, as a fixture of its own beside it. */
async function linkedFixture<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  { header, port: begun }: Origin,
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
  const { parent: _parent, config: _config, from: _from, fork: _fork, set: _set, ...rest } = header;
  const start = { type: "start" as const, at: header.at, input: header.input };
  const { input } = redacted(options, start) as typeof start;
  return { ...rest, input: maskCredentials(input) };
}

function write(port: JournalPort, lines: readonly string[]): Promise<void> {
  return withWriter(port, "create", (writer) =>
    appendLines(port, writer, lines, { lines: 0, bytes: 0 }),
  );
}
