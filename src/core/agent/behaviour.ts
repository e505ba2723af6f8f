/** Calling a behaviour's optional callbacks, with a default where it has none. */
import { atOnce } from "../kernel/index.js";
import type { Behaviour } from "./spec.js";

type Optional = "initContext" | "beforeRequest" | "afterTool" | "handleError";

/** Calls an optional callback, or gives the default where the behaviour has none. */
export function call<Name extends Optional>(
  behaviour: Behaviour,
  name: Name,
  args: Parameters<NonNullable<Behaviour[Name]>>,
  otherwise: ReturnType<NonNullable<Behaviour[Name]>>,
): ReturnType<NonNullable<Behaviour[Name]>> {
  const callback = behaviour[name] as
    | ((...args: unknown[]) => ReturnType<NonNullable<Behaviour[Name]>>)
    | undefined;
  return callback === undefined ? otherwise : atOnce(name, callback.apply(behaviour, args));
}
