/**
 * The command line: commands, their flags and help. What a command does is in a file of its name.
 */
import { Command, CommanderError } from "commander";
import type { ReckonerError } from "../core/kernel/index.js";
import { exitCodes } from "./exit-codes.js";
import { errorOf, oneLine, report, usageError } from "./failure.js";
import { ignoredParts } from "./ignored-parts.js";
import { type Io, printJson } from "./io.js";
import { addObserve } from "./observe-program.js";
import { packageVersion } from "./package.js";
import { pathArgument, pathArguments } from "./path-argument.js";

const EXIT_CODES = `
Exit codes of run and resume: 0 done, 3 waiting, 1 failed or cancelled, 2 refused (wrong words, a
broken config, a journal that cannot be read). Of replay: 0 identical, 1 diverged, 2 refused.
Of check: 0 every law holds, 1 one is broken or nothing was judged, 2 refused.`;

/** Carries out a command line, without the words before the command. @returns the exit code */
export async function main(io: Io, words: readonly string[]): Promise<number> {
  let code: number = exitCodes.ok;
  const program = programOf(io, (result) => {
    code = result;
  });
  try {
    await program.parseAsync(words, { from: "user" });
    return code;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return exitCodes.ok;
    return refuse(io, words, thrown instanceof CommanderError ? wordsError(thrown) : thrown);
  }
}

/** Says why a command is refused, or cannot go on. @returns the exit code */
export function refuse(io: Io, words: readonly string[], thrown: unknown): number {
  report(io, thrown);
  // Whoever reads the one document is told there too.
  if (isForPrograms(words)) printJson(io, { error: errorOf(thrown) });
  return exitCodes.refused;
}

/** Whether one JSON document is asked for; a picture as JSON is none. */
function isForPrograms(words: readonly string[]): boolean {
  // Behind a `--` nothing is a flag.
  const end = words.indexOf("--");
  const flags = end < 0 ? words : words.slice(0, end);
  if (flags.includes("--json")) return true;
  return words[0] === "observe" && /--format[ =]json/.test(flags.join(" "));
}

/** What is wrong with the words themselves. */
function wordsError(error: CommanderError): ReckonerError {
  const said =
    error.code === "commander.help"
      ? "No command is given that there is"
      : oneLine(error.message)
          .replace(/^error: /, "")
          .replace(/\.$/, "");
  return usageError(`${said}; reckoner --help lists the commands and their flags.`);
}

const each = (word: string, before: readonly string[] = []): readonly string[] => [...before, word];

/** Flags whose texts are meant for people or models, who may be told nothing. */
const TEXTS: ReadonlySet<string> = new Set(["--prompt", "--reason", "--message"]);

/**
 * What goes for every flag with a value: one that is empty, a variable of a shell that is not set say,
 * stands for nothing, and of two that only one can be taken from nobody knows which is meant.
 */
function checkValues(command: Command): void {
  for (const option of command.options) {
    const { long, parseArg } = option;
    if (option.isBoolean() || typeof long !== "string") continue;
    option.argParser((given: string, before: unknown) => {
      if (given.trim() === "" && !TEXTS.has(long))
        throw usageError(`${long} is empty; write a word.`);
      if (before !== undefined && parseArg !== each) {
        throw usageError(`${long} is given twice; give it once.`);
      }
      return parseArg === undefined ? given : parseArg<unknown>(given, before);
    });
  }
  command.commands.forEach(checkValues);
}

function sequenceNumber(word: string): number {
  if (/^\d{1,15}$/.test(word)) return Number(word);
  throw usageError(`--at ${word} is not a sequence number; write --at 12.`);
}

const wholeNumber =
  (flag: string) =>
  (word: string): number => {
    if (/^\d{1,9}$/.test(word)) return Number(word);
    throw usageError(`${flag} ${word} is not a whole number; write ${flag} 12.`);
  };

function jobs(word: string): number {
  if (/^[1-9]\d{0,3}$/.test(word)) return Number(word);
  throw usageError(`--jobs ${word} is not a number from 1 on; write --jobs 4.`);
}

