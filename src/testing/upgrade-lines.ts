/** The lines by which a simulated run goes on under another configuration, its children with it. */
import { type AnyReasoner, FoldedTree } from "../core/driver/index.js";
import {
  type Configuration,
  chainLine,
  configurationOf,
  firstConfiguration,
  type HeaderLine,
  headerIn,
  isOf,
  LineDecoder,
  Recorder,
  Replay,
  recordUpgrade,
  UpgradeReader,
} from "../core/journal/index.js";
import type { Reasoner, RunState } from "../core/kernel/index.js";

/**
 * Returns the lines of an upgrade, to be appended to a journal; none where it is under that configuration, or has
 * ended.
 * @param before the code that wrote it
 */
export function upgradeLines<Input, Output, Context>(
  to: Reasoner<Input, Output, Context>,
  before: Reasoner<Input, Output, Context>,
  lines: readonly string[],
): readonly string[] {
  const [next, code] = [to, before] as unknown as readonly [AnyReasoner, AnyReasoner];
  const decoder = new LineDecoder();
  const upgrades = new UpgradeReader();
  const tree = new FoldedTree({});
  let previous = "";
  let header: HeaderLine | undefined;
  let replay: Replay<never, unknown, never> | undefined;
  let from: Configuration = configurationOf(before);
  const present = () => (isOf(from, next) ? next : code);
  for (const [i, text] of lines.entries()) {
    const decoded = decoder.decode(chainLine(text, i + 1, previous));
    previous = decoded.hash;
    const first = headerIn(decoded);
    if (first !== undefined) {
      header = first;
      from = firstConfiguration(first);
      replay = new Replay(present(), { header: first, from: undefined });
      tree.begin(first);
    }
    const upgraded = upgrades.take(decoded.glance ?? decoded.line, i + 1);
    if (upgraded === undefined) {
      tree.take(decoded, text.length, {
        header: header as HeaderLine,
        reasoner: present(),
        replay,
      });
      continue;
    }
    from = upgraded.upgrade.to;
    replay?.upgrade(present(), upgraded.to, undefined);
    tree.upgrade(upgraded, header as HeaderLine, present());
  }
  const state = replay?.state as RunState | undefined;
  const isEnded = state !== undefined && state.status !== "active";
  if (header === undefined || replay === undefined || isOf(from, to) || isEnded) return [];
  const { input, budget } = header;
  const at = state?.at ?? header.at;
  const upgrade = { at, from, to: configurationOf(to) };
  const recorder = new Recorder(replay.ledger, tree.written, previous, tree.seq);
  tree.sources(recorder);
  const over = { at, differs: () => false, input, budget };
  const migrated = state === undefined ? undefined : to.migrate(state, over);
  const after = migrated && { state: migrated as RunState, memory: replay.ledger.memory };
  const carried = tree.carryOver(next, after, upgrade, header, () => () => false);
  return recordUpgrade(recorder, carried).map(({ text }) => text);
}
