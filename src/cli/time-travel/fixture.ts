/** `reckoner fixture`: makes a test case of a recorded run. */
import { basename, join, resolve } from "node:path";
import { fileJournal } from "../../adapters/file-journal/index.js";
import { viewOf } from "../../runtime/index.js";
import { fixture } from "../../time-travel/live/index.js";
import { Configs } from "../config/config-of-journal.js";
import { journalPlace } from "../files/journal-files.js";
import { makeFolder } from "../files/write-out.js";
import { about, usageError } from "../terminal/failure.js";
import { type Io, print, printJson, say } from "../terminal/io.js";
import { plural } from "../terminal/plural.js";

/** Flags of `fixture`. */
export interface FixtureFlags {
  readonly out: string;
  readonly name?: string;
  readonly config?: string;
  readonly json?: boolean;
}

/** Makes a fixture. @returns the exit code */
export async function fixtureCommand(
  io: Io,
  journal: string,
  {
    out,
    name = basename(journal, ".jsonl").replace(/^.*#/, ""),
    config: named,
    json,
  }: FixtureFlags,
): Promise<number> {
  if (!/^[^/\\]+$/.test(name)) {
    throw usageError(
      `--name ${name} is not the name of a file in --out; write a word without slashes.`,
    );
  }
  try {
    const port = journalPlace(io, journal);
    const header = await viewOf(port).header();
    const config = await new Configs(io, { config: named }).for(header);
    const { redact } = config.options ?? {};
    makeFolder(io, "--out", out);
    const path = join(out, `${name}.jsonl`);
    const made = await fixture(
      config.reasoner,
      port,
      fileJournal(resolve(io.cwd, path)),
      redact === undefined ? {} : { redact },
    );
    if (json === true) {
      printJson(io, { journal: path, name, events: made.events, redacted: redact !== undefined });
      return 0;
    }
    print(
      io,
      `${path}: ${plural(made.events, "event")}, credentials masked${redact === undefined ? "" : ", redacted"}`,
    );
    say(
      io,
      `reckoner: look through it before you share it; then, in a test:
  import { testRun } from "reckoner/time-travel";
  test("${name}", () => testRun(reasoner, new URL("./${name}.jsonl", import.meta.url)));`,
    );
    return 0;
  } catch (thrown) {
    throw about(journal, thrown);
  }
}
