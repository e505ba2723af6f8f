/** Shortens ids and names so that they fit into an index of any database. */
import { digestOf } from "../../core/kernel/values/index.js";

/** Bytes of a key. Postgres takes some 2 700 in an index. */
const MOST = 1_000;

/** Returns a text as it is, or its digest where it is too long for a key. */
export function keyOf(text: string): string {
  return Buffer.byteLength(text) <= MOST ? text : `~${digestOf(text)}`;
}
