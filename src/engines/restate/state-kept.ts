/**
 * Implements `Kept`, the texts by key in which an engine stores one run, in the state of the run's Restate
 * virtual object. Each text is loaded when it is asked for.
 */
import {
  type ObjectContext,
  type ObjectSharedContext,
  RestatePromise,
  type Serde,
} from "@restatedev/restate-sdk";
import type { Changes, Kept } from "../shared/index.js";

const encoder = /* @__PURE__ */ new TextEncoder();
const decoder = /* @__PURE__ */ new TextDecoder();

/** Texts as they are: lines are JSON already. */
export const TEXT: Serde<string> = {
  contentType: "text/plain",
  serialize: (text) => encoder.encode(text),
  deserialize: (bytes) => decoder.decode(bytes),
};

/** See the banner. The same reads and writes in the same order are the same entries of an invocation's journal. */
export class StateKept implements Kept {
  readonly #context: ObjectSharedContext;
  /** The texts that this invocation has read or written. */
  readonly #texts = new Map<string, string | undefined>();
  #keys: readonly string[] | undefined;

  constructor(context: ObjectSharedContext) {
    this.#context = context;
  }

  async get(keys: readonly string[]): Promise<readonly (string | undefined)[]> {
    await this.load(keys);
    return keys.map((key) => this.#texts.get(key));
  }

  /**
   * Loads texts, and awaits something else on the same way: the SDK takes one thing that is awaited at a time.
   * @returns the other thing
   */
  async load<Other>(
    keys: readonly string[],
    other?: RestatePromise<Other>,
  ): Promise<Other | undefined> {
    const missing = [...new Set(keys)].filter((key) => !this.#texts.has(key));
    const asked = missing.map((key) => this.#context.get<string>(key, TEXT));
    const all = [...asked, ...(other === undefined ? [] : [other])] as RestatePromise<unknown>[];
    if (all.length === 0) return undefined;
    const found = await RestatePromise.all(all);
    for (const [n, key] of missing.entries()) {
      this.#texts.set(key, (found[n] as string | null) ?? undefined);
    }
    return other === undefined ? undefined : (found.at(-1) as Other);
  }

  async keys(prefix: string): Promise<readonly string[]> {
    this.#keys ??= await this.#context.stateKeys();
    const keys = new Set(this.#keys);
    for (const [key, text] of this.#texts) {
      if (text === undefined) keys.delete(key);
      else keys.add(key);
    }
    return [...keys].filter((key) => key.startsWith(prefix)).sort();
  }

  async write(changes: Changes): Promise<void> {
    const { set, clear } = this.#context as ObjectContext;
    for (const [key, text] of changes) {
      this.#texts.set(key, text);
      if (text === undefined) clear.call(this.#context, key);
      else set.call(this.#context, key, text, TEXT);
    }
  }
}
