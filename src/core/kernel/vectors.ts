/** `vectors`, a namespace of `reckoner/kernel`: a persistent array whose items can be replaced. */
export {
  emptyVector as empty,
  pushItem as push,
  replaceItem as replace,
  vectorItem as item,
  vectorItems as items,
  vectorOf as of,
  vectorSize as size,
} from "./values/vector.js";
