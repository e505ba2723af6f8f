/**
 * An agent that answers questions about the files of this project. It is a configuration for the
 * command line too: `npx --no reckoner run examples/files/agent.ts`.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Agent, agent, defineConfig } from "reckoner";
import { openFolder } from "./folder.js";
import { question, scriptedReader } from "./script.js";
import { type Deps, type Services, tools } from "./tools.js";

/** The agent. It carries its tools; what they work on comes with each run, as services. */
export const reader: Agent<Deps> = agent<Deps>({
  name: "reader",
  system:
    "You answer questions about the files of a project. Look before you answer, and say where you looked.",
  tools,
  deps: { findings: [] },
});

const project = fileURLToPath(new URL("../..", import.meta.url));

/** This project's own files, and a temporary folder for what is written. */
export const services: Services = {
  project: openFolder(project),
  desk: openFolder(join(tmpdir(), "reckoner-desk")),
};

export default defineConfig({
  reasoner: reader,
  input: question,
  model: scriptedReader(),
  services,
});
