/**
 * Exports the view that a page has of a run, as streams of several protocols. It is pure: it knows lines, and no
 * host.
 */
export { type AgUiEvent, AgUiStream } from "./ag-ui-stream.js";
export type { LiveDelta, PageEvent, StreamedCall, StreamedText, TextKind } from "./page-event.js";
export { type OpenApproval, PageFold } from "./page-fold.js";
export { type UiMessage, UiMessages } from "./ui-messages.js";
export { placeOf, type UiChunk, UiStream, WITHDRAWN_CALL } from "./ui-stream.js";
export type { UiPart } from "./user-parts.js";
export { contentOf, contentOfAgUi } from "./user-parts.js";
