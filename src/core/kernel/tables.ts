/** `tables`, a namespace of `reckoner/kernel`: a persistent map of JSON values by text keys, in order of entry. */
export {
  emptyTable as empty,
  tableDelete as remove,
  tableGet as get,
  tableHas as has,
  tableSet as set,
  tableSize as size,
  tableValues as values,
} from "./values/table.js";
export { pairKey } from "./vocabulary/pair-key.js";
