// What a journal's text holds, counted by brute force: a second opinion for the trace that shares no
// code with it.
type Json = Record<string, unknown>;

const EFFECTS = new Set(["llm", "tool", "read", "write", "approval", "timer", "run"]);
const SETTLES =
  /^(?:llm|tool|read|write|run)\.(?:succeeded|failed)$|^approval\.decided$|^timer\.fired$/;

/** What the events of one run have to be, as `type id`. */
export interface Counted {
  readonly runId: string;
  readonly effects: readonly string[];
  readonly inputs: readonly string[];
  readonly inlineCalls: readonly string[];
  /** Failures that were recorded, settlement by settlement. */
  readonly failures: number;
  /** Ids of all effects of calls by their answers: `tool/0/0` → `llm/0`. */
  readonly ended: boolean;
}

/** Counts in the text of one journal, run by run. */
export function count(text: string, isAgent: (id: string) => boolean): readonly Counted[] {
  const lines = text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Json);
  const header = lines[0] as { runId: string; reasoner: { id: string } };
  const root = header.runId.replace(/[%:]/g, (each) => (each === "%" ? "%25" : "%3a"));
  const runs = new Map<string, { readonly runId: string; reasoner: { id: string }; own: Json[] }>();
  for (const line of lines) {
    const run = (line.run ?? "") as string;
    const begin = (run === "" ? header : line.begin) as typeof header | undefined;
    const runId = run === "" ? header.runId : `${root}:${run}`;
    if (begin !== undefined && !runs.has(run)) {
      runs.set(run, { runId, reasoner: begin.reasoner, own: [] });
    }
    runs.get(run)?.own.push(line);
  }
  return [...runs.values()].map(({ runId, reasoner, own }) =>
    countRun(runId, reasoner, own, isAgent),
  );
}

function countRun(
  runId: string,
  reasoner: { readonly id: string },
  lines: readonly Json[],
  isAgent: (id: string) => boolean,
): Counted {
  const effects: string[] = [];
  const inputs: string[] = [];
  const answers: { readonly id: string; readonly calls: number }[] = [];
  const open = new Map<string, string>();
  let failures = 0;
  let ended = false;
  let settledAnswers = new Set<string>();
  for (const line of lines) {
    if (!("event" in line) || "type" in line) continue;
    const event = line.event as { type: string; id?: string; content?: Json[] };
    if (SETTLES.test(event.type)) {
      const id = event.id as string;
      if (open.get(id) === event.type.split(".")[0]) {
        open.delete(id);
        if (event.type.endsWith(".failed")) failures += 1;
        if (event.type === "llm.succeeded") {
          const calls = (event.content as Json[]).filter(
            (part) => part.type === "tool-call" && part.providerExecuted !== true,
          );
          answers.push({ id, calls: calls.length });
          settledAnswers = settledAnswers.add(id);
        }
      }
    } else inputs.push(`${runId}#@${line.seq}`);
    for (const directive of (line.do ?? []) as { type: string; id?: string; target?: string }[]) {
      if (!EFFECTS.has(directive.type)) continue;
      effects.push(`${runId}#${directive.id}`);
      open.set(directive.id as string, directive.type);
    }
    for (const directive of (line.do ?? []) as { type: string; target?: string }[]) {
      if (directive.type === "cancel" && directive.target !== undefined) {
        open.delete(directive.target);
      }
    }
    if ("end" in line) ended = true;
  }
  const known = new Set(effects);
  const inlineCalls = !isAgent(reasoner.id)
    ? []
    : answers.flatMap(({ id, calls }) => {
        const iteration = id.split("/")[1];
        return Array.from({ length: calls }, (_, k) => `${runId}#tool/${iteration}/${k}`).filter(
          (call) => !known.has(call),
        );
      });
  return { runId, effects, inputs, inlineCalls, failures, ended };
}
