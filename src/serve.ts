/** `reckoner/serve`: a host of many runs by id, from any process that has their store. */
export type * from "./serve/index.js";
export { host, memoryBlobs, memoryHostStore, runsFetch } from "./serve/index.js";
