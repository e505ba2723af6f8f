/** Traces of journals in files, and their index. */
export { type FolderTracesOptions, fileText, folderJournals, folderTraces } from "./trace-files.js";
