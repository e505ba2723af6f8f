/**
 * What the model of this example says. It is a function of the transcript alone and keeps no state,
 * so a run that is resumed in another process goes on where it was.
 */
import {
  type Message,
  type ModelPort,
  type ScriptedTurn,
  scriptedModel,
  type ToolOutput,
} from "reckoner";
import type { Match } from "./folder.js";

/** What the script has an answer to. */
export const question =
  "What happens to a journal in which somebody has changed a byte? Show me the place in the code.";

const SOUGHT = "its bytes do not give its hash";

/** A model that reads the project with the agent's tools and answers {@link question}. */
export function scriptedReader(): ModelPort {
  return scriptedModel(({ messages }) => nextTurn(messages));
}

function nextTurn(messages: readonly Message[]): ScriptedTurn {
  const [match] = (answerOf(messages, "search") ?? []) as readonly Match[];
  if (match === undefined) {
    if (resultsOf(messages, "search").length > 0) return "I could not find the place.";
    return {
      text: "I look at the journal's files, and for the words of the refusal.",
      calls: [
        { name: "list", input: { path: "src/core/journal" } },
        { name: "search", input: { text: SOUGHT, path: "src/core/journal" } },
      ],
    };
  }
  const place = `${match.path}:${match.line}`;
  const line = `A changed byte is refused at ${place}.`;
  if (resultsOf(messages, "note").length === 0) {
    return {
      text: `It is ${place}. I read around it, remember it, note it, and write the report.`,
      calls: [
        { name: "read", input: { path: match.path, from: Math.max(1, match.line - 3), count: 6 } },
        { name: "remember", input: { finding: place } },
        { name: "note", input: { line } },
        { name: "report", input: { name: "report.md", text: line } },
      ],
    };
  }
  const notes = answerOf(messages, "read_notes");
  if (failed(messages, "note")) {
    if (notes === undefined) {
      return { text: "Was the note written? I look.", calls: [{ name: "read_notes" }] };
    }
    if (!String(notes).includes(line)) return { calls: [{ name: "note", input: { line } }] };
  }
  const checked = notes === undefined ? "" : "The note was there already: I left it at that. ";
  const outcome = failed(messages, "report")
    ? "The report was not written."
    : "The report is written.";
  const code = String(answerOf(messages, "read") ?? "").trimEnd();
  return `The journal is refused, with the number of the line, and left as it is. ${place} says so:\n\n${code}\n\n${checked}${outcome}`;
}

/** The results of a tool so far, in order. */
function resultsOf(messages: readonly Message[], tool: string): readonly ToolOutput[] {
  return messages
    .flatMap((message) => (message.role === "tool" ? message.content : []))
    .filter((part) => part.toolName === tool)
    .map((part) => part.output);
}

function answerOf(messages: readonly Message[], tool: string): unknown {
  const output = resultsOf(messages, tool).at(-1);
  return output?.type === "text" || output?.type === "json" ? output.value : undefined;
}

/** Returns true if the last call failed, or was not let run. */
function failed(messages: readonly Message[], tool: string): boolean {
  const { type } = resultsOf(messages, tool).at(-1) ?? { type: "none" };
  return type.startsWith("error") || type === "execution-denied";
}
