/**
 * Removes from a value the nulls that its schema refuses, since models write null for a field that they leave
 * out. `validate` then tries the schema once more.
 */

/** The way to a place in a value. */
export type Path = readonly string[];

/** The number of nulls below one place that are tried one by one. */
const MOST_TRIED = 16;

/**
 * The values to try, of one that a schema refused at some places: without the properties that are null
 * there; or, where what is refused is more than the null itself, as with a union, without one of the
 * nulls in it, then without all.
 * @param places the paths of the schema's issues
 */
export function* withoutNulls(value: unknown, places: readonly Path[]): Generator<unknown> {
  const refused = places.filter((path) => isNullProperty(value, path));
  const rest = refused.length > 0 ? without(value, refused) : value;
  if (refused.length > 0) yield rest;
  const others = places.filter((path) => !isNullProperty(value, path));
  const inner = others.flatMap((path) => nullsBelow(at(rest, path), path));
  if (inner.length <= MOST_TRIED) for (const path of inner) yield without(rest, [path]);
  if (inner.length > 1) yield without(rest, inner);
}

type Loose = { readonly [name: string]: unknown };

const isObject = (value: unknown): value is Loose => typeof value === "object" && value !== null;

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (now, name) => (isObject(now) && Object.hasOwn(now, name) ? now[name] : undefined),
    value,
  );
}

/** Returns true if a path leads to a property that is null; an item of a list is no property. */
function isNullProperty(value: unknown, path: Path): boolean {
  if (path.length === 0 || at(value, path) !== null) return false;
  return !Array.isArray(at(value, path.slice(0, -1)));
}

function nullsBelow(value: unknown, path: Path): readonly Path[] {
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((name) => {
    const inner = [...path, name];
    if (value[name] === null) return Array.isArray(value) ? [] : [inner];
    return nullsBelow(value[name], inner);
  });
}

/** A copy without some properties. */
function without(value: unknown, paths: readonly Path[]): unknown {
  if (!isObject(value) || paths.length === 0) return value;
  const gone = new Set(paths.filter(({ length }) => length === 1).map(([name]) => name));
  const inner = (name: string) =>
    paths.flatMap(([first, ...rest]) => (first === name && rest.length > 0 ? [rest] : []));
  if (Array.isArray(value)) return value.map((each, i) => without(each, inner(String(i))));
  const kept = Object.entries(value).filter(([name]) => !gone.has(name));
  return Object.fromEntries(kept.map(([name, each]) => [name, without(each, inner(name))]));
}
