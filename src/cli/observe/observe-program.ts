/** Declares the subcommands, flags and help of `reckoner observe`. */
import type { Command } from "commander";
import { pathArgument } from "../files/path-argument.js";
import { usageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";

/** Makes of a command, which is loaded where it is asked for, what is done with its words. */
export type Runs = (
  // biome-ignore lint/suspicious/noExplicitAny: the words and flags are as the command declares them
  load: () => Promise<(io: Io, ...words: any[]) => Promise<number>>,
  // biome-ignore lint/suspicious/noExplicitAny: the same
) => (...words: any[]) => Promise<void>;

/** Parses the value of a flag that takes a whole number. @throws ReckonerError `cli.usage` */
export function wholeNumber(
  flag: string,
  least = 0,
  most: number = Number.MAX_SAFE_INTEGER,
): (word: string) => number {
  return (word) => {
    const number = /^\d{1,15}$/.test(word) ? Number(word) : -1;
    if (number >= least && number <= most) return number;
    const upTo = most === Number.MAX_SAFE_INTEGER ? "" : ` up to ${most}`;
    const from = least === 0 ? upTo : ` from ${least} on`;
    throw usageError(`${flag} ${word} is not a whole number${from}; write ${flag} 12.`);
  };
}

const FORMAT = "terminal, json (default: terminal)";

/** Flags that choose events. */
function withFilter(command: Command): Command {
  return command
    .option("--agent <id>", "of the reasoner with this id")
    .option("--session <key>", "of this session")
    .option("--run <id>", "of this run")
    .option("--type <types>", "of these types: tool_call,llm_call,decision,error, …")
    .option("--from <time>", "not before this time, ISO 8601; UTC without a zone")
    .option("--to <time>", "not after this time; a date means its beginning")
    .option("--limit <n>", "only the last N", wholeNumber("--limit"));
}

/** Adds the commands. */
export function addObserve(program: Command, runs: Runs): void {
  const observe = program
    .command("observe")
    .description("query what happened in runs: events, causes, statistics");
  const load = () => import("./observe.js");

  withFilter(
    observe
      .command("events")
      .description("list what happened: model calls, tool calls, decisions, errors, inputs")
      .argument("<journal|folder>", "", pathArgument),
  )
    .option("--format <format>", "terminal, json, markdown (default: terminal)")
    .option("--follow", "follow live runs; JSON is then one event per line")
    .action(runs(async () => (await load()).eventsCommand));

  observe
    .command("explain")
    .description("print the causes and consequences of an event")
    .argument("<journal|folder>", "", pathArgument)
    .argument("<event>", "its id, or a prefix")
    .option("--sources", "where the request's blocks, or the call's arguments, come from")
    .option("--format <format>", FORMAT)
    .action(runs(async () => (await load()).explainCommand));

  observe
    .command("session")
    .description("print a session as a tree of events")
    .argument("<journal|folder>", "", pathArgument)
    .argument("[session]", "its key, or a run id; optional if there is only one")
    .option("--path", "print the critical path of its runs instead")
    .option("--format <format>", FORMAT)
    .action(runs(async () => (await load()).sessionCommand));

  withFilter(
    observe
      .command("stats")
      .description("count calls, decisions, delegations and errors")
      .argument("<journal|folder>", "", pathArgument),
  )
    .option("--format <format>", FORMAT)
    .action(runs(async () => (await load()).statsCommand));

  observe
    .command("status")
    .description("list the runs, and what cannot be read")
    .argument("<journal|folder>", "", pathArgument)
    .option("--format <format>", FORMAT)
    .action(runs(async () => (await load()).statusCommand));
}
