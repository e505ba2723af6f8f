/** The lines by which a simulated run goes on under another configuration. Its children go on under their own. */
import {
  chainLine,
  configurationOf,
  firstConfiguration,
  headerIn,
  isOf,
  LineDecoder,
  Recorder,
  Replay,
  recordUpgrade,
  WrittenValues,
} from "../core/journal/index.js";
import type { Reasoner, RunState } from "../core/kernel/index.js";

/**
 * The lines of an upgrade, to be appended to a journal; none where it is under that configuration, or has ended.
 * @param before the code that wrote it
 */
export function upgradeLines<Input, Output, Context>(
  to: Reasoner<Input, Output, Context>,
  before: Reasoner<Input, Output, Context>,
  lines: readonly string[],
): readonly string[] {
  const decoder = new LineDecoder(true);
  let previous = "";
  let header: ReturnType<typeof headerIn>;
  let replay: Replay<Input, Output, Context> | undefined;
  let from = configurationOf(before);
  for (const [i, text] of lines.entries()) {
    const decoded = decoder.decode(chainLine(text, i + 1, previous));
    previous = decoded.hash;
    const first = headerIn(decoded);
    if (first !== undefined) {
      header = first;
      from = firstConfiguration(first);
      replay = new Replay(before, { header: first, from: undefined }, before, false);
    }
    const line = decoded.glance ?? decoded.line;
    if ("upgrade" in line) from = line.upgrade.to;
    if (!("run" in line) || line.run === undefined) replay?.take(decoded);
  }
  const state = replay?.state;
  const isEnded = state !== undefined && state.status !== "active";
  if (header === undefined || replay === undefined || isOf(from, to) || isEnded) return [];
  const { input, budget } = header;
  const at = state?.at ?? header.at;
  const over = { at, differs: () => false, input, budget };
  const migrated = state === undefined ? undefined : to.migrate(state as RunState, over);
  const recorder = new Recorder(replay.ledger, new WrittenValues(), previous);
  const upgrade = { at, from, to: configurationOf(to) };
  return recordUpgrade(recorder, upgrade, migrated as RunState | undefined).map(({ text }) => text);
}
