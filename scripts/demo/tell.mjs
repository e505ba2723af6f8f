// What happened, for a person: every line follows from the journal, or from what the tools wrote
// down themselves.
import { relative } from "node:path";
import pc from "picocolors";
import { ROOT } from "./process.mjs";

const WIDTH = 88;
const NAME = 10;

/** Prints a run of the demo. */
export function tell(run, print = console.log) {
  const { before, after, processes } = run;
  const journal = relative(ROOT, run.journal) || run.journal;
  const line = (name, text) => print(`  ${pc.cyan(name.padEnd(NAME))} ${text}`);

  print(`\n${pc.bold("The question")}\n`);
  print(indented(run.question));

  print(`\n${pc.bold("The first process")} ${pc.dim(`(${processes.killed.pid}: reckoner run)`)}\n`);
  for (const { says, call } of before.happened) {
    if (says !== undefined) line("model", pc.italic(cut(says)));
    else line(call.name, `${subjectOf(call)}  ${pc.dim(untilTheKill(call))}`);
  }
  const caught = before.calls.filter(({ state }) => state === "started").map(({ name }) => name);
  print(`  ${pc.red("SIGKILL".padEnd(NAME))} while ${and(caught)} were running`);

  print(
    `\n${pc.bold("What the journal held")}\n\n  ${before.events} events in ${before.lines} lines, up to number ${run.resumedFrom}: ${sentence(before)}`,
  );

  print(
    `\n${pc.bold("The second process")} ${pc.dim(`(${processes.resumed.pid}: reckoner resume ${run.decided.map((id) => `--approve ${id}`).join(" ")})`)}\n`,
  );
  for (const call of before.calls) {
    const now = after.calls.find(({ id }) => id === call.id);
    line(call.name, whatBecameOf(call, now, run));
  }
  for (const { says, call } of after.happened.slice(before.happened.length)) {
    if (call !== undefined)
      line(call.name, `${subjectOf(call)}  ${pc.dim(outcomeOf(call))}`.trimStart());
    else if (says !== run.answer) line("model", pc.italic(cut(says)));
  }

  print(`\n${pc.bold("The answer")} ${pc.dim(`(${run.status})`)}\n\n${indented(run.answer)}`);

  print(
    `\n${pc.bold("The third process")} ${pc.dim(`(${processes.replayed.pid}: reckoner replay)`)}\n`,
  );
  const same = run.replay.status === "identical";
  print(
    `  ${same ? pc.green("identical") : pc.red(run.replay.status)}: ${run.events} events folded again, without the model and without the tools`,
  );
  print(`  ${pc.dim(`${journal}: ${after.lines} lines, ${after.bytes} bytes`)}`);

  print(`\n${pc.bold("Look for yourself")}\n`);
  print(`  npx --no reckoner show ${journal}`);
  print(`  npx --no reckoner replay ${journal}\n`);
}

function untilTheKill(call) {
  if (call.state === "settled") return countOf(call.output);
  if (call.state === "started") return "started";
  return call.state === "asked" ? "waits for approval" : "pure: no effect";
}

function whatBecameOf(before, now, { executions }) {
  const times = executions.filter((each) => each.startsWith(`${before.name} `)).length;
  const ran = pc.dim(`  (begun ${["never", "once", "twice"][times] ?? `${times} times`} in all)`);
  if (before.state === "settled") return `not run again: its result is in the journal${ran}`;
  if (before.state === "pure") return "pure: computed anew from the events";
  if (before.state === "asked") {
    return now.state === "settled" ? `approved, and run${ran}` : `decided, and ${now.state}${ran}`;
  }
  if (now.state === "unknown") {
    return `${pc.yellow("not run again")}: it had started, and nobody knew what came of it${ran}`;
  }
  return `run again: it is idempotent${ran}`;
}

function outcomeOf(call) {
  return call.state === "settled" ? countOf(call.output) : call.state;
}

function countOf(output) {
  if (Array.isArray(output)) return output.length === 1 ? "1 result" : `${output.length} results`;
  return cut(String(output), 40);
}

function sentence({ calls }) {
  const named = (state) => calls.filter((call) => call.state === state).map(({ name }) => name);
  return `${and(named("settled"))} settled, ${and(named("started"))} started and not settled, ${and(named("asked"))} not approved yet.`;
}

function subjectOf({ input }) {
  return cut(Object.values(input ?? {}).join(" "), 56);
}

function and(names) {
  if (names.length < 2) return names[0] ?? "nothing";
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function cut(text, width = WIDTH) {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}

function indented(text) {
  return text
    .split("\n")
    .map((line) => (line === "" ? line : `  ${line}`))
    .join("\n");
}
