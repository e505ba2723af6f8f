/** What adapters are made of beside the core: the ports, and small parts. It loads no interpreter. */
export { MAX_RESULT_LENGTH } from "./effects/result-length.js";
export * from "./ports.js";
export { checkAllOptions, checkGiven } from "./running/check-options.js";
export { onAbort } from "./running/on-abort.js";
export { Slots } from "./running/slots.js";
