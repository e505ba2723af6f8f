/** The law of several processes: no payment is made twice, and none by a run that was rewound. */
import type { World } from "./processes.js";
import { issuedBy } from "./processes-clerk.js";

/** What happened that must not, in words. */
export function wrongs({ effects, left, journals, log }: World): readonly string[] {
  const said: string[] = log.filter((line) => line.includes("UNEXPECTED"));
  const cuts = new Map<string, { readonly runId: string; readonly seq: number }>();
  for (const text of journals) {
    const header =
      text.startsWith("{") && text.includes("\n")
        ? JSON.parse(text.slice(0, text.indexOf("\n")))
        : {};
    if (header.fork !== undefined) cuts.set(header.runId, header.fork);
  }
  /** The run in whose own lines, or whose past, a call was asked for. */
  const asker = (runId: string, id: string): string => {
    const cut = cuts.get(runId);
    return cut !== undefined && issuedBy(id) <= cut.seq ? asker(cut.runId, id) : runId;
  };
  const paid = new Map<string, number>();
  for (const { runId, id, isLost } of effects) {
    if (isLost === true) continue;
    const call = `${asker(runId, id)} ${id}`;
    paid.set(call, (paid.get(call) ?? 0) + 1);
  }
  for (const [call, times] of paid) if (times > 1) said.push(`${call} is paid ${times} times`);
  for (const { runId, id, rewinds } of effects) {
    const gone = left.find((each) => each.runId === runId && each.rewinds <= rewinds);
    if (gone !== undefined) said.push(`${runId} pays ${id} though it was rewound`);
  }
  return said;
}
