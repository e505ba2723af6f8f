/**
 * Declares the commands, flags and help of `reckoner`, and runs the command that was named. Each command is in a
 * file of its name.
 */
import { Command, CommanderError } from "commander";
import type { ReckonerError } from "../core/kernel/values/index.js";
import { packageVersion } from "./config/package.js";
import { pathArgument, pathArguments, shownArgument } from "./files/path-argument.js";
import { addObserve, type Runs, wholeNumber } from "./observe/observe-program.js";
import { ignoredParts } from "./replay/ignored-parts.js";
import { isJournalAddress, storeWords } from "./store/store-address.js";
import { checkFlags, each } from "./terminal/check-flags.js";
import { exitCodes } from "./terminal/exit-codes.js";
import { errorOf, oneLine, report, usageError } from "./terminal/failure.js";
import { type Io, printJson } from "./terminal/io.js";

const EXIT_CODES = `
Exit codes of run and resume: 0 done, 1 failed or cancelled, 2 refused (wrong arguments, a broken
config, a journal that cannot be read), 3 waiting. Of replay: 0 identical, 1 diverged, 2 refused.
Of check: 0 every law holds, 1 a law is broken or nothing was checked, 2 refused.`;

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
  // A reader of the one document is told there too.
  if (isForPrograms(words)) printJson(io, { error: errorOf(thrown) });
  return exitCodes.refused;
}

/** Returns true when one JSON document is asked for; a picture as JSON is none. */
function isForPrograms(words: readonly string[]): boolean {
  // Behind a `--` nothing is a flag.
  const end = words.indexOf("--");
  const flags = end < 0 ? words : words.slice(0, end);
  if (flags.includes("--json")) return true;
  return words[0] === "observe" && /--format[ =]json/.test(flags.join(" "));
}

/** Describes the fault of the words themselves. */
function wordsError(error: CommanderError): ReckonerError {
  const message =
    error.code === "commander.help"
      ? "The command is missing or unknown"
      : oneLine(error.message)
          .replace(/^error: /, "")
          .replace(/\.$/, "");
  return usageError(`${message}; reckoner --help lists the commands and their flags.`);
}

const isJournal = (word: unknown) => typeof word === "string" && isJournalAddress(word);

