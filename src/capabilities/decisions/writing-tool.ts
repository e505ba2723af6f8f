/**
 * Makes a tool that writes to a decision graph: each call is one transaction, and new ids are
 * derived from the call.
 */
import { type FieldsOf, fields } from "../../core/agent/index.js";
import { derivedId, type Operation } from "../../core/decisions/index.js";
import { asJson, type Json, type JsonObject, type Tool, tool } from "../../core/kernel/index.js";
import { failure } from "./texts.js";

/** Which graph the tools work on; without a store they say that there is none. */
export interface Target {
  readonly store: string | undefined;
  readonly scope: string | undefined;
}

type Open<T> = T extends unknown ? Omit<T, "scope" | "at"> : never;
/** An operation whose time and scope are the call's. */
export type OpenOperation = Open<Operation>;
type Shape = Parameters<typeof fields>[0];

interface Definition<S extends Shape> {
  readonly name: string;
  readonly description: string;
  readonly input: S;
  /**
   * What is written; `newId` gives the ids of what is added, in the same order at each call.
   * @throws Error where the arguments do not go together: the model reads its message
   */
  readonly write: (input: FieldsOf<S>, newId: () => string) => readonly OpenOperation[];
  /** What the model reads; `idOf` gives the whole of a name that was a prefix. */
  readonly result: (
    input: FieldsOf<S>,
    newId: () => string,
    idOf: (name: string) => string,
  ) => JsonObject;
}

/** Makes the tool. */
export function writingTool<const S extends Shape>(
  { store, scope }: Target,
  { name, description, input, write, result }: Definition<S>,
): Tool {
  return tool({
    name,
    description,
    ...fields(input),
    issue(given: FieldsOf<S>, { runId, id, at }) {
      if (store === undefined) return [];
      const stamp = { at, ...(scope === undefined ? {} : { scope }) };
      const operations = write(given, idsOf(runId, id)).map((each) =>
        asJson({ ...each, ...stamp }),
      );
      return [{ type: "write", store, operations }];
    },
    settle(given: FieldsOf<S>, { runId, id }, [settled]) {
      if (settled?.type !== "write.succeeded") return failure(errorOf(settled));
      const whole = resolvedIn(settled.value);
      return result(given, idsOf(runId, id), (name) => whole.get(name) ?? name);
    },
  });
}

function errorOf(settled: { readonly type: string } | undefined) {
  return settled !== undefined && "error" in settled ? (settled.error as never) : undefined;
}

/** New ids for the one write of a call. */
function idsOf(runId: string, id: string): () => string {
  let index = 0;
  return () => derivedId({ runId, id: `${id}/0` }, index++);
}

/** The prefixes that the store resolved; a store of a user's own may not say so. */
function resolvedIn(value: Json | undefined): ReadonlyMap<string, string> {
  const { resolved } = (value ?? {}) as { readonly resolved?: Json };
  const names = Array.isArray(resolved) ? (resolved as readonly Json[]) : [];
  return new Map(
    names.flatMap((name): [string, string][] => {
      const { given, id } = (name ?? {}) as { readonly given?: Json; readonly id?: Json };
      return typeof given === "string" && typeof id === "string" ? [[given, id]] : [];
    }),
  );
}
