/**
 * An agent in a browser page: model, tools and journal live in the page, and nothing of Node is there.
 * `npm run build`, then `npx esbuild examples/browser/page.ts --bundle --outfile=examples/browser/page.js`
 * makes the script of index.html.
 */
import {
  type Agent,
  agent,
  agentCallbacks,
  memoryJournal,
  type Observer,
  replay,
  run,
  scriptedModel,
  tool,
} from "reckoner";
import { z } from "zod";

/** As much of a document as the page uses. */
interface Page {
  getElementById(id: string): { textContent: string | null } | null;
}
declare const document: Page | undefined;

const roll = tool({
  name: "roll",
  description: "Rolls a die of so many sides.",
  inputSchema: z.object({ sides: z.number().int().min(2) }),
  execute: ({ sides }) => 1 + Math.floor(Math.random() * sides),
});

/** The agent. In a page of your own its model asks your server; keys do not belong in a page. */
export const dicer: Agent = agent({ name: "dicer", system: "You roll dice.", tools: [roll] });

const model = scriptedModel(({ messages }) => {
  const last = messages.at(-1);
  const output = last?.role === "tool" ? last.content[0]?.output : undefined;
  const rolled = output?.type === "json" ? output.value : undefined;
  return rolled === undefined
    ? { text: "I roll. ", calls: [{ name: "roll", input: { sides: 6 } }] }
    : `It is between 1 and 6: ${Number(rolled) >= 1 && Number(rolled) <= 6}.`;
});

/** Runs the agent, and says what happens line by line. */
export async function tell(say: (line: string) => void): Promise<void> {
  const journal = memoryJournal();
  const observer: Observer = agentCallbacks({
    onToolCall: ({ name }) => say(`calls ${name}`),
    onLlmNewDelta: (text) => say(`says ${text}`),
  });
  const end = await run(dicer, "Roll a die.", { model, journal, observers: [observer] });
  say(`${end.status} after ${end.events} events`);
  say(`replay: ${(await replay(dicer, journal)).status}`);
}

if (typeof document !== "undefined") {
  const log = document.getElementById("log");
  void tell((line) => {
    if (log !== null) log.textContent = `${log.textContent}${line}\n`;
  });
}
