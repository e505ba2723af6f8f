/** The leaf values of a JSON value, with their paths. */
import type { Json, JsonObject } from "../../../core/kernel/index.js";

/** The values in a value that hold no others, with their paths; without recursion. */
export function leavesOf(value: Json): readonly { readonly path: string; readonly value: Json }[] {
  const leaves: { readonly path: string; readonly value: Json }[] = [];
  const stack = [{ path: "$", value }];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const { path, value: each } = at;
    if (typeof each !== "object" || each === null) leaves.push(at);
    else if (Array.isArray(each)) {
      for (let i = each.length - 1; i >= 0; i--) {
        stack.push({ path: `${path}[${i}]`, value: each[i] as Json });
      }
    } else {
      for (const [name, part] of Object.entries(each as JsonObject).reverse()) {
        stack.push({ path: `${path}.${name}`, value: part });
      }
    }
  }
  return leaves;
}
