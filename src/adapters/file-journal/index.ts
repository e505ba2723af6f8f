/** The entry `reckoner/file-journal`: journals in files, and the files of runs in a folder, for Node. */
export type { FileCalls } from "./file-calls.js";
export { type FileJournalOptions, fileJournal } from "./file-journal.js";
export { folderBlobs } from "./folder-blobs.js";
