// The rules of its family that a request breaks, each with what breaks it.

import type { Target } from "../../src/adapters/ai-sdk/families/family.js";
import { rulesFor } from "../../src/adapters/ai-sdk/families/index.js";
import type { Request } from "../../src/adapters/ai-sdk/families/rule.js";

export function faultsOf(request: Request, target: Target): readonly string[] {
  return rulesFor(target).flatMap((rule) => {
    const fault = rule.fault(request, target);
    return fault === undefined ? [] : [`${rule.name}: ${fault}`];
  });
}
