// All runs of our own machines within a bound, and all plans of faults around small runs: what was looked
// at and what broke. The table in docs/internals.md is what it prints.
//
//   npm run explore                                 all of it
//   npm run explore -- --only agent,crashes         some
//   npm run explore -- --states 20000 --seconds 60  bounds of each search
//   npm run explore -- --json                       as one JSON document
import { parseArgs } from "node:util";
import { ensureBuilt } from "./ensure-built.mjs";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    states: { type: "string", default: "200000" },
    seconds: { type: "string", default: "300" },
    json: { type: "boolean", default: false },
  },
});
await ensureBuilt();
const { machines } = await import("./explore/machines.mjs");
const { protocols } = await import("./explore/protocols.mjs");
const { explore } = await import("reckoner/testing");

const names = [...machines, ...protocols].map(({ name }) => name);
const only = values.only === "" ? names : values.only.split(",");
const unknown = only.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(
    `Nothing to explore is called ${unknown.join(", ")}; there are ${names.join(", ")}.`,
  );
  process.exit(2);
}

const rows = [];
for (const { name, what, reasoner, options } of machines) {
  if (!only.includes(name)) continue;
  const report = explore(reasoner, {
    ...options,
    states: Number(values.states),
    seconds: Number(values.seconds),
    progress({ states, depth }) {
      if (process.stderr.isTTY) process.stderr.write(`\r${name}: ${states} states, depth ${depth}`);
    },
  });
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[2K");
  const {
    states,
    steps,
    saved,
    depth,
    seconds,
    bounded,
    ok,
    scheduled,
    text,
    unreached,
    warnings,
  } = report;
  rows.push({
    name,
    what,
    ok,
    states,
    steps,
    saved,
    depth,
    bounded: bounded ?? "nothing: these are all",
    beyond: scheduled?.runs ?? 0,
    statesASecond: Math.round(states / seconds),
    unreached,
    warnings,
    ...(ok ? {} : { text }),
  });
  if (!values.json) console.log(line(rows.at(-1)));
}
for (const { name, what, search } of protocols) {
  if (!only.includes(name)) continue;
  const found = await search();
  rows.push({ name, what, ...found });
  if (!values.json) console.log(line(rows.at(-1)));
}
if (values.json) console.log(JSON.stringify(rows, null, 2));
process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1;

function line({
  name,
  ok,
  states,
  steps,
  saved,
  depth,
  bounded,
  beyond,
  statesASecond,
  text,
  plans,
  processes,
  warnings = [],
}) {
  const verdict = ok ? "holds" : `BROKEN\n${text}`;
  if (plans !== undefined)
    return `${name.padEnd(18)} ${plans} plans, ${processes} processes: ${verdict}`;
  const more = warnings.map((each) => `\n  ${each}`).join("");
  return `${name.padEnd(18)} ${states} states, ${steps} steps, ${saved} left out, depth ${depth}, bound by ${bounded}, ${beyond} runs beyond, ${statesASecond} states a second: ${verdict}${more}`;
}
