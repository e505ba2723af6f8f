/**
 * `journalFaultLaws`: what a journal port must do if its system calls fail: acknowledged lines are
 * there, no partial line blocks the next append, and no lock or file stays open. As data, for any
 * test runner; it must not know any port.
 */
import { textOfLines } from "../core/journal/index.js";
import { isReckonerError, messageOf } from "../core/kernel/values/index.js";
import type { JournalPort, JournalPosition, JournalWriter } from "../runtime/index.js";
import type { JournalLaw } from "./journal-laws.js";

/**
 * The kinds of failing calls: with a system error before or after it did its work, or having done half of
 * it.
 */
export type Fault = "EIO" | "ENOSPC" | "EMFILE" | "short" | "late";

const FAULTS: readonly Fault[] = ["EIO", "ENOSPC", "EMFILE", "short", "late"];

/** A port over calls that can be made to fail. */
export interface FaultyPort {
  readonly port: JournalPort;
  /** Returns the names of things still held when everything is closed: locks, drafts, descriptors. */
  held(): Promise<readonly string[]> | readonly string[];
}

/**
 * Makes a port anew on an empty place.
 * @param fault is to be asked at each call, by its name; what it returns is how that call fails
 */
export type MakeFaulty = (fault: (call: string) => Fault | undefined) => Promise<FaultyPort>;

/** The laws of a journal port whose calls fail. @param most how many calls are let fail, one after the other */
export function journalFaultLaws(make: MakeFaulty, most = 200): readonly JournalLaw[] {
  return FAULTS.map((how) => ({
    name: `whichever call fails (${how}): what was acknowledged is there, and nothing is in the way`,
    check: async () => {
      let calls = 0;
      await tried(make, how, Number.POSITIVE_INFINITY, () => {
        calls += 1;
      });
      if (calls === 0) throw new Error("The port asks for no call, so nothing was tried.");
      for (let at = 0; at < Math.min(calls, most); at++) await tried(make, how, at, () => {});
    },
  }));
}

const LINES: readonly string[] = Array.from({ length: 6 }, (_, n) =>
  JSON.stringify({ n, text: "ü".repeat(n * 40) }),
);

/** One life of a journal, in which one call fails; then the same journal without faults. */
async function tried(make: MakeFaulty, how: Fault, at: number, called: () => void): Promise<void> {
  let count = 0;
  let last = "none";
  let sound = false;
  const { port, held } = await make((call) => {
    if (sound) return undefined;
    called();
    count += 1;
    if (count - 1 === at) last = call;
    return count - 1 === at ? how : undefined;
  });
  const say = (what: string) => new Error(`Where call ${at} (${last}) fails with ${how}, ${what}.`);
  const acknowledged: string[] = [];
  for (const mode of ["create", "append", "append"] as const) {
    const open = mode === "append" && acknowledged.length === 0 ? "create" : mode;
    const writer = await opened(port, open, say);
    if (writer === undefined) continue;
    for (const line of LINES.slice(acknowledged.length, acknowledged.length + 2)) {
      // An append that failed may be tried again at the same place.
      const done =
        (await appended(writer, line, acknowledged, say)) ||
        (await appended(writer, line, acknowledged, say));
      if (!done) throw say("an append could not be tried again");
      acknowledged.push(line);
    }
    await port.snapshots
      ?.write(acknowledged.length, `"${"s".repeat(500)}"`, new Map())
      .catch(() => {});
    await writer.close().catch(() => {});
  }
  sound = true;
  const writer = await port
    .open(acknowledged.length === 0 ? "create" : "append")
    .catch((thrown) => {
      throw say(`it can not be opened any more: ${messageOf(thrown)}`);
    });
  const text = await textIn(port);
  if (!text.startsWith(textOfLines(acknowledged))) throw say(`${JSON.stringify(text)} lacks lines`);
  if (!(await appended(writer, "the last", acknowledged, say))) {
    throw say("nothing can be appended any more");
  }
  await port.snapshots?.write(99, '"sound"', new Map());
  if (port.snapshots !== undefined && (await port.snapshots.read(99)) !== '"sound"') {
    throw say("no snapshot can be kept any more");
  }
  for (const { seq } of (await port.snapshots?.list()) ?? []) {
    const kept = await port.snapshots?.read(seq);
    if (kept !== undefined && !/^"s+(?:ound)?"$/.test(kept)) throw say(`snapshot ${seq} is half`);
  }
  await writer.close();
  const whole = await textIn(port);
  if (whole !== textOfLines([...acknowledged, "the last"]))
    throw say(`it holds ${JSON.stringify(whole)}`);
  const left = await held();
  if (left.length > 0) throw say(`${left.join(", ")} stays held`);
}

type Say = (what: string) => Error;

async function opened(
  port: JournalPort,
  mode: "create" | "append",
  say: Say,
): Promise<JournalWriter | undefined> {
  try {
    return await port.open(mode);
  } catch (thrown) {
    if (isReckonerError(thrown)) return undefined;
    throw say(`opening throws what has no code: ${messageOf(thrown)}`);
  }
}

async function appended(
  writer: JournalWriter,
  line: string,
  before: readonly string[],
  say: Say,
): Promise<boolean> {
  const at: JournalPosition = {
    lines: before.length,
    bytes: new TextEncoder().encode(textOfLines(before)).length,
  };
  try {
    await writer.append([line], at);
    return true;
  } catch (thrown) {
    if (isReckonerError(thrown) && thrown.code === "journal.write") return false;
    throw say(`an append throws ${messageOf(thrown)}`);
  }
}

async function textIn(port: JournalPort): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of port.read()) text += decoder.decode(chunk, { stream: true });
  return text;
}
