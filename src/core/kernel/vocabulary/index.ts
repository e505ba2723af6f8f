/**
 * The face of `kernel/vocabulary`: the types that machines and hosts exchange (directives, events,
 * messages, tools, errors, usage), and the functions that validate and read them.
 */
export { admitsObject } from "./admits-object.js";
export { type AnswerFlaw, answerFlaw } from "./answer-flaw.js";
export {
  believedUsage,
  type Exchange,
  MOST_LETTERS,
} from "./believed-usage.js";
export { callIdentity } from "./call-identity.js";
export {
  checkArgument,
  checkArguments,
  checkDefinition,
  nameFault,
  partFault,
} from "./check-shape.js";
export * from "./context-update.js";
export * from "./directive.js";
export { takesText } from "./directive.js";
export * from "./event.js";
export { parseIsoTime } from "./iso-time.js";
export { jsonIn, jsonMeantBy, placedJson } from "./json-in-text.js";
export { jsonSchemaFault } from "./json-schema-fault.js";
export { maskCredentials } from "./mask-credentials.js";
export * from "./message.js";
export { escapeId, pairKey, unescapeId } from "./pair-key.js";
export { checkTime, parseEvent } from "./parse-event.js";
export { ANSWER, MESSAGE, messageFault, USER_CONTENT } from "./part-shapes.js";
export {
  type Budget,
  billionthsOf,
  costOf,
  costOfCall,
  dollarsOf,
  inDollars,
  type ModelPrice,
  PRICE,
  PRICES,
  type Prices,
  priceOf,
  reservationOf,
  type SettledCall,
  tokensOf,
} from "./prices.js";
export { type ProviderToolOptions, providerTool } from "./provider-tool.js";
export { readArguments } from "./read-arguments.js";
export {
  type InferOutput,
  jsonSchemaOf,
  type Schema,
  type Validated,
  validate,
} from "./schema.js";
export { isSecretKey, secretPaths } from "./secrets.js";
export { spokenText } from "./spoken-text.js";
export {
  describeThrown,
  reasonOf,
  type ThrownFacts,
  thrownFacts,
  withLanguageName,
} from "./thrown-facts.js";
export {
  lettersAround,
  lettersOfAnswer,
  lettersOfMessages,
  lettersOfText,
} from "./token-estimate.js";
export * from "./tool.js";
export {
  contentOfThrown,
  isToolError,
  ToolError,
  toolContentFault,
} from "./tool-content.js";
export type * from "./tool-context.js";
export * from "./tool-definition.js";
export * from "./usage.js";
export { withoutNulls } from "./without-nulls.js";
