/** The kernel: directives, events, Reasoner, step, List, tools, the JSON border, hashes, errors. */
export { assign } from "xstate";
export * from "./context-update.js";
export { firstDifference, type ValueDifference } from "./difference.js";
export * from "./directive.js";
export * from "./errors.js";
export * from "./event.js";
export {
  canonical,
  hashOf,
  portableSha256,
  type Sha256,
  sha256,
  useSha256,
} from "./hash.js";
export type { IdSet } from "./id-set.js";
export {
  asJson,
  childPath,
  type Json,
  type JsonObject,
  LIST_KEY,
  MAX_DEPTH,
  MAX_OWN_DEPTH,
  toJson,
} from "./json.js";
export {
  append,
  chain,
  emptyList,
  isList,
  itemAt,
  type List,
  listOf,
  sealJson,
  sizeOf,
  toArray,
} from "./list.js";
export * from "./message.js";
export { parseEvent } from "./parse-event.js";
export * from "./print.js";
export * from "./reasoner.js";
export {
  type InferOutput,
  jsonSchemaOf,
  type Schema,
  type Validated,
  validate,
} from "./schema.js";
export { isSecretKey, secretPaths } from "./secrets.js";
export {
  type IssueAction,
  type ReasonerConfig,
  type ReasonerMachine,
  type ReasonerSetup,
  type Start,
  setupReasoner,
} from "./setup.js";
export * from "./state.js";
export * from "./table.js";
export * from "./tool.js";
export * from "./usage.js";
export * from "./vector.js";
