/**
 * Tells observers of a run that its `deps` hold something that looks like a secret, or that its journal could
 * not be closed.
 */

import type { RunState } from "../../core/kernel/machine/index.js";
import type { Json, ReckonerError } from "../../core/kernel/values/index.js";
import { secretPaths } from "../../core/kernel/vocabulary/index.js";
import type { NoticeCode } from "../ports/observation.js";

/** Whom notices are told. */
interface NoticeObserver {
  observe(notice: {
    readonly type: "notice";
    readonly code: NoticeCode;
    readonly message: string;
  }): void;
}

/** Says what of a run's deps looks like a secret. */
export function noticeSecrets({ context }: RunState<unknown>, live: NoticeObserver): void {
  const { deps } = (context ?? {}) as { readonly deps?: Json };
  for (const path of secretPaths(deps, "deps")) {
    const message = `${path} looks like a secret and would be journalled; pass it in services.`;
    live.observe({ type: "notice", code: "deps.secret", message });
  }
}

/**
 * Tells that a journal could not be closed. A run that has ended has ended all the same: who is told
 * that it failed runs it again.
 */
export function noticeUnclosed(live: NoticeObserver, failure: ReckonerError | undefined): void {
  if (failure === undefined) return;
  live.observe({ type: "notice", code: "journal.unclosed", message: failure.message });
}
