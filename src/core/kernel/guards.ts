/** `guards`, a namespace of `reckoner/kernel`: XState's combinations of guards. */
export { and, not, or, stateIn } from "xstate";
