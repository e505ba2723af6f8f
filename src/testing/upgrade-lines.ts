/**
 * Makes the lines that upgrade a simulated run and its child runs to another configuration, to be appended to
 * its journal.
 */
import { type AnyReasoner, carriedOver, differs, FoldedTree } from "../core/driver/index.js";
import {
  chainLine,
  headerIn,
  isOf,
  LineDecoder,
  Recorder,
  recordUpgrade,
} from "../core/journal/index.js";
import type { Reasoner, RunState } from "../core/kernel/machine/index.js";

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
  const tree = new FoldedTree({ code: (of) => (isOf(of, next) ? next : code) });
  let previous = "";
  for (const [i, text] of lines.entries()) {
    const decoded = decoder.decode(chainLine(text, i + 1, previous));
    previous = decoded.hash;
    const header = headerIn(decoded);
    if (header !== undefined) tree.begin(header);
    const taken = header === undefined ? tree.take(decoded) : undefined;
    if (taken !== undefined && "upgrade" in taken) tree.upgrade(taken);
  }
  const { root: replay, header, configuration: from } = tree;
  const state = replay?.state as RunState | undefined;
  const isEnded = state !== undefined && state.status !== "active";
  if (replay === undefined || isOf(from, to) || isEnded) return [];
  const recorder = new Recorder(replay.ledger, tree.written, previous, tree.seq);
  tree.sources(recorder);
  const over = carriedOver(next, { header, configuration: from, state }, state?.at ?? header.at);
  const after = over.state && { state: over.state as RunState, memory: replay.ledger.memory };
  const carried = tree.carryOver(next, after, over.upgrade, differs);
  return recordUpgrade(recorder, carried).map(({ text }) => text);
}
