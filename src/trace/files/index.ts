/** Traces of journals in files, and their index. */
export {
  type FolderTracesOptions,
  fileTextStore,
  folderJournals,
  folderTraces,
} from "./trace-files.js";
