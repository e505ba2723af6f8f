/**
 * Writes JSON values as canonical text and hashes them, in two ways. `canonical` is RFC 8785. `digestText`
 * is the same with long values abbreviated: a nested value of more than 256 characters is `#digest`, a List
 * `@size#head`, a Vector or a Table `%size#digest`. No JSON begins with these characters, so equal texts
 * mean equal values, and only what was not hashed before is hashed.
 */
import { DIGEST_LENGTH, digestOf } from "./hash.js";
import { hiddenField, Itself, ownField } from "./hidden.js";
import {
  collectionKey,
  inherits,
  type Json,
  type JsonObject,
  LIST_KEY,
  TABLE_KEY,
  VECTOR_KEY,
} from "./json.js";
import { cachedHeads, itemAt, type List, sizeOf } from "./list.js";
import { FEW_PLACES, levelsOf, type Row, rowTexts } from "./rows.js";
import { sealedCollection } from "./seal.js";
import { factsOf, HOLDS_LIST, hasPassed, heightIn, isPassedPlain } from "./stamp.js";

/**
 * A nested value with a longer text stands as its digest. A hash costs as much as a KiB of text, so
 * what is shorter is cheaper to write out at each step than to hash once.
 */
export const MAX_NESTED = 256;

/** The canonical text of a JSON value, in which a List stands as its size and head. */
export function canonical(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonical(item)).join(",")}]`;
  const object = value as JsonObject;
  if (LIST_KEY in object) {
    return `{"@list":${object[LIST_KEY]},"head":"${listHead(object as never)}"}`;
  }
  let text = "";
  for (const key of Object.keys(object).sort()) {
    const child = object[key];
    if (child === undefined) continue;
    text += `${text === "" ? "" : ","}${quoted(key)}:${canonical(child)}`;
  }
  return `{${text}}`;
}

const special = /["\\\p{Cc}\p{Surrogate}]/u;

/** A text as JSON. */
export function quoted(text: string): string {
  return special.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** The digest of a value: two values have the same one where they are equal. */
export function hashOf(value: Json): string {
  const ref = refOf(value);
  return ref.startsWith("#") ? ref.slice(1) : digestOf(ref);
}

/** Returns the text of a value within its holder's text: its own text, or a reference. */
export function refOf(value: Json): string {
  switch (typeof value) {
    case "string":
      return value.length > MAX_NESTED - 2 ? longText(value) : nested(quoted(value));
    case "number":
      return `${value}`;
    case "boolean":
      return value ? "true" : "false";
    default:
      return value === null ? "null" : refOfObject(value);
  }
}

/** Returns true when a ref stands for a value and is not its text. */
export function isReference(ref: string): boolean {
  const first = ref.charCodeAt(0);
  return first === 35 || first === 64 || first === 37;
}

/** The refs of what is long or deep. */
class Refs extends Itself {
  #content: string;
  constructor(value: object, content: string) {
    super(value);
    this.#content = content;
  }
  static get(value: object): string | undefined {
    return #content in value ? value.#content : undefined;
  }
  static add(value: object, content: string): void {
    new Refs(value, content);
  }
}
const refs = ownField<string>(Refs);
/** The messages of a step are not deeper: they are written out once. */
const DEEP = 3;

function refOfObject(value: JsonObject | readonly Json[]): string {
  const facts = factsOf(value);
  // Reading the stamp is cheaper than looking for three missing keys.
  return facts !== 0 && (facts & HOLDS_LIST) === 0
    ? refOfPlain(value, facts)
    : refOfAny(value, facts);
}

function refOfAny(value: JsonObject | readonly Json[], facts: number): string {
  if (LIST_KEY in value) return `@${value[LIST_KEY]}#${listHead(value as never)}`;
  if (VECTOR_KEY in value)
    return collectionRef(value[VECTOR_KEY] as number, value.rows as never, ";");
  if (TABLE_KEY in value)
    return collectionRef(value[TABLE_KEY] as number, value.rows as never, ",");
  return refOfPlain(value, facts);
}

/** @param facts of what has passed the border, which alone can never change; else 0 */
function refOfPlain(value: JsonObject | readonly Json[], facts: number): string {
  const found = refs.get(value);
  if (found !== undefined) return found;
  const text = plainText(value);
  const isLong = text.length > MAX_NESTED;
  const ref = isLong ? `#${digestOf(text)}` : text;
  // Long or deep values are cheaper to cache than to write out again.
  if (facts !== 0 && (isLong || heightIn(facts) > DEEP)) refs.add(value, ref);
  return ref;
}

function nested(text: string): string {
  return text.length > MAX_NESTED ? `#${digestOf(text)}` : text;
}

