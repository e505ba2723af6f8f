/**
 * Makes a tool that writes to a decision graph: each call is one transaction, and new ids are
 * derived from the call.
 */
import { type FieldsOf, fields } from "../../core/agent/index.js";
import { asJson, type JsonObject } from "../../core/kernel/values/index.js";
import { builtInTool, type Tool, tool } from "../../core/kernel/vocabulary/index.js";
import { derivedId, type Operation } from "../pure/index.js";
import { failure } from "./texts.js";

/** The graph that the tools work on; without a store they say that there is none. */
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
   * Gives the operations; `newId` gives the ids of what they add, in the same order at each call.
   * @throws Error if the arguments do not go together: the model reads its message
   */
  readonly write: (input: FieldsOf<S>, newId: () => string) => readonly OpenOperation[];
  /** Gives the result that the model reads. */
  readonly result: (input: FieldsOf<S>, newId: () => string) => JsonObject;
}

/** Makes the tool. */
export function writingTool<const S extends Shape>(
  { store, scope }: Target,
  { name, description, input, write, result }: Definition<S>,
): Tool {
  const made = tool({
    name,
    description,
    ...fields(input),
    issue(args: FieldsOf<S>, { runId, id, at }) {
      if (store === undefined) return [];
      const stamp = { at, ...(scope === undefined ? {} : { scope }) };
      const operations = write(args, idsOf(runId, id)).map((each) => asJson({ ...each, ...stamp }));
      return [{ type: "write", store, operations }];
    },
    settle(args: FieldsOf<S>, { runId, id }, [settled]) {
      if (settled?.type !== "write.succeeded") return failure(settled);
      return result(args, idsOf(runId, id));
    },
  });
  return builtInTool(made);
}

/** New ids for the one write of a call. */
function idsOf(runId: string, id: string): () => string {
  let index = 0;
  return () => derivedId({ runId, id: `${id}/0` }, index++);
}
