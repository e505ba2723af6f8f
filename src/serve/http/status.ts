/**
 * Chooses the HTTP status of a response, from the code of an error or the answer of a run (taken, refused,
 * accepted).
 */
import type { Answer } from "../run-host.js";

const STATUS: { readonly [code: string]: number } = {
  "agent.invalid": 400,
  "run.missing": 404,
  "fork.point": 409,
  "event.tooLarge": 413,
  "host.limit": 429,
  "host.unauthorized": 401,
  "host.route": 404,
  "host.closed": 503,
  "port.failed": 503,
  "port.missing": 503,
  "port.notReady": 503,
};
/** The codes of faults that the sender can mend begin so. */
const SENDERS = /^(?:option|event|json|message|approval)\./;

/** Returns the status of a fault. */
export function statusOfFault(code: string): number {
  return STATUS[code] ?? (SENDERS.test(code) ? 400 : 500);
}

const OUTCOMES = { taken: 200, refused: 409, accepted: 202 } as const;

/** Returns the status of what a route returned: an answer to something that was said, or what was asked for. */
export function statusOf(result: unknown): number {
  const { outcome, code } = result as Partial<{ outcome: Answer["outcome"]; code: string }>;
  if (outcome === undefined) return 200;
  const own = outcome === "refused" ? STATUS[code ?? ""] : undefined;
  return own ?? OUTCOMES[outcome];
}