/** The text of an object or an array; of anything else, its ref. */
export function digestText(value: Json): string {
  if (typeof value !== "object" || value === null) return refOf(value);
  const isCollection =
    !Array.isArray(value) && !isPassedPlain(value) && collectionKey(value) !== undefined;
  return isCollection ? refOfObject(value) : plainText(value);
}

/** The text of an array or an object that is no List, Vector or Table. */
function plainText(value: JsonObject | readonly Json[]): string {
  if (Array.isArray(value)) {
    let text = "[";
    for (let i = 0; i < value.length; i++)
      text += i === 0 ? refOf(value[i]) : `,${refOf(value[i])}`;
    return `${text}]`;
  }
  const object = value as JsonObject;
  const { keys, texts } = shapeOf(object);
  let text = "{";
  for (let i = 0; i < keys.length; i++) {
    const child = object[keys[i] as string];
    if (child === undefined) continue;
    if (text.length > 1) text += ",";
    text += texts[i] + refOf(child);
  }
  return `${text}}`;
}

/**
 * The head of a List's hash chain: each link is the digest of the one before and an item's text. A known
 * beginning is not hashed again.
 * @throws ReckonerError `json.refused` for what is no well-formed List
 */
export function listHead(list: List<unknown>): string {
  const size = sizeOf(list);
  const cached = cachedHeads.get(list);
  if (cached?.size === size) return cached.head;
  if (cached !== undefined && size - cached.size < MANY_MORE) {
    for (; cached.size < size; cached.size++) {
      cached.head = chain(cached.head, itemAt(list, cached.size) as Json);
    }
    return cached.head;
  }
  const sealed = sealedCollection(list);
  let head = "";
  for (let level = sealed.spine.length - 1; level >= 0; level--) {
    for (const entry of sealed.spine[level] as readonly Json[]) {
      head = headBehind(head, entry, level);
    }
  }
  if (cached !== undefined) Object.assign(cached, { size, head });
  else if (sealed === list) cachedHeads.add(list, { size, head });
  return head;
}

/** As many items have filled a row. */
const MANY_MORE = 32;

/** A full row's part of a chain: the row may stand behind others as well. */
interface RowHash {
  readonly before: string;
  readonly after: string;
}

/** All versions of a List share their full rows: what one has hashed of them, none hashes again. */
const rowHashes = hiddenField<RowHash>();

/** The head behind an entry of a level: an item, or a full row of what stands a level below. */
function headBehind(before: string, entry: Json, level: number): string {
  if (level === 0) return chain(before, entry);
  const row = entry as readonly Json[];
  const held = rowHashes.get(row);
  if (held?.before === before) return held.after;
  let after = before;
  for (let i = 0; i < row.length; i++) after = headBehind(after, row[i] as Json, level - 1);
  rowHashes.set(row, { before, after });
  return after;
}

/** The head of a List after one more item. */
export function chain(head: string, item: Json): string {
  return digestOf(`${head}\n${digestText(item)}`);
}

/** The digests of rows; a row is no value of its own, so its ref would be another text. */
const rowDigests = hiddenField<string>();

/** @param mark what stands behind each item: it tells a Vector of entries from a Table */
function collectionRef(size: number, rows: Row, mark: "," | ";"): string {
  if (size === 0) return mark === "," ? "%0#" : "%0#;";
  return `%${size}#${rowDigest(rows, levelsOf(size), mark)}`;
}

/**
 * A Table's text where it stands in no line: its entries where they are few, which is cheaper than to
 * hash them, else its reference.
 * @param textOf what stands for a value in place of its ref; no JSON may begin like it
 */
export function tableText(
  table: JsonObject,
  textOf: (value: Json, key: string) => string = refOf,
): string {
  const size = table[TABLE_KEY] as number;
  const { items } = table.rows as unknown as Row;
  if (size > FEW_PLACES || items.length !== size) return refOfObject(table);
  let text = `%${size}(`;
  for (let i = 0; i < items.length; i++) {
    const entry = items[i] as { readonly key: string; readonly value: Json } | null;
    text += entry === null ? "," : `${quoted(entry.key)}:${textOf(entry.value, entry.key)},`;
  }
  return `${text})`;
}

/** The digest of a row: of its items where it is the lowest, else of the rows in it. */
export function rowDigest(row: Row, levels: number, mark: "," | ";"): string {
  const cached = rowDigests.get(row);
  if (cached !== undefined) return cached;
  const { items } = row;
  const width = levels > 1 ? DIGEST_LENGTH : PLACE_LENGTH;
  let text = changedText(row, levels, mark, width);
  let isEven = text !== undefined;
  if (text === undefined) {
    text = "";
    const many = items.length > FEW_PLACES;
    isEven = many;
    // By index: V8's iterator is four times as slow on an array that is frozen.
    for (let i = 0; i < items.length; i++) {
      const place = placeText(items[i], many, levels, mark);
      if (place.length !== width) isEven = false;
      text += place;
    }
  }
  const digest = digestOf(text);
  if (!hasPassed(row)) return digest;
  rowDigests.add(row, digest);
  if (isEven) rowTexts.set(row, { text, changed: NO_CHANGES });
  return digest;
}

