// What is kept of a scenario that was played: lines that a person can follow, each with short digests of
// what it only names, and two digests of all of it.
import { hashes, type Json } from "reckoner/kernel";
import { digestOf } from "../../src/core/kernel/values/index.js";
import { type Played, type Process, play } from "./play.js";
import { type Marked, nameOf, type RecordedRun, readTree, type Stepped } from "./read-tree.js";
import { type Scenario, START } from "./scenario.js";

/** One line. */
export interface Line {
  /** What happened, in words that no change of a machine's texts touches. */
  readonly text: string;
  /** Short digests of what an event, the directives and the state hold; absent in lines that name all. */
  readonly contents?: string;
  /** What the digests stand for, cut; only of what was just played. */
  readonly details?: () => string;
}

/** The lines of one run, or of what the world saw. */
export interface Section {
  /** `run`, `run <path>`, `processes` or `calls`. */
  readonly name: string;
  readonly lines: readonly Line[];
}

/** A scenario as it is kept. */
export interface Recorded {
  readonly name: string;
  readonly about: string;
  /** Digest of all texts: events, times, ids of directives, marks, ends, calls. */
  readonly shape: string;
  /** Digest of all that is in events, directives and states. */
  readonly contents: string;
  readonly sections: readonly Section[];
}

/** Plays a scenario, and keeps what is to be kept of it. */
export async function recorded(scenario: Scenario): Promise<Recorded> {
  const played = await play(scenario);
  const runs = readTree(scenario.reasoner, played.disk);
  const proofs: string[] = [];
  const sections = [
    ...runs.map((run) => sectionOf(run, proofs)),
    { name: "processes", lines: played.processes.flatMap((each) => processLines(each, proofs)) },
    { name: "calls", lines: callLines(played, runs) },
  ];
  const texts = sections.map(({ name, lines }) => [name, ...lines.map(({ text }) => text)]);
  return {
    name: scenario.name,
    about: scenario.about,
    shape: short(JSON.stringify(texts), 16),
    contents: short(proofs.join("\n"), 16),
    sections,
  };
}

const short = (text: string, length: number): string => digestOf(text).slice(0, length);
const time = (at: number): number => at - START;

/** The names of runs follow from how a journal is laid out: they are no part of what is compared. */
function withoutRunIds(value: unknown): string {
  return hashes.canonical(
    JSON.parse(JSON.stringify(value), (key, part) => (key === "runId" ? undefined : part)) as Json,
  );
}

function sectionOf({ path, records }: RecordedRun, proofs: string[]): Section {
  const lines = records.map((each) => ("mark" in each ? markLine(each) : eventLine(each, proofs)));
  return { name: path === "" ? "run" : `run ${path}`, lines };
}

function markLine({ mark: { id, ...more } }: Marked): Line {
  return {
    text: `mark ${id} ${hashes
      .canonical(more as Json)
      .replaceAll(/[{}"]/g, "")
      .replaceAll(":", " ")}`,
  };
}

function eventLine({ event, step, before, starts }: Stepped, proofs: string[]): Line {
  const { at, type, ...held } = event;
  const { directives, ignored } = step;
  // A run's own id stands in its context too.
  const state = {
    ...step.state,
    runId: "",
    context: { ...(step.state.context as object), runId: "" },
  };
  const contents = [
    withoutRunIds(held),
    hashes.canonical(directives as unknown as Json),
    hashes.canonical(state as unknown as Json),
  ];
  const digests = contents.map((text) => digestOf(text));
  proofs.push(...digests);
  const issued = directives.map((each, i) => nameOf(each) + (starts.includes(i) ? "*" : ""));
  const words = [
    time(at),
    type,
    ...("id" in held ? [held.id] : []),
    ...(issued.length === 0 ? [] : [">", ...issued]),
    ...(ignored === undefined ? [] : [`(${ignored.reason})`]),
    ...(step.state.status === "active" ? [] : [`= ${step.state.status}`]),
  ];
  return {
    text: words.join(" "),
    contents: digests.map((digest) => digest.slice(0, 3)).join(""),
    details: () => {
      const [event, issued] = contents as [string, string, string];
      const fields = changedFields(before?.context, step.state.context);
      return `the event ${cut(event)}; directives ${cut(issued)}; state ${JSON.stringify(step.state.value)}, changed ${fields.join(", ")}`;
    },
  };
}

