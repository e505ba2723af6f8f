/** Journals in files, for Node: `import { fileJournal } from "reckoner/file-journal"`. */
export type { FileCalls } from "./file-calls.js";
export { type FileJournalOptions, fileJournal } from "./file-journal.js";
export { folderBlobs } from "./folder-blobs.js";
