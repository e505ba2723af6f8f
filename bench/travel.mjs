// Time travel, measured: `node bench/travel.mjs [events] [journals]` after `npm run build`.
//
// A journal of 100 000 events is opened at its end and at records all over it; 1 000 journals of 200
// events are replayed, by the same code and by a prompt changed by one word, in one thread: events a
// second. Figures of a machine that does something else are of no use; compare within one run.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { agent, replay, resume, run, scriptedModel, tool } from "reckoner";
import { checkJournal, diff, fork, Timeline } from "reckoner/time-travel";

const EVENTS = Number(process.argv[2] ?? 100_000);
const JOURNALS = Number(process.argv[3] ?? 1_000);
const folder = mkdtempSync(join(tmpdir(), "bench-travel-"));

const look = tool({
  name: "look",
  jsonSchema: { type: "object" },
  execute: ({ n }) => `seen ${n}`,
});
const clerk = (system = "You are a careful clerk.") =>
  agent({ name: "clerk", system, tools: [look], maxIterations: 1e9 });
const model = (turns) =>
  scriptedModel((_request, turn) =>
    turn < turns ? { calls: [{ name: "look", input: { n: turn } }] } : "done",
  );

async function timed(what, work) {
  const from = performance.now();
  const result = await work();
  const ms = performance.now() - from;
  console.log(`${what}: ${ms.toFixed(0)} ms`);
  return { result, ms };
}

try {
  const long = join(folder, "long.jsonl");
  await timed(`a run of ${EVENTS} events`, () =>
    run(clerk(), "begin", { model: model(EVENTS / 2 - 1), journal: long }),
  );
  const { result: timeline } = await timed("opened", () => Timeline.open(clerk(), long));
  await timed("the state at its end", () => timeline.stateAt(timeline.events - 1));
  for (const part of [0.999, 0.5, 0.123, 0.87]) {
    const fresh = await Timeline.open(clerk(), long);
    await timed(`the record at ${part}`, () => fresh.at(Math.floor(fresh.events * part)));
    await timed("  the one before", () => fresh.previous());
  }
  const { result: forked } = await timed("forked in its middle", () =>
    fork(long, { at: Math.floor(timeline.events / 2) }),
  );
  await timed("the fork, resumed by one turn", () =>
    resume(clerk(), forked.journal, { model: scriptedModel(() => "done") }),
  );
  await timed("compared with the original", () => diff(long, forked.journal));

  const small = [];
  for (let i = 0; i < JOURNALS; i++) {
    const journal = join(folder, `small-${i}.jsonl`);
    await run(clerk(), `question ${i}`, { model: model(99), journal });
    small.push(journal);
  }
  const all = (what, check) =>
    timed(what, async () => {
      let events = 0;
      for (const journal of small) events += (await check(journal)).events;
      return events;
    }).then(({ result, ms }) =>
      console.log(`  ${result} events, ${((1000 * result) / ms).toFixed(0)} a second`),
    );
  await all("replayed by the same code", (journal) => replay(clerk(), journal));
  await all("checked by the same code", (journal) => checkJournal(clerk(), journal));
  const changed = clerk("You are a careless clerk.");
  await all("checked by another prompt", (journal) => checkJournal(changed, journal));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
