/** `lists`, a namespace of `reckoner/kernel`: a persistent list that is appended to. */
export { append, emptyList as empty, isList as is, listOf as of } from "./values/list.js";
