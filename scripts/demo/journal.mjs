// A journal's lines, read for telling. The demo's claims are taken from here and from what the tools
// wrote down themselves.
import { readFileSync } from "node:fs";

/**
 * What a journal holds.
 * @returns how many bytes and lines, the last sequence number, the input, and what happened, in order:
 * `says` (a model's text), and the tool calls, each with its state as far as the journal goes
 */
export function readStory(path) {
  const text = readFileSync(path, "utf8");
  const lines = text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  const events = lines.filter(({ event }) => event !== undefined);
  const calls = new Map();
  const happened = [];
  let answers = 0;
  for (const { event, starts = [], do: directives = [] } of lines) {
    if (event?.type === "llm.succeeded") {
      const said = event.content.filter(({ type }) => type === "text").map((part) => part.text);
      happened.push({ says: said.join("") });
      const asked = event.content.filter(({ type }) => type === "tool-call");
      asked.forEach(({ toolName, input }, i) => {
        const call = { id: `tool/${answers}/${i}`, name: toolName, input, state: "pure" };
        calls.set(call.id, call);
        happened.push({ call });
      });
      answers += 1;
    }
    for (const { type, id } of directives) {
      if (type === "approval") calls.get(id.replace("approval/", "tool/")).state = "asked";
    }
    if (event?.type === "approval.decided" && !event.approve) {
      calls.get(event.id.replace("approval/", "tool/")).state = "rejected";
    }
    for (const place of starts) calls.get(directives[place].id).state = "started";
    if (event?.type === "tool.succeeded" || event?.type === "tool.failed") {
      const call = calls.get(event.id);
      call.state = event.type === "tool.succeeded" ? "settled" : event.reason;
      call.output = event.output;
    }
  }
  for (const { mark } of lines.filter(({ mark }) => mark?.attempt !== undefined)) {
    const call = calls.get(mark.id);
    if (call.state === "asked") call.state = "started";
  }
  return {
    bytes: Buffer.byteLength(text),
    lines: lines.length,
    events: events.length,
    last: events.at(-1)?.seq,
    input: lines[0]?.input,
    happened,
    calls: [...calls.values()],
  };
}
