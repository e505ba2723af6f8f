/**
 * `parsers`, a namespace of `reckoner/thoughts`: the functions that read a model's answers, for use in
 * parsers of your own.
 */
export { jsonIn as json } from "../../kernel/vocabulary/index.js";
export { normaliseAnswer as answer } from "../operations/vote.js";
export { parseConnections as connections } from "./parse-connections.js";
export { parseScore as score, parseScores as scores } from "./parse-score.js";
export { parseVerdict as verdict } from "./parse-verdict.js";
