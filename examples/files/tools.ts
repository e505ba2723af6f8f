/** The tools of the agent that reads files: what a model may do, and what each call costs to repeat. */
import { contextUpdate, type Tool, type ToolContext, tool, withUpdate } from "reckoner";
import { z } from "zod";
import type { Folder } from "./folder.js";

/** Live handles: given to the interpreter, never journalled. */
export interface Services {
  /** What the questions are about. Nothing is written there. */
  readonly project: Folder;
  /** Where notes and reports are kept. */
  readonly desk: Folder;
}

/** The run's own data: part of its state, and of its journal. */
export type Deps = { readonly findings: readonly string[] };

type Context = ToolContext<Deps, Services>;

const NOTES = "notes.md";
const path = z.string().describe("Relative to the project's folder");

const list = tool({
  name: "list",
  description: "Names what is in a folder of the project.",
  inputSchema: z.object({ path }),
  idempotent: true,
  execute: (input, { services }: Context) => services.project.list(input.path),
});

const read = tool({
  name: "read",
  description: "Reads lines of a file of the project.",
  inputSchema: z.object({
    path,
    from: z.number().int().min(1).optional().describe("The first line, counted from 1"),
    count: z.number().int().min(1).max(400).optional(),
  }),
  idempotent: true,
  execute: (input, { services }: Context) =>
    services.project.read(input.path, input.from, input.count),
});

const search = tool({
  name: "search",
  description: "Finds the lines of the project's files that hold a text.",
  inputSchema: z.object({ text: z.string().min(1), path }),
  idempotent: true,
  execute: (input, { services }: Context) => services.project.search(input.text, input.path),
});

/** Pure: it changes the run's own data and nothing in the world, so it needs no effect. */
const remember = tool({
  name: "remember",
  description: "Keeps a finding for the rest of the run.",
  inputSchema: z.object({ finding: z.string() }),
  reduce: (input) => withUpdate("Remembered.", contextUpdate().append("findings", input.finding)),
});

/** Not idempotent: twice would be one line too many. */
const note = tool({
  name: "note",
  description: "Adds a line to the notes.",
  inputSchema: z.object({ line: z.string() }),
  execute: async (input, { services }: Context) => {
    await services.desk.append(NOTES, `${input.line}\n`);
    return "Noted.";
  },
});

const readNotes = tool({
  name: "read_notes",
  description: "Reads the notes.",
  idempotent: true,
  execute: (_input, { services }: Context) => services.desk.read(NOTES),
});

/** A person has to agree to each call. */
const report = tool({
  name: "report",
  description: "Writes a report for other people to read.",
  inputSchema: z.object({ name: z.string().regex(/^[\w-]+\.md$/), text: z.string() }),
  needsApproval: true,
  execute: async (input, { services }: Context) => {
    await services.desk.write(input.name, `${input.text}\n`);
    return `Written to ${input.name}.`;
  },
});

/** All of them. */
export const tools: readonly Tool[] = [list, read, search, remember, note, readNotes, report];
