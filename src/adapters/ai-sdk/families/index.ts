/** Turns a request into one that a provider takes: mended by the rules of its family, and the way back. Pure. */
export { RULES } from "./all-rules.js";
export { unmarked } from "./bound.js";
export { FAMILIES, type Family, familyOf, optionsName, type Target, targetOf } from "./family.js";
export { type Mended, mendRequest, rulesFor } from "./mend-request.js";
export type { Request, Rule } from "./rule.js";
