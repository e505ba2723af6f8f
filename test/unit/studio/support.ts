/** Runs whose journals the studio is shown. */
import { type JournalPort, ModelError, memoryJournal, resume, run, virtualClock } from "reckoner";
import { readTree } from "../../../src/studio/live/index.js";
import type { RecordedTree } from "../../../src/studio/model/index.js";
import { payer, script } from "./payer.js";

export { payer, script };

/** The moment at which the runs here begin: 1 January 2030. */
export const BEGUN = Date.UTC(2030, 0, 1);

/** Runs the payer until it waits for a person. */
export async function waitingRun(amount?: number, name?: string): Promise<JournalPort> {
  const journal = memoryJournal(name);
  const clock = virtualClock(BEGUN);
  await run(payer(), "Order A-17 arrived broken.", {
    model: script(amount),
    journal,
    clock,
    runId: "r1",
  });
  return journal;
}

/** The same, and a day later a person decides. */
export async function paidRun({
  amount,
  decision = { approve: true, by: "ada" },
  name,
}: {
  readonly amount?: number;
  readonly decision?: { readonly approve: boolean; readonly by?: string; readonly input?: never };
  readonly name?: string;
} = {}): Promise<JournalPort> {
  const journal = await waitingRun(amount, name);
  const clock = virtualClock(BEGUN + 86_400_000);
  await resume(payer(), journal, {
    model: script(amount),
    clock,
    approvals: { "approval/2/0": decision },
  });
  return journal;
}

/** A run whose model cannot answer. */
export async function failedRun(): Promise<JournalPort> {
  const journal = memoryJournal("failed");
  const model = {
    name: "broken",
    generate: () => Promise.reject(new ModelError({ code: "model.refused", message: "No key." })),
  };
  const clock = virtualClock(BEGUN);
  await run(payer(), "Order A-17", { model, journal, clock, runId: "r2" }).catch(() => undefined);
  return journal;
}

export async function paidTree(options?: Parameters<typeof paidRun>[0]): Promise<RecordedTree> {
  return readTree(await paidRun(options));
}
