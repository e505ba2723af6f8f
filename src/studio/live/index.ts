/** Reads journals for the studio. */
export { FollowedTree, readTree, type Taken } from "./followed-tree.js";
export { type Fetch, heldJournal, refusedBy, servedJournal } from "./ports.js";
export type * from "./protocol.js";
