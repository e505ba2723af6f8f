/**
 * The refusal of a value that is not JSON, with its path, which is built while the recursion
 * unwinds.
 */
import { ReckonerError } from "./errors.js";

/** A value that is refused, and the way to it, which those that visit it add from the inside out. */
export class Refusal extends Error {
  readonly #keys: (string | number)[] = [];
  readonly #tell: (place: string) => ReckonerError;
  readonly #most: number;

  /** @param most characters of the way that are worth telling */
  constructor(tell: (place: string) => ReckonerError, most: number = Number.POSITIVE_INFINITY) {
    super();
    this.#tell = tell;
    this.#most = most;
  }

  /** @param key under which it stands, where it is not the visited value itself */
  under(key: string | number | undefined): this {
    if (key !== undefined) this.#keys.push(key);
    return this;
  }

  errorAt(root: string): ReckonerError {
    let path = root;
    for (const key of this.#keys.reverse()) {
      if (path.length > this.#most) {
        path += "…";
        break;
      }
      path = typeof key === "number" ? `${path}[${key}]` : childPath(path, key);
    }
    return this.#tell(path);
  }
}

/** @param what is wrong with it, behind its path */
export function refused(
  what: string,
  { cause, most }: { readonly cause?: unknown; readonly most?: number } = {},
): Refusal {
  const tell = (place: string) => {
    const message = `${place} ${what}, which is not JSON; pass plain objects, arrays, strings, finite numbers, booleans or null.`;
    return new ReckonerError("json.refused", message, { place, cause });
  };
  return new Refusal(tell, most);
}

/** A getter or a proxy may throw anything: the value is then not JSON. */
export function refusalOf(thrown: unknown, key?: string | number): unknown {
  if (thrown instanceof ReckonerError) return thrown;
  return (thrown instanceof Refusal ? thrown : refused("cannot be read", { cause: thrown })).under(
    key,
  );
}

/** The path of a property: `$.a`, or `$["a b"]` where the key is no identifier. */
export function childPath(path: string, key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}