function programOf(io: Io, done: (code: number) => void): Command {
  const program = new Command("reckoner")
    .description("Runs reasoners; resumes, replays, shows and draws their journals.")
    .version(packageVersion(), "--version")
    .exitOverride()
    // Errors are ours to print, in our form.
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: () => {},
      outputError: () => {},
    })
    .addHelpText("after", EXIT_CODES);

  program
    .command("run")
    .description("start a run")
    .argument("<config>", "TypeScript or JavaScript module that exports a reasoner")
    .option("--prompt <text>", "what the agent is asked")
    .option("--input <json|@file>", "what the run starts from")
    .option("--model <provider:model>", "model of the AI SDK, such as openai:gpt-4o-mini")
    .option("--journal <file>", "where the run is recorded; without it, in memory")
    .option("--json", "print the end as one JSON document")
    .action(async (config, flags) =>
      done(await (await import("./run.js")).runCommand(io, config, flags)),
    );

  program
    .command("resume")
    .description("go on with a run from its journal")
    .argument("<journal>", "", pathArgument)
    .option("--config <file>", "the config, where the journal does not name it")
    .option(
      "--old <file>",
      "a config of earlier code that upgraded runs were written by; repeatable",
      each,
    )
    .option("--approve <id>", "grant an approval; repeatable", each)
    .option("--reject <id>", "deny an approval; repeatable", each)
    .option("--edit <id=json>", "grant an approval with other arguments; repeatable", each)
    .option("--reason <text>", "why the rejected ones are rejected")
    .option("--message <text>", "what the user says; repeatable", each)
    .option("--upgrade", "go on under the config at hand, though the journal is of another")
    .option("--model <provider:model>", "model of the AI SDK, such as openai:gpt-4o-mini")
    .option("--json", "print the end as one JSON document")
    .action(async (journal, flags) =>
      done(await (await import("./resume.js")).resumeCommand(io, journal, flags)),
    );

  program
    .command("replay")
    .description("check that the code at hand does exactly what journals recorded")
    .argument("<journal|folder...>", "journals, and folders with *.jsonl in them", pathArguments)
    .option("--config <file>", "the config, where the journals do not name it")
    .option(
      "--old <file>",
      "a config of earlier code that upgraded runs were written by; repeatable",
      each,
    )
    .option(
      "--ignore <parts>",
      "parts of requests that may differ, such as system,tools",
      ignoredParts,
    )
    .option("--baseline <file>", "differences that are accepted, by their content")
    .option("--accept", "add what differs to the baseline")
    .option("--junit <file>", "write the outcomes as JUnit")
    .option("--jobs <n>", "how many journals side by side (default: one for each core)", jobs)
    .option("--json", "print the outcomes as one JSON document")
    .action(async (paths, flags) =>
      done(await (await import("./replay.js")).replayCommand(io, paths, flags)),
    );

  program
    .command("show")
    .description("print the steps of a run, or its state after one of them")
    .argument("<journal>", "", pathArgument)
    .option("--at <seq>", "the state after this event, whole", sequenceNumber)
    .option("--config <file>", "a config to check the steps with; none is run without it")
    .option("--full", "every part of every step, and nothing cut")
    .option("--json", "print one JSON document")
    .action(async (journal, flags) =>
      done(await (await import("./show.js")).showCommand(io, journal, flags)),
    );

  program
    .command("diff")
    .description("where two runs part, and what became of each")
    .argument("<a>", "", pathArgument)
    .argument("<b>", "", pathArgument)
    .option("--json", "print all of it as one JSON document")
    .action(async (a, b, flags) =>
      done(await (await import("./diff.js")).diffCommand(io, a, b, flags)),
    );

  program
    .command("redrive")
    .description("drive recorded runs once more under other code, with the answers they had")
    .argument("<journal|folder...>", "journals, and folders with *.jsonl in them", pathArguments)
    .option("--config <file>", "the config to drive them with")
    .option(
      "--ignore <parts>",
      "parts in which a request may differ, such as system,tools",
      ignoredParts,
    )
    .option("--live", "have a model answer what nobody has asked before")
    .option("--budget <tokens>", "what live answers may cost in all", wholeNumber("--budget"))
    .option("--model <provider:model>", "model of the AI SDK, such as openai:gpt-4o-mini")
    .option("--lanes", "what happened, replay and candidate side by side, for each journal")
    .option("--json", "print one JSON document")
    .action(async (paths, flags) =>
      done(await (await import("./redrive.js")).redriveCommand(io, paths, flags)),
    );

  program
    .command("fixture")
    .description("make a recorded run a case for a test")
    .argument("<journal>", "", pathArgument)
    .requiredOption("--out <dir>", "the folder to write it to")
    .option("--name <name>", "the case's name (default: the journal's)")
    .option("--config <file>", "the config, where the journal does not name it")
    .option("--json", "print one JSON document")
    .action(async (journal, flags) =>
      done(await (await import("./fixture.js")).fixtureCommand(io, journal, flags)),
    );

  program
    .command("list")
    .description("the runs of a folder: how each stands, and what it waits for")
    .argument("<folder>", "a folder of journals, or one of them", pathArgument)
    .option("--json", "print one JSON document")
    .action(async (folder, flags) =>
      done(await (await import("./list.js")).listCommand(io, folder, flags)),
    );

  program
    .command("checkpoint")
    .description("name an event of a run, to come back to")
    .argument("<journal>", "", pathArgument)
    .option("--at <seq>", "the event (default: the last one)", sequenceNumber)
    .option("--name <name>", "its name (default: event-SEQ)")
    .option(
      "--limit <n>",
      "how many checkpoints there may be (default: 50)",
      wholeNumber("--limit"),
    )
    .option("--json", "print one JSON document")
    .action(async (journal, flags) =>
      done(await (await import("./travel.js")).checkpointCommand(io, journal, flags)),
    );

  program
    .command("fork")
    .description("a new run that shares the beginning of another, and goes on by itself")
    .argument("<journal>", "", pathArgument)
    .option("--at <seq>", "cut behind this event (default: the last one)", sequenceNumber)
    .option("--set <id=json>", "another answer than was given; cuts before it; repeatable", each)
    .option("--out <file>", "the fork's journal (default: beside the original)")
    .option("--name <name>", "the fork's name")
    .option("--limit <n>", "how many forks there may be (default: 10)", wholeNumber("--limit"))
    .option("--config <file>", "the config: what its redact hides of --set, and for what goes on")
    .option("--json", "print one JSON document")
    .action(async (journal, flags) =>
      done(await (await import("./travel.js")).forkCommand(io, journal, flags)),
    );

  program
    .command("rewind")
    .description("take back what came after an event; resume goes on from there")
    .argument("<journal>", "", pathArgument)
    .requiredOption(
      "--to <seq|checkpoint|time>",
      "an event, a checkpoint, or a time (ISO 8601; UTC without a zone)",
    )
    .option("--limit <n>", "how many forks there may be (default: 10)", wholeNumber("--limit"))
    .option("--json", "print one JSON document")
    .action(async (journal, flags) =>
      done(await (await import("./travel.js")).rewindCommand(io, journal, flags)),
    );

  program
    .command("forks")
    .description("list the checkpoints and forks of a journal, and where its run goes on")
    .argument("<journal>", "", pathArgument)
    .option("--json", "print one JSON document")
    .action(async (journal, flags) =>
      done(await (await import("./travel.js")).forksCommand(io, journal, flags)),
    );

  program
    .command("graph")
    .description("draw a config's chart, what a journal's run thought, or decisions")
    .argument(
      "<config|journal|store>",
      "a module that exports a reasoner, a journal, or decisions: a DuckDB file, a folder of PGlite, postgres://…, an export",
    )
    .option("--view <view>", "chart, thoughts, trace, decisions (default: chart)")
    .option("--at <seq>", "a journal's run as it stood after this event", sequenceNumber)
    .option("--scope <scope>", "whose decisions, where a store has scopes")
    .option("--schema <name>", "which graph, where a database has several")
    .option("--store <name>", "the store that a journal's run wrote its decisions to")
    .option("--format <format>", "mermaid, dot, svg, json (default: as --out says, else mermaid)")
    .option("--out <file>", "write the picture to a file")
    .option("--config <file>", "the config, where the journal does not name it")
    .option("--explain <event>", "of a trace: this event stands out, with what led to it")
    .action(async (path, flags) =>
      done(await (await import("./graph.js")).graphCommand(io, path, flags)),
    );

  program
    .command("check")
    .description("look for what can go wrong: random runs, all runs within a bound, recorded runs")
    .argument("<config>", "a module that exports a reasoner, and laws of its own as `check`")
    .option("--runs <number>", "random runs (default: 1000)", wholeNumber("--runs"))
    .option("--seed <number>", "of the random runs (default: 1)", wholeNumber("--seed"))
    .option(
      "--depth <number>",
      "events in each of all runs (default: 12, more where states are few)",
      wholeNumber("--depth"),
    )
    .option("--states <number>", "states to look at (default: 100000)", wholeNumber("--states"))
    .option(
      "--seconds <number>",
      "for the search of all runs (default: 60)",
      wholeNumber("--seconds"),
    )
    .option("--journals <folder>", "judge recorded runs by the laws instead")
    .option("--out <folder>", "write each counterexample as a journal")
    .option("--junit <file>", "write the laws as JUnit's test cases")
    .option("--unreached", "list each state, transition and guard that was never reached")
    .option("--json", "print one JSON document")
    .action(async (config, flags) =>
      done(await (await import("./check.js")).checkCommand(io, config, flags)),
    );

  addObserve(program, io, done);
  checkValues(program);
  return program;
}
