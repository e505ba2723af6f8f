/** `format`, a namespace of `reckoner/trace`: the printers of `format.ts` under short names. */
export {
  formatChain as chain,
  formatEvents as events,
  formatStats as stats,
  formatTree as tree,
} from "./format.js";
