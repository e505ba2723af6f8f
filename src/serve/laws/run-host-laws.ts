/**
 * `runHostLaws`: the laws that each implementation of `RunHost` (the verbs of one run) must keep, as data for
 * any test runner. Hosts and durable engines are tested by them.
 */

import type { Answer, RunHost } from "../index.js";
import { type HostLaw, same } from "./law-store.js";

const HELLO = { prompt: "Hello." };

/** One law. */
export type RunHostLaw = HostLaw;

/**
 * The laws of the verbs of one run. The reasoner is an agent that is a conversation: it answers `Hello.` to
 * whatever is said, but calls its tool `refund`, which a person approves, where the message says "refund".
 * @param make the verbs of a run that is not there yet; called anew for each law
 * @param until resolves when something holds of the run, and has time go on meanwhile
 */
export function runHostLaws(
  make: () => Promise<RunHost> | RunHost,
  until: (holds: () => Promise<boolean>) => Promise<void>,
): readonly RunHostLaw[] {
  const law = (name: string, check: (run: RunHost) => Promise<void>): RunHostLaw => ({
    name,
    check: async () => check(await make()),
  });
  const untilReady = (run: RunHost) => until(async () => (await run.row()).status === "ready");
  const asks = (run: RunHost) => until(async () => (await run.row()).approvals.length > 0);
  const begun = async (run: RunHost, words: string) => {
    took(await run.start({ input: HELLO }), "the start");
    await untilReady(run);
    took(await run.message(words), "the message");
  };
  const approvalOf = async (run: RunHost) => (await run.row()).approvals[0]?.id ?? "";

  return [
    law("nothing is said to a run that is not there", async (run) => {
      refusedAs(await run.message("Hi."), "run.missing");
      refusedAs(await run.decide("x", { approve: true }), "run.missing");
    }),
    law("a start of the same run is that run, and of another is refused", async (run) => {
      took(await run.start({ input: HELLO }), "the start");
      took(await run.start({ input: HELLO }), "the same start");
      refusedAs(await run.start({ input: { prompt: "Another." } }), "run.exists");
      await untilReady(run);
      same((await run.row()).title, HELLO.prompt, "the title");
    }),
    law("what is said under one key is one event", async (run) => {
      await begun(run, "Hi.");
      await untilReady(run);
      const before = (await run.row()).events;
      const first = await run.message("Once.", { key: "k" });
      took(first, "the message");
      await untilReady(run);
      const after = (await run.row()).events;
      same(
        JSON.stringify(await run.message("Once.", { key: "k" })),
        JSON.stringify(first),
        "again",
      );
      same(JSON.stringify(await run.answer("k")), JSON.stringify(first), "the answer");
      await untilReady(run);
      same((await run.row()).events, after, "the events");
      if (after <= before) throw new Error("the message is no event");
    }),
    law("something else under a key is refused, whatever became of the first", async (run) => {
      const input = { prompt: "Hello.", maxIterations: 3 };
      const swapped = { maxIterations: 3, prompt: "Hello." };
      const first = await run.start({ input }, { key: "s", by: "ann" });
      took(first, "the start");
      const again = (newRun: object) => run.start(newRun, { key: "s", by: "ann" });
      same(text(await again({ input: swapped, tags: [] })), text(first), "the same start");
      refusedAs(await again({ input: { prompt: "Another." } }), "event.key");
      refusedAs(await run.start({ input }, { key: "s", by: "bob" }), "event.key");
      await untilReady(run);
      const sender = { key: "k", by: "ann", role: "clerk" };
      const content = [
        { type: "text", text: "This." },
        { type: "file", data: "AAAA", mediaType: "text/plain" },
      ] as const;
      const message = await run.message(content, sender);
      took(message, "the message");
      await untilReady(run);
      const { events } = await run.row();
      refusedAs(await run.message("Something else.", sender), "event.key");
      refusedAs(await run.message(content, { ...sender, by: "bob" }), "event.key");
      refusedAs(await run.message(content, { ...sender, role: "head" }), "event.key");
      refusedAs(await run.cancel("enough", sender), "event.key");
      same(text(await run.message(content, sender)), text(message), "the same message");
      same(text(await run.answer("k")), text(message), "the answer");
      const no = { key: "d", by: "ann" };
      refusedAs(await run.decide("none", { approve: true }, no), "approval.stale");
      refusedAs(await run.decide("none", { approve: false }, no), "event.key");
      refusedAs(await run.decide("none", { approve: true }, no), "approval.stale");
      same((await run.row()).events, events, "the events");
    }),
    law("a decision is taken once, and a stale one is refused", async (run) => {
      await begun(run, "refund");
      await asks(run);
      const id = await approvalOf(run);
      refusedAs(await run.decide("none", { approve: true }), "approval.stale");
      took(await run.decide(id, { approve: true }, { by: "ann" }), "the decision");
      refusedAs(await run.decide(id, { approve: true }, { by: "bob" }), "approval.stale");
      await untilReady(run);
    }),
    law("lines are read from any number on", async (run) => {
      await begun(run, "Hi.");
      await untilReady(run);
      const all = (await run.lines()).lines;
      for (let from = 0; from <= all.length; from++) {
        const page = await run.lines(from);
        same(page.lines.join("\n"), all.slice(from).join("\n"), `the lines from ${from} on`);
      }
    }),
    law("a cancelled run has ended, and takes nothing more", async (run) => {
      await begun(run, "refund");
      await asks(run);
      took(await run.cancel("enough"), "the cancel");
      await until(async () => (await run.row()).status === "cancelled");
      refusedAs(await run.message("Hi."), "run.ended");
    }),
    law("an edited message takes the place of what was said", async (run) => {
      await begun(run, "refund");
      await asks(run);
      const seq = await messageIn(run, "refund");
      took(await run.edit(seq, "Hi."), "the edit");
      await untilReady(run);
      same((await run.row()).approvals.length, 0, "the approvals");
      refusedAs(await run.edit(10_000, "Hi."), "fork.point");
    }),
    law(
      "an edited beginning takes the place of the run, which answers to its start still",
      async (run) => {
        await begun(run, "refund");
        await asks(run);
        took(await run.edit(0, "Good day."), "the edit");
        await untilReady(run);
        const row = await run.row();
        same(row.title, "Good day.", "the title");
        same(row.approvals.length, 0, "the approvals");
        took(await run.start({ input: HELLO }), "the same start");
        refusedAs(await run.start({ input: { prompt: "Good day." } }), "run.exists");
        took(await run.edit(0), "the same again");
        await untilReady(run);
        same((await run.row()).title, "Good day.", "the title again");
        took(await run.message("Hi."), "a message");
        await untilReady(run);
        const seq = await messageIn(run, "Hi.");
        took(await run.edit(seq), "the same message again");
        await untilReady(run);
        same(await messageIn(run, "Hi."), seq, "the message");
      },
    ),
  ];
}

const text = (answer: Answer) => JSON.stringify(answer);

async function messageIn(run: RunHost, content: string): Promise<number> {
  for (const text of (await run.lines()).lines) {
    const { seq, event } = JSON.parse(text) as { seq?: number; event?: { content?: unknown } };
    if (seq !== undefined && event?.content === content) return seq;
  }
  throw new Error(`no message ${content}`);
}

function took(answer: Answer, what: string): void {
  if (answer.outcome !== "taken") throw new Error(`${what}: ${JSON.stringify(answer)}`);
}

function refusedAs(answer: Answer, code: string): void {
  if (answer.outcome === "refused" && answer.code === code) return;
  throw new Error(`${code} was due, but came ${JSON.stringify(answer)}`);
}
