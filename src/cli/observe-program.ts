/** The arguments and help of `reckoner observe`. */
import type { Command } from "commander";
import { usageError } from "./failure.js";
import type { Io } from "./io.js";
import { pathArgument } from "./path-argument.js";

function wholeNumber(flag: string): (word: string) => number {
  return (word) => {
    if (/^\d{1,15}$/.test(word)) return Number(word);
    throw usageError(`${flag} ${word} is not a whole number; write ${flag} 20.`);
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

/** Adds the commands. @param done is told the exit code */
export function addObserve(program: Command, io: Io, done: (code: number) => void): void {
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
    .action(async (path, flags) => done(await (await load()).eventsCommand(io, path, flags)));

  observe
    .command("explain")
    .description("print the causes and consequences of an event")
    .argument("<journal|folder>", "", pathArgument)
    .argument("<event>", "its id, or a prefix")
    .option("--sources", "where the request's blocks, or the call's arguments, come from")
    .option("--format <format>", FORMAT)
    .action(async (path, id, flags) =>
      done(await (await load()).explainCommand(io, path, id, flags)),
    );

  observe
    .command("session")
    .description("print a session as a tree of events")
    .argument("<journal|folder>", "", pathArgument)
    .argument("[session]", "its key, or a run id; optional if there is only one")
    .option("--path", "print the critical path of its runs instead")
    .option("--format <format>", FORMAT)
    .action(async (path, key, flags) =>
      done(await (await load()).sessionCommand(io, path, key, flags)),
    );

  withFilter(
    observe
      .command("stats")
      .description("count calls, decisions, delegations and errors")
      .argument("<journal|folder>", "", pathArgument),
  )
    .option("--slow <ms>", "list the calls that took longer instead", wholeNumber("--slow"))
    .option("--errors", "list the errors instead, the most frequent first")
    .option("--format <format>", FORMAT)
    .action(async (path, flags) => done(await (await load()).statsCommand(io, path, flags)));

  observe
    .command("status")
    .description("list the runs, and what cannot be read")
    .argument("<journal|folder>", "", pathArgument)
    .option("--format <format>", FORMAT)
    .action(async (path, flags) => done(await (await load()).statusCommand(io, path, flags)));
}
