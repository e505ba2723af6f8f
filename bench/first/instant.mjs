// A model that asks for a tool twenty times and then is done, for both loops of this folder.
export const TURNS = 20;

/** @param inputOf a tool call's input, as the loop wants it @param usage of each answer */
export function instantModel(inputOf, usage, finishReasonOf = (reason) => reason) {
  let asked = 0;
  return async () => {
    asked += 1;
    const call = { type: "tool-call", toolCallId: `call-${asked}`, toolName: "echo" };
    const isDone = asked > TURNS;
    return {
      content: [isDone ? { type: "text", text: "done" } : { ...call, input: inputOf({}) }],
      finishReason: finishReasonOf(isDone ? "stop" : "tool-calls"),
      usage,
      warnings: [],
    };
  };
}
