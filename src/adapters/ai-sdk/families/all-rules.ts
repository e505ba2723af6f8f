/**
 * `RULES`: all rules by which a model request is fitted to its provider, in the order in which they are
 * applied: some rely on what an earlier rule has changed.
 */
import { BOUND, SERVER_TOOLS, THINKING_OFF } from "./bound-parts.js";
import { CALL_IDS } from "./ids.js";
import { JSON_BESIDE_TOOLS, JSON_IN_WORDS, SCHEMA_SHOWN } from "./json-in-words.js";
import { MEDIA_LIMITS, MOST_MESSAGES_RULE } from "./limits.js";
import { DOCUMENT_TEXT, MEDIA_IN_RESULTS } from "./media.js";
import { SCHEMA_NAME, TOOL_NAMES } from "./names.js";
import type { Rule } from "./rule.js";
import { OUTPUT_ROOT, TOOL_ROOTS } from "./schema-root.js";
import { EMPTY_STOP, MOST_STOPS_RULE, NO_STOP, NO_TOP_K, STORE } from "./settings.js";
import { GOOGLE_KEYWORDS, STRICT_OUTPUT, STRICT_TOOLS, TOOL_SHAPES } from "./strict.js";
import { BLANK_TEXT, EMPTY_MESSAGE, EMPTY_RESULT, FAILED_RESULT } from "./texts.js";
import {
  ARGUMENTS,
  CHOICE_OF_NONE,
  CHOICE_WITHOUT_TOOLS,
  FORCED_CHOICE,
  MOST_TOOLS_RULE,
  NONE_IN_WORDS,
  NONE_WITHOUT_TOOLS,
  TOOLS_ABSENT,
} from "./tools.js";
import {
  FIRST_USER,
  JOINED,
  LAST_USER,
  ONE_RESULT_MESSAGE,
  PAIRING,
  SYSTEM_IN_THE_MIDDLE,
  SYSTEM_ONCE,
  UNKNOWN_PARTS,
  WORD_BETWEEN,
} from "./transcript.js";

/** The rules of all families. */
export const RULES: readonly Rule[] = [
  UNKNOWN_PARTS,
  PAIRING,
  SERVER_TOOLS,
  BOUND,
  ARGUMENTS,
  SYSTEM_IN_THE_MIDDLE,
  SYSTEM_ONCE,
  BLANK_TEXT,
  EMPTY_MESSAGE,
  EMPTY_RESULT,
  FAILED_RESULT,
  ONE_RESULT_MESSAGE,
  MOST_MESSAGES_RULE,
  MEDIA_LIMITS,
  MEDIA_IN_RESULTS,
  FIRST_USER,
  DOCUMENT_TEXT,
  JOINED,
  WORD_BETWEEN,
  LAST_USER,
  THINKING_OFF,
  TOOLS_ABSENT,
  CHOICE_WITHOUT_TOOLS,
  CHOICE_OF_NONE,
  FORCED_CHOICE,
  NONE_IN_WORDS,
  NONE_WITHOUT_TOOLS,
  MOST_TOOLS_RULE,
  TOOL_ROOTS,
  TOOL_SHAPES,
  GOOGLE_KEYWORDS,
  STRICT_TOOLS,
  OUTPUT_ROOT,
  STRICT_OUTPUT,
  SCHEMA_NAME,
  SCHEMA_SHOWN,
  JSON_BESIDE_TOOLS,
  JSON_IN_WORDS,
  TOOL_NAMES,
  CALL_IDS,
  EMPTY_STOP,
  NO_STOP,
  MOST_STOPS_RULE,
  NO_TOP_K,
  STORE,
];
