/**
 * A researcher that delegates: a librarian looks things up, a writer publishes what a person has
 * approved. Each is a child run, in the journal of the researcher's. It is a configuration for the command
 * line: `npx --no reckoner run examples/researcher.ts --journal research.jsonl`.
 */
import {
  type Agent,
  agent,
  agentTool,
  defineConfig,
  type Json,
  type JsonObject,
  type Message,
  type ModelPort,
  type ScriptedTurn,
  scriptedModel,
  type ToolContext,
  ToolError,
  tool,
} from "reckoner";
import { z } from "zod";

/** What the tools work on; it comes with each run and is given to the children as well. */
export interface Services {
  readonly shelf: { readonly [subject: string]: string };
  readonly published: Map<string, string>;
}

const lookUp = tool({
  name: "look_up",
  description: "Looks a subject up on the shelf.",
  inputSchema: z.object({ subject: z.string() }),
  idempotent: true,
  execute({ subject }, { services }: ToolContext<JsonObject, Services>) {
    const found = services.shelf[subject.toLowerCase()];
    if (found === undefined) throw new ToolError(`Nothing on the shelf about ${subject}`);
    return found;
  },
});

const publish = tool({
  name: "publish",
  description: "Publishes a text under a title, for everybody to see.",
  inputSchema: z.object({ title: z.string(), text: z.string() }),
  needsApproval: true,
  execute({ title, text }, { services }: ToolContext<JsonObject, Services>) {
    services.published.set(title, text);
    return `published: ${title}`;
  },
});

const librarian = agent({
  name: "librarian",
  system: "You are the librarian. Look the question's subject up and answer in one sentence.",
  tools: [lookUp],
});

const writer = agent({
  name: "writer",
  system: "You are the writer. Publish what you are given, and say whether it was published.",
  tools: [publish],
});

/** The agent that delegates. */
export const researcher: Agent<JsonObject, Json, Services> = agent({
  name: "researcher",
  system: "You are the researcher. Ask the librarian, then have the writer publish the findings.",
  tools: [
    agentTool(librarian, { name: "librarian", description: "Answers one question." }),
    agentTool(writer, {
      name: "writer",
      description: "Publishes findings.",
      inputSchema: z.object({ title: z.string(), findings: z.array(z.string()) }),
      // The child's input: here a prompt with everything that it has to know.
      input: (args) => `Publish: ${JSON.stringify(args)}`,
    }),
  ],
});

/** What the scripted model has an answer to. */
export const question = "Compare the depth of the Mariana Trench with the height of Everest.";

/** A shelf of two books, and nothing published yet. */
export function library(): Services {
  return {
    shelf: {
      "mariana trench": "The Mariana Trench is about 11,000 metres deep.",
      everest: "Mount Everest is 8,849 metres high.",
    },
    published: new Map(),
  };
}

/** A model that speaks for all three: whose turn it is, it reads in the system prompt. */
export function scriptedFamily(): ModelPort {
  return scriptedModel(({ system = "", messages }) => {
    const results = resultsOf(messages);
    if (system.startsWith("You are the librarian"))
      return librarianSays(promptOf(messages), results);
    if (system.startsWith("You are the writer")) return writerSays(promptOf(messages), results);
    return researcherSays(results);
  });
}

function researcherSays([trench, everest, written]: readonly string[]): ScriptedTurn {
  if (trench === undefined || everest === undefined) {
    const ask = (prompt: string) => ({ name: "librarian", input: { prompt } });
    return {
      text: "I ask for both at once.",
      calls: [ask("How deep is the Mariana Trench?"), ask("How high is Everest?")],
    };
  }
  if (written === undefined) {
    const title = "Depth and height";
    return { calls: [{ name: "writer", input: { title, findings: [trench, everest] } }] };
  }
  return `${trench} ${everest} ${written}`;
}

function librarianSays(asked: string, [found]: readonly string[]): ScriptedTurn {
  const subject = /(Mariana Trench|Everest)/.exec(asked)?.[0] ?? asked;
  return found ?? { calls: [{ name: "look_up", input: { subject } }] };
}

function writerSays(asked: string, [published]: readonly string[]): ScriptedTurn {
  if (published !== undefined) {
    return published.startsWith("published") ? "It is published." : "It was not published.";
  }
  const { title, findings } = JSON.parse(asked.replace(/^Publish: /, ""));
  return { calls: [{ name: "publish", input: { title, text: findings.join("\n") } }] };
}

function promptOf([first]: readonly Message[]): string {
  return first?.role === "user" && typeof first.content === "string" ? first.content : "";
}

/** What the tools returned so far, in order. */
function resultsOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) =>
    message.role === "tool"
      ? message.content.map(({ output }) =>
          String("value" in output ? output.value : output.reason),
        )
      : [],
  );
}

export default defineConfig({
  reasoner: researcher,
  input: question,
  model: scriptedFamily(),
  services: library(),
});
