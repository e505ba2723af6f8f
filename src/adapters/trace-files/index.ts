/** Traces of journals in files: a folder of them, and what is kept beside them. */
export { type FolderTracesOptions, fileText, folderJournals, folderTraces } from "./trace-files.js";
