// System calls that fail as they are told to: what the laws of journals under faults are tried with.
import type { Fault } from "../../src/testing/index.js";

/** A system error, as Node throws it. */
function systemError(code: string, call: string): Error {
  return Object.assign(new Error(`${code}: injected, ${call}`), { code, syscall: call });
}

/**
 * Calls that ask before they work, and fail as they are told to.
 * @param promised names of those that return promises: they reject
 */
export function faultyCalls<Calls extends object>(
  calls: Calls,
  fault: (call: string) => Fault | undefined,
  promised: ReadonlySet<string>,
): Calls {
  const faulty = Object.entries(calls).map(([name, call]) => {
    const failing = (...given: unknown[]): unknown => {
      const how = fault(name);
      if (how === undefined) return call(...given);
      // A close has closed, whatever it answers.
      if (name === "close") {
        call(...given);
        throw systemError("EIO", name);
      }
      if (how === "short" && given[1] instanceof Uint8Array) {
        return call(given[0], given[1].subarray(0, given[1].length >> 1), ...given.slice(2));
      }
      if (how === "short" && typeof given[1] === "string" && name === "writeFile") {
        const half = given[1].slice(0, given[1].length >> 1);
        return Promise.resolve(call(given[0], half)).then(() => {
          throw systemError("ENOSPC", name);
        });
      }
      const code = how === "short" || how === "late" ? "EIO" : how;
      // A descriptor that nobody is told of could not be closed.
      const opens = name === "open" || name === "create";
      const done: unknown = how === "late" && !opens ? call(...given) : undefined;
      if (done instanceof Promise) {
        return done.then(() => {
          throw systemError(code, name);
        });
      }
      throw systemError(code, name);
    };
    const rejecting = async (...given: unknown[]) => failing(...given);
    return [name, promised.has(name) ? rejecting : failing];
  });
  return Object.fromEntries(faulty) as Calls;
}
