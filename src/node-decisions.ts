/** `reckoner/decisions` on Node: the same exports, a faster hash. */
import { hash } from "node:crypto";
import { useSha256 } from "./core/kernel/index.js";

export * from "./decisions.js";

useSha256((text) => hash("sha256", text, "base64url"));
