// Waits for runs of another process.
import type { RunHost } from "reckoner/serve";
import { until } from "./until.mjs";

export { until };

export const isOver = (verbs: RunHost) =>
  until(async () => /done|failed|cancelled/.test((await verbs.row()).status));
export const untilReady = (verbs: RunHost) =>
  until(async () => (await verbs.row()).status === "ready");
