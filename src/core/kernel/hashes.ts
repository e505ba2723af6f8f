/** `hashes`, a namespace of `reckoner/kernel`: canonical JSON, and the digest of a text as journals have it. */
export { canonical } from "./values/canonical.js";
export { digestOf } from "./values/hash.js";
