/**
 * The face of `kernel/values`: JSON and its validation, the collections that grow in a state (List, Vector,
 * Table), digests, size limits and errors.
 */
export { base64Of } from "./base64.js";
export {
  canonical,
  chain,
  digestText,
  hashOf,
  isReference,
  listHead,
  quoted,
  refOf,
  tableText,
} from "./canonical.js";
export * from "./errors.js";
export { addTo, countOf, groupBy } from "./grouping.js";
export {
  DIGEST_LENGTH,
  digestOf,
  sha256,
} from "./hash.js";
export { type ImageSize, imageSize } from "./image-size.js";
export {
  asJson,
  isJsonObject,
  isObject,
  type Json,
  type JsonObject,
  LIST_KEY,
  MAX_DEPTH,
  MAX_OWN_DEPTH,
  ownJson,
  parseSealed,
  TABLE_KEY,
  toJson,
  VECTOR_KEY,
  withParts,
} from "./json.js";
export { firstDifference, sameJson, type ValueDifference } from "./json-difference.js";
export { exceeds } from "./json-length.js";
export {
  append,
  emptyList,
  isList,
  itemAt,
  type List,
  listOf,
  sharesPrefix,
  sizeOf,
  sumOfItems,
  takeFirst,
  toArray,
} from "./list.js";
export { childPath } from "./refusal.js";
export { type ResultChange, resultJson } from "./result-json.js";
export { sealJson, sealOwn } from "./seal.js";
export {
  beginningOf,
  cutText,
  MAX_EVENT_LENGTH,
  MAX_STEP_LENGTH,
  MAX_TEXT_LENGTH,
  shownBriefly,
} from "./size-limits.js";
export { isPassedPlain, isWithoutEquals } from "./stamp.js";
export * from "./table.js";
export { atOnce, isThenable, isUnawaited } from "./thenable.js";
export { escapedLetter, inOneLine, isPlain, UNSEEN, visibleJson } from "./unseen.js";
export * from "./vector.js";
