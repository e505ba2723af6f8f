/**
 * Puts other answers in place of recorded ones, in the record of a run and of its child runs, for `redrive`.
 * A child is driven before its parent, which is then given the end that the child would have come to.
 */

import { type AnyReasoner, childNamed } from "../../core/driver/for-live-runs.js";
import { childEndOf, settlementOf } from "../../core/driver/index.js";
import { parentOf, ROOT_RUN, type TreeFold } from "../../core/journal/index.js";
import { owedBy, type RunState } from "../../core/kernel/machine/index.js";
import { type Json, ReckonerError } from "../../core/kernel/values/index.js";
import { noUsage, type Settlement, type Usage } from "../../core/kernel/vocabulary/index.js";
import type { RunRecord } from "../pure/index.js";
import { setAnswer } from "./set-answer.js";

/** The answers that are set, by their runs; with each child its parents. The deepest come first. */
export function setsByRun(
  tree: TreeFold<RunRecord>,
  set: { readonly [id: string]: unknown },
): ReadonlyMap<string, { readonly [id: string]: unknown }> {
  const found = new Map<string, Record<string, unknown>>();
  const of = (path: string): Record<string, unknown> => {
    const answers = found.get(path) ?? {};
    found.set(path, answers);
    if (path !== ROOT_RUN) of(parentOf(path)[0]);
    return answers;
  };
  for (const [key, value] of Object.entries(set)) {
    const [path, id] = tree.root.effects.has(key) ? [ROOT_RUN, key] : parentOf(key);
    if (tree.of(path) === undefined) throw noSuchRequest(key);
    of(path)[id] = value;
  }
  const depth = (path: string) => (path === ROOT_RUN ? 0 : path.split(":").length);
  return new Map([...found].sort(([a], [b]) => depth(b) - depth(a)));
}

/** The code of a run of a tree. @throws ReckonerError `port.missing` where the present code has no such child */
export function reasonerAt(
  tree: TreeFold<RunRecord>,
  root: AnyReasoner,
  path: string,
): AnyReasoner {
  if (path === ROOT_RUN) return root;
  const [parent, id] = parentOf(path);
  const record = tree.of(parent);
  const node = record?.effects.get(id)?.parts.get("reasoner");
  const name = node === undefined ? "" : String(record?.values.value(node));
  const found = childNamed(reasonerAt(tree, root, parent), name);
  if (found !== undefined) return found;
  throw new ReckonerError("port.missing", `The run has no reasoner ${name}.`, { place: path });
}

/** Gives a child's parent what the child would have come to; nothing where it still waits for something. */
export function settleIn(
  tree: TreeFold<RunRecord>,
  path: string,
  child: AnyReasoner,
  state: RunState<never>,
): void {
  const [parent, id] = parentOf(path);
  const record = tree.of(parent);
  const effect = record?.effects.get(id);
  if (record === undefined || effect === undefined) return;
  if (state.status === "active" && [...owedBy(state)].length > 0) {
    record.effects.set(id, { ...effect, answer: undefined });
    return;
  }
  // Its own machine counts its money; tokens were spent, whatever it would have come to.
  const { usage = noUsage } = (effect.answer?.event ?? {}) as { readonly usage?: Usage };
  const { cost: _cost, ...spent } = usage as Usage & { readonly cost?: number };
  const end = childEndOf(child, state, { usage: spent });
  const { at } = effect.answer?.event ?? state;
  giveAnswer(record, id, { ...settlementOf(id, end), at } as Settlement);
}

function noSuchRequest(id: string): ReckonerError {
  const message = `The run has no request ${id} whose answer could be another.`;
  return new ReckonerError("fork.answer", message, { place: id });
}

/** @throws ReckonerError `fork.answer` where the run has no such request, or the answer cannot be taken */
export function setAnswers(record: RunRecord, set: { readonly [id: string]: unknown }): void {
  for (const [id, value] of Object.entries(set)) {
    const effect = record.effects.get(id);
    if (effect === undefined) throw noSuchRequest(id);
    const { answer, type } = effect;
    const at = answer?.event.at ?? record.events.at(-1)?.event.at ?? effect.at;
    const asked = { id, type, name: undefined };
    giveAnswer(record, id, setAnswer(asked, value as Json, at, answer?.event));
  }
}

/** Gives a request another answer. One that was never answered comes behind all that was recorded. */
function giveAnswer(record: RunRecord, id: string, event: Settlement): void {
  const effect = record.effects.get(id);
  const last = record.events.at(-1);
  if (effect === undefined || last === undefined) return;
  const place = effect.answer ?? { ...last, seq: last.seq + 1, key: id, issued: [] };
  record.effects.set(id, { ...effect, answer: { ...place, event } });
}