function programOf(io: Io, done: (code: number) => void): Command {
  const runs: Runs =
    (load) =>
    async (...words) => {
      const command = words.pop() as Command;
      const run = await load();
      // An address without a run is a database of decisions to graph, which opens it itself.
      const isOwn = command.name() === "graph" && !words.some(isJournal);
      if (isOwn || storeWords(words).length === 0) return done(await run(io, ...words));
      const { openStores } = await import("./store/open-stores.js");
      const stores = await openStores(io, command.name(), words);
      try {
        done(await run({ ...io, stores }, ...words));
      } finally {
        await stores.close();
      }
    };
  const program = new Command("reckoner")
    .description(
      "Runs agents and other reasoners; resumes, replays, inspects and draws their journals.",
    )
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
    .option("--prompt <text>", "the user message")
    .option("--input <json|@file>", "the input as JSON, in place of --prompt")
    .option("--model <provider:model>", "model of the AI SDK, such as openai:gpt-4o-mini")
    .option("--journal <file>", "the file to record the run in (default: in memory)")
    .option("--json", "print the end as one JSON document")
    .action(runs(async () => (await import("./run/run.js")).runCommand));

  program
    .command("resume")
    .description("continue a run from its journal")
    .argument("<journal>", "", pathArgument)
    .option("--config <file>", "the config (default: that in the journal's header)")
    .option("--old <file>", "a config of the old code of upgraded runs; repeatable", each)
    .option("--approve <id>", "approve; repeatable", each)
    .option("--reject <id>", "reject an approval; repeatable", each)
    .option("--edit <id=json>", "approve with other arguments; repeatable", each)
    .option("--answer <id=json>", "give a tool the value that it asks for; repeatable", each)
    .option("--reason <text>", "the reason of --reject, for the model")
    .option("--message <text>", "a user message; repeatable", each)
    .option("--upgrade", "continue under the present config if the journal has another one")
    .option("--accept-loss", "continue a journal that was longer once")
    .option("--model <provider:model>", "model of the AI SDK, such as openai:gpt-4o-mini")
    .option("--json", "print the end as one JSON document")
    .action(runs(async () => (await import("./run/resume.js")).resumeCommand));

  program
    .command("replay")
    .description("check that the present code does exactly what journals recorded")
    .argument("<journal|folder...>", "journals, and folders with *.jsonl in them", pathArguments)
    .option("--config <file>", "the config (default: that in each journal's header)")
    .option("--old <file>", "a config of the old code of upgraded runs; repeatable", each)
    .option(
      "--ignore <parts>",
      "parts of requests that may differ, such as system,tools",
      ignoredParts,
    )
    .option("--baseline <file>", "a file of accepted differences")
    .option("--accept", "add the differences found to the baseline")
    .option("--junit <file>", "write a JUnit report")
    .option("--markdown <file>", "write a Markdown report, for a pull request")
    .option(
      "--jobs <n>",
      "journals to check in parallel (default: one per core)",
      wholeNumber("--jobs", 1),
    )
    .option("--json", "print the outcomes as one JSON document")
    .action(runs(async () => (await import("./replay/replay.js")).replayCommand));

  program
    .command("show")
    .description("print the steps of a run, or its state after one of them")
    .argument("<journal>", "", pathArgument)
    .option("--at <seq>", "the state after this event", wholeNumber("--at"))
    .option("--config <file>", "a config to compute states with (default: no code is run)")
    .option("--full", "print everything, without truncation")
    .option("--json", "print one JSON document")
    .action(runs(async () => (await import("./show/show.js")).showCommand));

  program
    .command("studio")
    .description("show runs in a browser: what happened, why, and what would be otherwise")
    .argument("<journal|folder|store|host>", "journals, or a host: http://HOST:PORT", shownArgument)
    .option("--header <name=value>", "of a host: sent with each request; repeatable", each)
    .option("--config <file>", "the code with which to tell what would be otherwise")
    .option("--model <provider:model>", "the model that may be asked for it, within a budget")
    .option(
      "--port <n>",
      "the port to listen on (default: any that is free)",
      wholeNumber("--port", 0, 65_535),
    )
    .option("--html <file>", "write one page with the runs in it, and serve nothing")
    .option("--run <run>", "of a page: only this run; repeatable", each)
    .option("--at <seq>", "of a page: only up to this event", wholeNumber("--at"))
    .action(runs(async () => (await import("./studio/studio.js")).studioCommand));

  program
    .command("diff")
    .description("compare two runs: where they first differ, and how they ended")
    .argument("<a>", "", pathArgument)
    .argument("<b>", "", pathArgument)
    .option("--json", "print all of it as one JSON document")
    .action(runs(async () => (await import("./time-travel/diff.js")).diffCommand));

  program
    .command("redrive")
    .description("run changed code on recorded runs, with the recorded answers")
    .argument("<journal|folder...>", "journals, and folders with *.jsonl in them", pathArguments)
    .option("--config <file>", "the config with the changed code")
    .option(
      "--ignore <parts>",
      "parts in which a request may differ, such as system,tools",
      ignoredParts,
    )
    .option("--live", "let a model answer requests that were not recorded")
    .option("--budget <tokens>", "limit of tokens for live answers", wholeNumber("--budget"))
    .option("--model <provider:model>", "model of the AI SDK, such as openai:gpt-4o-mini")
    .option("--lanes", "print recording, replay and new run side by side")
    .option("--junit <file>", "write a JUnit report")
    .option("--markdown <file>", "write a Markdown report, for a pull request")
    .option("--json", "print one JSON document")
    .action(runs(async () => (await import("./time-travel/redrive.js")).redriveCommand));

  program
    .command("fixture")
    .description("make a test case of a recorded run")
    .argument("<journal>", "", pathArgument)
    .requiredOption("--out <dir>", "the folder to write it to")
    .option("--name <name>", "the case's name (default: the journal's)")
    .option("--config <file>", "the config (default: that in the journal's header)")
    .option("--json", "print one JSON document")
    .action(runs(async () => (await import("./time-travel/fixture.js")).fixtureCommand));

  program
    .command("list")
    .description("list the runs of a folder or a store: status, and what each waits for")
    .argument("<folder|store>", "a folder of journals, a store, or one journal", pathArgument)
    .option("--status <status>", "of a store: with this status; repeatable", each)
    .option("--person <id>", "of a store: of this person")
    .option("--tag <tag>", "of a store: with this tag")
    .option(
      "--search <words>",
      "of a store: with these words in the title, the last words, a tag or the data",
    )
    .option("--json", "print one JSON document")
    .action(runs(async () => (await import("./list.js")).listCommand));

  program
    .command("export")
    .description("write a run of a store to a file, byte for byte")
    .argument("<journal>", "", pathArgument)
    .requiredOption("--out <file>", "the file to write it to")
    .option("--json", "print one JSON document")
    .action(runs(async () => (await import("./export/export.js")).exportCommand));

  program
    .command("import")
    .description("write a run from a file to a store, byte for byte")
    .argument("<file>", "", pathArgument)
    .requiredOption("--into <store>", "sqlite:FILE or postgres://HOST/DATABASE")
    .option("--id <id>", "its id in the store (default: the file's name)")
    .option("--json", "print one JSON document")
    .action(runs(async () => (await import("./import/import.js")).importCommand));

  program
    .command("prune")
    .description("remove runs of a store that have ended, or one run")
    .argument("<store>", "a store, or one run: STORE#RUN", pathArgument)
    .option("--before <time>", "with a last event before this time, or 30d: 30 days ago")
    .option("--status <status>", "with this status (default: ended); repeatable", each)
    .option("--person <id>", "of this person")
    .option("--tag <tag>", "with this tag")
    .option("--detach", "of a run that another one needs keep the lines that they share")
    .option("--dry-run", "remove nothing, and print what would be removed")
    .option("--json", "print one JSON document")
    .action(runs(async () => (await import("./prune/prune.js")).pruneCommand));

  program
    .command("forget")
    .description("remove all runs of a tenant, or of a person, from a store")
    .argument("<store>", "", pathArgument)
    .option("--tenant <id>", "the tenant")
    .option("--person <id>", "the person; of the tenant, if one is named")
    .option("--dry-run", "remove nothing, and print what would be removed")
    .option("--json", "print one JSON document")
    .action(runs(async () => (await import("./forget/forget.js")).forgetCommand));

  program
    .command("checkpoint")
    .description("name an event of a run")
    .argument("<journal>", "", pathArgument)
    .option("--at <seq>", "the event (default: the last one)", wholeNumber("--at"))
    .option("--name <name>", "its name (default: event-SEQ)")
    .option(
      "--limit <n>",
      "how many checkpoints there may be (default: 50)",
      wholeNumber("--limit"),
    )
    .option("--json", "print one JSON document")
    .action(runs(async () => (await import("./time-travel/forks.js")).checkpointCommand));

  program
    .command("fork")
    .description("make a new run that shares the beginning of this one")
    .argument("<journal>", "", pathArgument)
    .option("--at <seq>", "cut after this event (default: the last one)", wholeNumber("--at"))
    .option("--set <id=json>", "replace an answer, and cut before it; repeatable", each)
    .option("--out <file>", "the fork's journal (default: beside the original)")
    .option("--name <name>", "the fork's name")
    .option("--limit <n>", "how many forks there may be (default: 10)", wholeNumber("--limit"))
    .option("--config <file>", "the config, whose redact applies to --set")
    .option("--json", "print one JSON document")
    .action(runs(async () => (await import("./time-travel/forks.js")).forkCommand));

  program
    .command("rewind")
    .description("go back to an event; resume continues from there")
    .argument("<journal>", "", pathArgument)
    .requiredOption(
      "--to <seq|checkpoint|time>",
      "an event, a checkpoint, or a time (ISO 8601; UTC without a zone)",
    )
    .option("--limit <n>", "how many forks there may be (default: 10)", wholeNumber("--limit"))
    .option("--json", "print one JSON document")
    .action(runs(async () => (await import("./time-travel/forks.js")).rewindCommand));

  program
    .command("forks")
    .description("list the checkpoints and forks of a journal, and its head")
    .argument("<journal>", "", pathArgument)
    .option("--json", "print one JSON document")
    .action(runs(async () => (await import("./time-travel/forks.js")).forksCommand));

  program
    .command("salvage")
    .description("fork a damaged journal behind its last sound line")
    .argument("<journal>", "", pathArgument)
    .requiredOption("--out <file>", "the fork's journal")
    .option("--name <name>", "the fork's name")
    .option("--limit <n>", "how many forks there may be (default: 10)", wholeNumber("--limit"))
    .option("--json", "print one JSON document")
    .action(runs(async () => (await import("./time-travel/forks.js")).salvageCommand));

  program
    .command("unlock")
    .description("take over the lock of a dead process on another host")
    .argument("<journal>", "", pathArgument)
    .option("--json", "print one JSON document")
    .action(runs(async () => (await import("./time-travel/unlock.js")).unlockCommand));

  program
    .command("graph")
    .description("draw a chart, a graph of thoughts, a decision graph or a trace")
    .argument(
      "<config|journal|store>",
      "a module that exports a reasoner, a journal, or decisions: a DuckDB file, a folder of PGlite, postgres://…, an export",
    )
    .option("--view <view>", "chart, agent, thoughts, trace, decisions (default: chart)")
    .option("--at <seq>", "the run as it was after this event", wholeNumber("--at"))
    .option("--scope <scope>", "the scope, if the store has scopes")
    .option("--schema <name>", "the schema, if the database has several graphs")
    .option("--store <name>", "the store, if the run wrote to several")
    .option("--format <format>", "mermaid, svg, json (default: by --out, else mermaid)")
    .option("--out <file>", "write the picture to a file")
    .option("--config <file>", "the config (default: that in the journal's header)")
    .option("--explain <event>", "highlight this event of a trace, and its causes")
    .action(runs(async () => (await import("./graph/graph.js")).graphCommand));

  program
    .command("check")
    .description("check laws on random runs, on all runs within a bound, or on recorded runs")
    .argument("<config>", "a module that exports a reasoner, and its laws as `check`")
    .option("--runs <number>", "number of random runs (default: 1000)", wholeNumber("--runs"))
    .option("--seed <number>", "seed of the random runs (default: 1)", wholeNumber("--seed"))
    .option(
      "--depth <number>",
      "depth of the search, in events (default: 12, more if there are few states)",
      wholeNumber("--depth"),
    )
    .option(
      "--states <number>",
      "limit of states of the search (default: 100000)",
      wholeNumber("--states"),
    )
    .option(
      "--seconds <number>",
      "time limit of the search (default: 60)",
      wholeNumber("--seconds"),
    )
    .option("--journals <folder>", "check recorded runs instead")
    .option("--out <folder>", "write each counterexample as a journal")
    .option("--junit <file>", "write a JUnit report")
    .option("--strict", "fail where a part of the chart is proven dead, or a law never applied")
    .option("--unreached", "list each state, transition and guard that was never reached")
    .option("--json", "print one JSON document")
    .action(runs(async () => (await import("./check/check.js")).checkCommand));

  addObserve(program, runs);
  checkFlags(program);
  return program;
}