const cut = (text: string): string => (text.length > 600 ? `${text.slice(0, 600)}…` : text);

/** The fields of a context that a step changed. */
function changedFields(before: unknown, after: unknown): readonly string[] {
  const [old, now] = [before ?? {}, after ?? {}] as { readonly [field: string]: unknown }[];
  const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])];
  return names.filter((name) => old?.[name] !== now?.[name]);
}

function processLines({ began, ended, died, end, refused }: Process, proofs: string[]): Line[] {
  const lines = refused.map(({ at, act, code }) => ({ text: `${at} ${act}: ${code}` }));
  const from = `${time(began)}-${time(ended)}`;
  if (end === undefined) return died ? [...lines, { text: `${from} died` }] : lines;
  const words = [
    from,
    end.status,
    end.status === "cancelled" ? "" : end.reason,
    `${end.events} events`,
  ];
  if (end.status === "waiting") {
    words.push(...end.approvals.map(({ id }) => `approval:${id}`));
    if (end.wakeAt !== undefined) words.push(`until ${time(end.wakeAt)}`);
  }
  const { usage } = end;
  const shown = "output" in end ? end.output : "error" in end ? end.error : null;
  const contents = withoutRunIds({ usage, shown: shown ?? null });
  const digest = digestOf(contents);
  proofs.push(digest);
  const line: Line = {
    text: words.filter((word) => word !== "").join(" "),
    contents: digest.slice(0, 3),
    details: () => `the end holds ${cut(contents)}`,
  };
  return [...lines, line];
}

/** The calls of all processes, each with the path of its run where its port is told the run. */
function callLines({ processes }: Played, runs: readonly RecordedRun[]): Line[] {
  const paths = new Map(runs.map(({ runId, path }) => [runId, path]));
  return processes.flatMap(({ calls }) =>
    calls.map(({ runId, what, from, until, how }) => {
      const path = runId === undefined ? "" : (paths.get(runId) ?? runId);
      const times = `${time(from)}-${until === undefined ? "" : time(until)}`;
      const ending = how === "returned" ? "" : ` ${how}`;
      return { text: `${times} ${path === "" ? "" : `${path} `}${what}${ending}` };
    }),
  );
}

/** A family's scenarios as the text of its fixture. */
export function textOf(all: readonly Recorded[]): string {
  return all.map(blockOf).join("\n");
}

function blockOf({ name, about, shape, contents, sections }: Recorded): string {
  const lines = [`# ${name}: ${about}`, `= ${shape} ${contents}`];
  for (const section of sections) {
    lines.push(`[${section.name}]`);
    for (const { text, contents } of section.lines) {
      lines.push(contents === undefined ? text : `${text} | ${contents}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

/** The scenarios of a fixture, by name. */
export function parsed(text: string): ReadonlyMap<string, Recorded> {
  const blocks = text.split("\n\n").filter((block) => block.trim() !== "");
  return new Map(blocks.map((block) => [parsedBlock(block).name, parsedBlock(block)]));
}

function parsedBlock(block: string): Recorded {
  const [title = "", proof = "", ...rest] = block.trimEnd().split("\n");
  const [, name = "", about = ""] = /^# (.*?): (.*)$/.exec(title) ?? [];
  const [, shape = "", contents = ""] = /^= (\S+) (\S+)$/.exec(proof) ?? [];
  const sections: { name: string; lines: Line[] }[] = [];
  for (const each of rest) {
    const [, section] = /^\[(.*)\]$/.exec(each) ?? [];
    if (section !== undefined) sections.push({ name: section, lines: [] });
    else sections.at(-1)?.lines.push(parsedLine(each));
  }
  return { name, about, shape, contents, sections };
}

function parsedLine(line: string): Line {
  const [, text, contents] = /^(.*) \| (\S+)$/.exec(line) ?? [];
  return text === undefined ? { text: line } : { text, contents: contents as string };
}