/** Characters of a place in a row of many: a digest, `#` before it, and the mark behind it. */
const PLACE_LENGTH: number = DIGEST_LENGTH + 2;
const NO_CHANGES: readonly number[] = [];

/** The text of a row from that of an earlier version; `undefined` where its places have other lengths. */
function changedText(row: Row, levels: number, mark: "," | ";", width: number): string | undefined {
  const { items } = row;
  const before = items.length > FEW_PLACES ? rowTexts.get(row) : undefined;
  if (before === undefined) return undefined;
  let { text } = before;
  for (let i = 0; i < before.changed.length; i++) {
    const at = before.changed[i] as number;
    const place = placeText(items[at], true, levels, mark);
    if (place.length !== width) return undefined;
    text = text.slice(0, at * width) + place + text.slice((at + 1) * width);
  }
  return text;
}

/** Returns the text of a place of a row within the row's text. */
function placeText(item: unknown, many: boolean, levels: number, mark: "," | ";"): string {
  if (levels > 1) return rowDigest(item as Row, levels - 1, mark);
  return (many ? shortRef(item as Json) : refOf(item as Json)) + mark;
}

/** A gap in a row of many takes as much room as a digest. */
const GAP: string = "null".padEnd(DIGEST_LENGTH + 1);

const itemDigests = hiddenField<string>();

/**
 * An item's ref where a row has many: a digest that the item remembers, unless it is shorter as it
 * is. A change of one item would else cost the texts of all its neighbours.
 */
function shortRef(item: Json): string {
  if (item === null) return GAP;
  if (typeof item !== "object") return refOf(item);
  const cached = itemDigests.get(item);
  if (cached !== undefined) return cached;
  const ref = refOf(item);
  if (ref.length <= DIGEST_LENGTH || isReference(ref)) return ref;
  const digest = `#${digestOf(ref)}`;
  if (hasPassed(item)) itemDigests.set(item, digest);
  return digest;
}

/** The sorted keys of an object, and each as it begins a property. */
interface Shape {
  readonly keys: readonly string[];
  readonly texts: readonly string[];
}

/** Shapes by the keys in the order in which objects have them: sorted once for each shape. */
class ShapeNode {
  /** The key that was asked for last, and where it leads: mostly it is the same again. */
  #key: string | undefined = undefined;
  #child: ShapeNode | undefined = undefined;
  readonly #children: Map<string, ShapeNode> = new Map();
  shape: Shape | undefined = undefined;

  get(key: string): ShapeNode | undefined {
    return key === this.#key ? this.#child : this.#find(key);
  }

  #find(key: string): ShapeNode | undefined {
    const child = this.#children.get(key);
    if (child !== undefined) {
      this.#key = key;
      this.#child = child;
    }
    return child;
  }

  add(key: string): ShapeNode {
    const child = new ShapeNode();
    this.#children.set(key, child);
    return child;
  }
}

const MAX_SHAPES = 20_000;
let shapes = new ShapeNode();
let shapeCount = 0;

function shapeOf(object: JsonObject): Shape {
  // The loop below would also visit inherited properties.
  if (inherits()) return newShape(object);
  let node = shapes;
  for (const key in object) {
    let next = node.get(key);
    if (next === undefined) {
      shapeCount += 1;
      if (shapeCount > MAX_SHAPES) {
        shapes = new ShapeNode();
        shapeCount = 0;
        return newShape(object);
      }
      next = node.add(key);
    }
    node = next;
  }
  node.shape ??= newShape(object);
  return node.shape;
}

function newShape(object: JsonObject): Shape {
  const keys = Object.keys(object).sort();
  return { keys, texts: keys.map((key) => `${quoted(key)}:`) };
}

/** The long texts that were hashed last: a system prompt or a tool's output is asked for more than once. */
const RECENT = 8;
const recentTexts: string[] = new Array(RECENT).fill("");
const recentRefs: string[] = new Array(RECENT).fill("");
let newest = 0;

function longText(text: string): string {
  const at = recentTexts.indexOf(text);
  if (at >= 0) return recentRefs[at] as string;
  const ref = nested(JSON.stringify(text));
  recentTexts[newest] = text;
  recentRefs[newest] = ref;
  newest = (newest + 1) % RECENT;
  return ref;
}
