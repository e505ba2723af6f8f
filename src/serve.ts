/**
 * `reckoner/serve`: `host` runs many runs by id over a store that several processes may share; `runsFetch`
 * serves them over HTTP.
 */
export type * from "./serve/index.js";
export { host, memoryBlobs, memoryHostStore, runsFetch } from "./serve/index.js";
