/**
 * What the demo's processes run: the agent of examples/files as it is, with services that write down
 * each call in a file of their own. That file, and not the journal, says how often a tool has run.
 */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "reckoner";
import { reader, services } from "../../examples/files/agent.js";
import { type Folder, openFolder } from "../../examples/files/folder.js";
import { question, scriptedReader } from "../../examples/files/script.js";
import type { Services } from "../../examples/files/tools.js";

const { RECKONER_DEMO_FOLDER: folder, RECKONER_DEMO_HOLD: hold } = process.env;

/** Where somebody is to be killed, he has to stay for it. The tool's own time limit ends it anyway. */
const stay = () =>
  hold === undefined ? undefined : new Promise((resolve) => setTimeout(resolve, 60_000));

function watched(folder: string): Services {
  const desk = openFolder(folder);
  const began = (tool: string) =>
    appendFileSync(join(folder, "executions.log"), `${tool} in process ${process.pid}\n`);
  const project: Folder = {
    ...services.project,
    list: (path) => {
      began("list");
      return services.project.list(path);
    },
    search: (text, path) => {
      began("search");
      return services.project.search(text, path);
    },
    read: async (path, from, count) => {
      began("read");
      await stay();
      return services.project.read(path, from, count);
    },
  };
  return {
    project,
    desk: {
      ...desk,
      read: (path, from, count) => {
        began("read_notes");
        return desk.read(path, from, count);
      },
      append: async (path, text) => {
        await desk.append(path, text);
        began("note");
        await stay();
      },
      write: (path, text) => {
        began("report");
        return desk.write(path, text);
      },
    },
  };
}

export default defineConfig({
  reasoner: reader,
  input: question,
  model: scriptedReader(),
  services: folder === undefined ? services : watched(folder),
});
