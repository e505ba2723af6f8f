/** The laws of decision stores, as data. */
export { type StoreProperty, storeAgrees } from "./store-agrees.js";
export type { MakeStore, StoreLaw } from "./store-law.js";
export { storeLaws } from "./store-laws.js";
