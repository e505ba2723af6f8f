// The differences from the fixtures that are meant, each with its reason. A landing that changes what is
// decided names here how; one that nothing meets any more fails the test, and goes.
import type { NamedDifference } from "./compare.js";

/** None: the fixtures are what `run` and `resume` do. */
export const NAMED_DIFFERENCES: readonly NamedDifference[] = [];
