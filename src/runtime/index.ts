/**
 * Exports the interpreter (`run`, `resume`, `perform`), the readers of journals, the ports, and the in-memory
 * defaults of these.
 */

export { askModel } from "./effects/ask-model.js";
export { checkAnswer } from "./effects/model-answer.js";
export {
  lostReport,
  type PerformPorts,
  perform,
  type Report,
} from "./effects/perform.js";
export { performByPort } from "./effects/perform-by-port.js";
export * from "./for-live-runs.js";
export { headNote, headOf, readableAt, withHead } from "./journals/head.js";
export {
  cutNotFound,
  followLink,
  type HeadedJournal,
  linkNotFound,
  linkWord,
  type PastLine,
  readLinked,
  type Trail,
} from "./journals/history.js";
export { begunIn, isInherited } from "./journals/inherited.js";
export type { RawLine } from "./journals/line-stream.js";
export { linkTo } from "./journals/link.js";
export { linkedRuns } from "./journals/load.js";
export {
  type Checkpoint,
  type ForkNote,
  freshName,
  type Head,
  noteFork,
  noteNew,
  readNotes,
  writeNote,
} from "./journals/notes.js";
export { appendLines, callNotes, readBytes, withWriter } from "./journals/port-calls.js";
export { decoded, emptyJournal, takeKnowing } from "./journals/read-journal.js";
export {
  provenSnapshot,
  readSnapshot,
  snapshotsOf,
  verifiedSnapshot,
} from "./journals/snapshots.js";
export { beforeFault, type SoundPart, soundPart } from "./journals/sound-part.js";
export { RunView, viewOf } from "./journals/view.js";
export { callHook } from "./ports/call-hook.js";
export {
  BLOBS,
  CLOCK,
  checkAllOptions,
  checkArgument,
  checkIsReasoner,
  checkOptions,
  checkRunOptions,
  JOURNAL,
  MODEL,
} from "./ports/check-options.js";
export { timeOfNote } from "./ports/checked-clock.js";
export { LazyAbort } from "./ports/lazy-abort.js";
export { onAbort } from "./ports/on-abort.js";
export { checkTenant } from "./ports/run-row.js";
export { past } from "./running/load-past.js";
