/** `format`, a namespace of `reckoner/trace`: printers for a terminal and as JSON. */
export {
  formatChain as chain,
  formatEvents as events,
  formatStats as stats,
  formatTree as tree,
} from "./format.js";
