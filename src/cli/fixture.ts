/** `reckoner fixture`: a recorded run made a case for a test. */
import { mkdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileJournal } from "../adapters/file-journal/index.js";
import { reasonerOf } from "../core/journal/index.js";
import { fixture, readHeader } from "../runtime/index.js";
import { Configs } from "./config-of-journal.js";
import { about } from "./failure.js";
import { type Io, print, say } from "./io.js";

/** Flags of `fixture`. */
export interface FixtureFlags {
  readonly out: string;
  readonly name?: string;
  readonly config?: string;
}

/** Makes a fixture. @returns the exit code */
export async function fixtureCommand(
  io: Io,
  journal: string,
  { out, name = basename(journal, ".jsonl"), config: named }: FixtureFlags,
): Promise<number> {
  try {
    const port = fileJournal(resolve(io.cwd, journal));
    const header = await readHeader(port);
    const config = await new Configs(io, { config: named }).for(header);
    const { redact } = config.options ?? {};
    mkdirSync(resolve(io.cwd, out), { recursive: true });
    const path = join(out, `${name}.jsonl`);
    const made = await fixture(
      reasonerOf(config.reasoner, header),
      port,
      fileJournal(resolve(io.cwd, path)),
      redact === undefined ? {} : { redact },
    );
    print(
      io,
      `${path}: ${made.events} events, credentials masked${redact === undefined ? "" : ", redacted"}`,
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
