/**
 * Exports what fits a request to its provider by the rules of the provider's family, and what undoes it in the
 * answer. Pure.
 */
export { RULES } from "./all-rules.js";
export { unmarked } from "./bound-parts.js";
export { FAMILIES, type Family, familyOf, optionsName, type Target, targetOf } from "./family.js";
export { type Mended, mendRequest, rulesFor } from "./mend-request.js";
export type { Request, Rule } from "./rule.js";
