/**
 * Describes a model call for the studio's view Shown: each block that the model was shown, its source, and
 * the difference from the call before.
 */
import * as shapes from "../../core/kernel/shapes.js";
import { asJson, canonical, groupBy, type Json } from "../../core/kernel/values/index.js";
import { directiveOf, requestSources, runOfId, type SeenBlock } from "../../trace/pure/index.js";
import type { IssuedEffect, RecordedRun } from "./recorded-run.js";
import type { RecordedTree } from "./recorded-tree.js";
import { type SourceWords, sourceWords } from "./why.js";

/** A block of a request. */
export interface ShownBlock extends Omit<SeenBlock, "sources"> {
  readonly sources: readonly SourceWords[];
  /** `new`: the call before did not show it; absent for the first call of a run. */
  readonly change?: "same" | "new" | "changed";
  /** Of a changed block: as the call before showed it. */
  readonly before?: Json;
}

/** A model request. */
export interface ShownRequest {
  /** Of its event. */
  readonly id: string;
  readonly directive: string;
  readonly seq: number;
  readonly blocks: readonly ShownBlock[];
  /** The parts beside messages, system and tools: the model, settings, the form of the answer. */
  readonly parts: { readonly [part: string]: Json };
  /** The request before it in its run. */
  readonly previous?: { readonly id: string; readonly directive: string };
  /** Blocks that the call before showed and this one does not. */
  readonly gone: readonly Pick<ShownBlock, "path" | "role" | "value">[];
  /** Parts that are others than those of the call before, by their names. */
  readonly changedParts: readonly {
    readonly name: string;
    readonly before?: Json;
    readonly now?: Json;
  }[];
}

/**
 * A model request of a run, as its journal recorded it.
 * @param eventId of the model call
 * @throws ReckonerError `trace.missing` where the run has no such request
 */
export function requestOf(tree: RecordedTree, eventId: string): ShownRequest {
  const runId = runOfId(eventId);
  const run = tree.byId(runId) ?? tree.root;
  const blocks = requestSources(tree.linesOf(run.path), eventId);
  const directive = directiveOf(eventId) ?? eventId;
  const effect = run.effects.get(directive) as IssuedEffect;
  const before = previousOf(run, effect);
  const parts = otherParts(run, effect);
  const shown = blocks.map((block): ShownBlock => {
    const { path, role, value, sources } = block;
    return {
      path,
      ...(role === undefined ? {} : { role }),
      value,
      sources: sources.map((each) => sourceWords(tree, each)),
    };
  });
  const request = { id: eventId, directive, seq: effect.seq, parts };
  if (before === undefined) return { ...request, blocks: shown, gone: [], changedParts: [] };
  const id = `${eventId.slice(0, eventId.lastIndexOf("#"))}#${before.id}`;
  const was = requestSources(tree.linesOf(run.path), before.id);
  return {
    ...request,
    ...compared(shown, was),
    previous: { id, directive: before.id },
    changedParts: changedParts(otherParts(run, before), parts),
  };
}

/** The request before: of an agent of the same transcript, of other machines the one that was asked last. */
function previousOf(run: RecordedRun, effect: IssuedEffect): IssuedEffect | undefined {
  let last: IssuedEffect | undefined;
  for (const each of run.effects.values()) {
    if (each === effect) return last;
    if (each.type === "llm") last = each;
  }
  return last;
}

const BLOCKS: ReadonlySet<string> = new Set(["messages", "system", "tools"]);

function otherParts(run: RecordedRun, { parts }: IssuedEffect): { readonly [part: string]: Json } {
  const others = [...parts].filter(([name]) => !BLOCKS.has(name));
  return asJson(Object.fromEntries(others.map(([name, node]) => [name, run.values.value(node)])));
}

function changedParts(
  before: { readonly [part: string]: Json },
  now: { readonly [part: string]: Json },
): ShownRequest["changedParts"] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].flatMap((name) => {
    const [was, is] = [before[name], now[name]];
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    const sides = shapes.defined({ before: was, now: is });
    return [{ name, ...sides }];
  });
}

type Seen = Pick<SeenBlock, "path" | "role" | "value">;

/** Compares the blocks of two requests: messages in their order, tools by their names. */
function compared(
  now: readonly ShownBlock[],
  before: readonly Seen[],
): Pick<ShownRequest, "blocks" | "gone"> {
  const same = groupBy(before, keyOf);
  const met = new Set<Seen>();
  const take = (block: Seen): Seen | undefined => {
    const found = same.get(keyOf(block))?.shift();
    if (found !== undefined) met.add(found);
    return found;
  };
  const equal = now.map((block) => [block, take(block)] as const);
  const rest = new Map(before.filter((each) => !met.has(each)).map((each) => [nameOf(each), each]));
  const blocks = equal.map(([block, found]): ShownBlock => {
    if (found !== undefined) return { ...block, change: "same" };
    const was = rest.get(nameOf(block));
    if (was === undefined) return { ...block, change: "new" };
    rest.delete(nameOf(block));
    return { ...block, change: "changed", before: was.value };
  });
  const gone = [...rest.values()].map(({ path, role, value }) => ({
    path,
    ...(role === undefined ? {} : { role }),
    value,
  }));
  return { blocks, gone };
}

function keyOf({ path, role, value }: Seen): string {
  return `${kindOf(path)} ${role ?? ""} ${canonical(value)}`;
}

/** The name under which a block that changed is known in both requests: a message's is its place. */
function nameOf({ path, value }: Seen): string {
  const isTool = path.startsWith("tools") && typeof value === "object" && value !== null;
  return isTool ? `tool ${(value as { readonly name?: string }).name ?? path}` : path;
}

function kindOf(path: string): string {
  return path.replace(/[[.].*$/, "");
}
