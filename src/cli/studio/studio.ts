/** `reckoner studio`: a page that shows runs, served on the loopback address or written to one file. */
import { usageError } from "../terminal/failure.js";
import { type Io, print, say } from "../terminal/io.js";
import { studioApi } from "./api.js";
import { hostHeaders, hostJournals, isHostAddress } from "./host-journals.js";
import { studioJournals } from "./journals.js";
import { listen } from "./listen.js";
import { openStudio } from "./open-studio.js";
import { pageFiles } from "./page.js";
import { writePage } from "./write-page.js";

/** Flags of `studio`. */
export interface StudioFlags {
  readonly config?: string;
  readonly model?: string;
  readonly port?: number;
  readonly html?: string;
  readonly header?: readonly string[];
  readonly run?: readonly string[];
  readonly at?: number;
  readonly json?: boolean;
}

/** Serves until somebody interrupts, or writes the page. @returns the exit code */
export async function studioCommand(io: Io, word: string, flags: StudioFlags): Promise<number> {
  const { config, model, html, run, at, port, header = [] } = flags;
  const isHost = isHostAddress(word);
  if (header.length > 0 && !isHost)
    throw usageError("--header is for a host; name one: http://HOST:PORT.");
  const journals = isHost ? hostJournals(word, hostHeaders(header)) : studioJournals(io, word);
  const parts = openStudio({ io, word, journals, config, model });
  // One that is not there is refused here; one that cannot be read is shown with the reason.
  if (parts.journals.kind === "journal")
    for await (const _ of parts.journals.open(word).read()) break;
  if (html !== undefined) {
    await writePage(parts, html, { run, at });
    return 0;
  }
  if (run !== undefined || at !== undefined) {
    throw usageError("--run and --at cut what --html writes; name a file with --html FILE.");
  }
  const studio = await listen(pageFiles(journals.only), studioApi(parts), port);
  print(io, studio.url);
  say(
    io,
    "reckoner: the studio is at this address until Ctrl-C; who has the address sees all of it",
  );
  await interrupted(io);
  await studio.close();
  await parts.here.drain();
  return 0;
}

function interrupted(io: Io): Promise<void> {
  return new Promise((resolve) => {
    const forget = [io.onInterrupt, io.onTerminate].map((on) => on.call(io, () => end()));
    const end = () => {
      for (const each of forget) each();
      resolve();
    };
  });
}
