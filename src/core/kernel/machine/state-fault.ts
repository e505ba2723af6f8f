/** The shape of a state that comes from outside: out of a snapshot, or from whoever kept it. */
import { isJsonObject, type Json, TABLE_KEY } from "../values/json.js";
import { isList } from "../values/list.js";
import type { RunState } from "./state.js";

/** What is wrong with what claims to be a state, in words behind its name; `undefined` where nothing is. */
export function stateFault(state: unknown): string | undefined {
  if (!isJsonObject(state as Json)) return "is no object";
  const { reasoner, version, runId, seq, at, status, value, outstanding, issued } =
    state as RunState;
  const texts = [reasoner, runId, status].every((each) => typeof each === "string");
  const numbers =
    Number.isSafeInteger(seq) && Number.isSafeInteger(version) && typeof at === "number";
  if (!texts || !numbers) return "lacks its names and numbers";
  if (typeof value !== "string" && !isJsonObject(value as Json)) return "has no value";
  if (!isJsonObject(outstanding as unknown as Json) || !(TABLE_KEY in outstanding)) {
    return "lacks what is outstanding";
  }
  if (!isList(issued)) return "lacks what was issued";
  return "context" in (state as RunState) ? undefined : "lacks its context";
}
