/** The kernel: directives, events, Reasoner, step, List, tools, JSON validation, hashes, errors. */
export { and, assign, enqueueActions, not, or, raise, stateIn } from "xstate";
export { callPart } from "./machine/answered.js";
export { type Assigner, change, type Draft } from "./machine/change.js";
export {
  actionTexts,
  type ChartTransition,
  type Named,
  transitionTexts,
} from "./machine/chart-text.js";
export { ChartTrace, ownEventsOf } from "./machine/chart-trace.js";
export { checkCarried } from "./machine/check-carried.js";
export { defineReasoner } from "./machine/define-reasoner.js";
export { faultMessage } from "./machine/fault.js";
export type { IssuedIds } from "./machine/issued-ids.js";
export {
  type CarriedOver,
  type MigratedState,
  type Migrations,
  upgradeRefused,
} from "./machine/migrate.js";
export { owedBy } from "./machine/owed.js";
export type { History, Path } from "./machine/path.js";
export * from "./machine/reasoner.js";
export {
  chartData,
  type RecordedState,
  type RecordedTransition,
  type RunChart,
} from "./machine/recorded-chart.js";
export {
  type MachineSetup,
  type Origin,
  type ReasonerConfig,
  type ReasonerMachine,
  type ReasonerNames,
  type ReasonerTypes,
  type Start,
  setupMachine,
} from "./machine/setup.js";
export { type ReasonerSetup, setupReasoner } from "./machine/setup-reasoner.js";
export * from "./machine/state.js";
export { stateFault } from "./machine/state-fault.js";
export { wholeContext } from "./machine/whole-context.js";
export { base64Of } from "./values/base64.js";
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
} from "./values/canonical.js";
export { firstDifference, sameJson, type ValueDifference } from "./values/difference.js";
export {
  DIGEST_LENGTH,
  digestOf,
  sha256,
} from "./values/hash.js";
export { type ImageSize, imageSize } from "./values/image-size.js";
export {
  asJson,
  isJsonObject,
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
} from "./values/json.js";
export { exceeds } from "./values/json-length.js";
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
} from "./values/list.js";
export { childPath } from "./values/refusal.js";
export { type ResultChange, resultJson } from "./values/result-json.js";
export { sealJson, sealOwn } from "./values/seal.js";
export { isPassedPlain, isWithoutEquals } from "./values/stamp.js";
export * from "./values/table.js";
export { atOnce, isThenable, isUnawaited } from "./values/thenable.js";
export * from "./values/vector.js";
export { admitsObject } from "./vocabulary/admits-object.js";
export { type AnswerFlaw, answerFlaw } from "./vocabulary/answer-flaw.js";
export {
  believedUsage,
  type Exchange,
  MOST_LETTERS,
} from "./vocabulary/believed-usage.js";
export { callIdentity } from "./vocabulary/call-identity.js";
export {
  checkArgument,
  checkArguments,
  checkDefinition,
  nameFault,
  partFault,
} from "./vocabulary/check-shape.js";
export * from "./vocabulary/context-update.js";
export * from "./vocabulary/describe-thrown.js";
export * from "./vocabulary/directive.js";
export { takesText } from "./vocabulary/directive.js";
export * from "./vocabulary/errors.js";
export * from "./vocabulary/event.js";
export { parseIsoTime } from "./vocabulary/iso-time.js";
export { jsonIn, jsonMeantBy, placedJson } from "./vocabulary/json-in.js";
export { jsonSchemaFault } from "./vocabulary/json-schema-fault.js";
export { maskCredentials } from "./vocabulary/mask-credentials.js";
export * from "./vocabulary/message.js";
export { escapeId, pairKey, unescapeId } from "./vocabulary/pair-key.js";
export { checkTime, parseEvent } from "./vocabulary/parse-event.js";
export { ANSWER, MESSAGE, messageFault, USER_CONTENT } from "./vocabulary/part-shapes.js";
export {
  type Budget,
  costOf,
  costOfCall,
  type ModelPrice,
  PRICE,
  PRICES,
  type Prices,
  priceOf,
  reservationOf,
  type SettledCall,
  tokensOf,
} from "./vocabulary/prices.js";
export * from "./vocabulary/print.js";
export { type ProviderToolOptions, providerTool } from "./vocabulary/provider-tool.js";
export { readArguments } from "./vocabulary/read-arguments.js";
export {
  type InferOutput,
  jsonSchemaOf,
  type Schema,
  type Validated,
  validate,
} from "./vocabulary/schema.js";
export { isSecretKey, secretPaths } from "./vocabulary/secrets.js";
export {
  cutText,
  MAX_EVENT_LENGTH,
  MAX_STEP_LENGTH,
  MAX_TEXT_LENGTH,
  shownBriefly,
} from "./vocabulary/size-limits.js";
export { spokenText } from "./vocabulary/spoken-text.js";
export {
  reasonOf,
  type ThrownFacts,
  thrownFacts,
  withLanguageName,
} from "./vocabulary/thrown-facts.js";
export {
  lettersAround,
  lettersOfAnswer,
  lettersOfMessages,
  lettersOfText,
} from "./vocabulary/token-estimate.js";
export * from "./vocabulary/tool.js";
export {
  contentOfThrown,
  isToolError,
  ToolError,
  toolContentFault,
} from "./vocabulary/tool-content.js";
export type * from "./vocabulary/tool-context.js";
export * from "./vocabulary/tool-definition.js";
export { escapedLetter, inOneLine, UNSEEN, visibleJson } from "./vocabulary/unseen.js";
export * from "./vocabulary/usage.js";
export { withoutNulls } from "./vocabulary/without-nulls.js";
