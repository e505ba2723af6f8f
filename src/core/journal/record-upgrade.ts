/**
 * Writes an upgrade of a run and its children as one or more lines of their journal. They hold the migrated
 * states; Lists that the journal holds already are written as references, with their new items.
 */

import { type RunState, upgradeRefused } from "../kernel/machine/index.js";
import {
  isJsonObject,
  type Json,
  type JsonObject,
  listHead,
  toArray,
} from "../kernel/values/index.js";
import { AFTER, contentOf, LIST, type ListContent, TABLE, VECTOR } from "./content.js";
import { type EncodedLine, MAX_LINE_LENGTH, SPILL_LENGTH, type UpgradeLine } from "./line.js";
import { type Recorder, runText } from "./recorder.js";
import { type Remembered, stateProof } from "./snapshot.js";
import { headOf, listReference, listsIn } from "./state-lists.js";
import type { WrittenValues } from "./written-values.js";

/** The upgrade of one run of a tree. */
export interface RunUpgrade {
  /** The path of the run. */
  readonly run: string;
  readonly upgrade: UpgradeLine["upgrade"];
  /** As it was migrated; absent where the run has not begun. */
  readonly state: RunState | undefined;
  /** As it was before; absent where nobody who reads the journal alone could know its Lists. */
  readonly before?: RunState | undefined;
}

/**
 * Returns the lines of an upgrade of a tree: children's first, and the root's last, with which all hold.
 * @param recorder goes on from the states
 * @throws ReckonerError `upgrade.refused` where a part cannot be recorded; then nothing of it is recorded
 */
export function recordUpgrade(
  recorder: Recorder,
  upgrades: readonly RunUpgrade[],
): readonly EncodedLine[] {
  const recorded = upgrades.map(({ run, upgrade, state, before }) => {
    const to = state === undefined ? undefined : { state, memory: recorder.memoryOf(run) };
    const short = to && before && unchanged(before, to.state, recorder.writtenOf(run));
    return { run, to, texts: upgradeTexts(upgrade, to, run, short) };
  });
  return recorded.flatMap(({ run, to, texts }) => recorder.goOnFrom(run, to, texts));
}

/** Returns the content of Lists that were there before, as far as the journal holds their items. */
function unchanged(before: RunState, { issued }: RunState, written: WrittenValues): ListContent {
  const references = new Set(listsIn(before).map((list) => listReference(headOf(list))));
  return (list, of) => {
    const own = headOf(list);
    if (!references.has(listReference(own))) return undefined;
    // Which ids a run has issued stands in its lines.
    const held = own.head === listHead(issued) ? own : written.heldOf(list);
    if (held === undefined || held.size === 0) return undefined;
    return { [LIST]: toArray(list, held.size).map(of), [AFTER]: listReference(held) };
  };
}

/** The parts of a state and of what is remembered, a field each, by their content. */
function partsOf(
  { state, memory }: Remembered,
  short?: ListContent,
): readonly (readonly [string, Json])[] {
  const { context, ...rest } = state;
  const fields = (prefix: string, value: object) =>
    Object.entries(contentOf(value as Json, short) as JsonObject).map(
      ([key, content]) => [`${prefix}${key}`, content] as const,
    );
  const own: readonly (readonly [string, Json])[] = isJsonObject(context as Json)
    ? fields("context/", context as object)
    : [["context", contentOf((context ?? null) as Json, short)]];
  return [...fields("", rest), ...own, ...fields("memory/", memory)];
}

/**
 * Returns the texts of a run's upgrade, each without its hash: parts that would make it too long stand in
 * lines of their own before it.
 * @param to the state from here on; absent where the run has not begun
 * @param short of Lists that do not stand there whole
 * @throws ReckonerError `upgrade.refused` where a part cannot be recorded
 */
export function upgradeTexts(
  upgrade: UpgradeLine["upgrade"],
  to: Remembered | undefined,
  run = "",
  short?: ListContent,
): readonly string[] {
  const own = runText(run);
  const head = `{${own}"upgrade":${JSON.stringify(upgrade)}`;
  if (to === undefined) return [head];
  const lines: string[] = [];
  let open: string[] = [];
  let names = new Set<string>();
  let length = 0;
  const spill = () => {
    if (open.length > 0) lines.push(`{${own}"parts":{${open.join(",")}},"more":true`);
    open = [];
    names = new Set();
    length = 0;
  };
  for (const [path, content] of partsOf(to, short)) {
    for (const text of textsOf(path, content)) {
      if (names.has(path) || length + text.length > SPILL_LENGTH) spill();
      open.push(`${JSON.stringify(path)}:${text}`);
      names.add(path);
      length += text.length;
    }
  }
  const more = run === "" ? "" : ',"more":true';
  lines.push(`${head},"parts":{${open.join(",")}},"state":"${stateProof(to)}"${more}`);
  return lines;
}

function textsOf(path: string, content: Json): readonly string[] {
  const whole = JSON.stringify(content);
  if (whole.length <= SPILL_LENGTH / 2) return [whole];
  const parts = splitContent(content, SPILL_LENGTH / 2)?.map((part) => JSON.stringify(part));
  const texts = parts ?? [whole];
  const most = texts.reduce((longest, text) => Math.max(longest, text.length), 0);
  if (most <= MAX_LINE_LENGTH / 2) return texts;
  throw upgradeRefused(
    `${path} holds a value of ${most} characters, and more than 8 MiB cannot be recorded`,
  );
}

/** The parts of a long collection, each as a content by itself; `undefined` where it is none. */
export function splitContent(content: Json, length: number): readonly Json[] | undefined {
  // A text has a key for each of its characters.
  if (!isJsonObject(content)) return undefined;
  const [key, ...others] = Object.keys(content);
  const items = content[key ?? ""];
  if ((key !== LIST && key !== VECTOR && key !== TABLE) || !Array.isArray(items)) return undefined;
  const parts: Json[] = [];
  let part: Json[] = [];
  let size = 0;
  for (const item of items) {
    const more = JSON.stringify(item).length;
    if (size > 0 && size + more > length) {
      parts.push({ [key]: part });
      part = [];
      size = 0;
    }
    part.push(item);
    size += more;
  }
  const [first, ...more] = [...parts, { [key]: part }];
  const beside = Object.fromEntries(others.map((each) => [each, content[each] as Json]));
  return [{ ...(first as JsonObject), ...beside }, ...more];
}
