/** `reckoner/trace` on Node: the same exports, a faster hash. */
import { hash } from "node:crypto";
import { useSha256 } from "./core/kernel/index.js";

export * from "./trace.js";

useSha256((text) => hash("sha256", text, "base64url"));
