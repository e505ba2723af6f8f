/**
 * The law of damaged journals (J4): an unterminated last line is dropped, all other damage is
 * refused.
 */

import { textOfLines } from "../core/journal/index.js";
import type { Reasoner } from "../core/kernel/machine/index.js";
import { isReckonerError } from "../core/kernel/values/index.js";
import { replay, resume } from "../runtime/index.js";
import { type Choose, inOrder } from "./checking/choose.js";
import {
  hold,
  type LawOptions,
  liveLaw,
  type PropertyLaw,
  type Subject,
  same,
} from "./property-law.js";
import type { Script } from "./script.js";
import { live } from "./scripted-host.js";
import { splitJournal, textJournal } from "./text-journal.js";

/** A journal's text after something happened to it. */
interface Damaged {
  readonly what: string;
  readonly text: string;
  /** The line that must be named, counted from 1; absent where the text is merely torn. */
  readonly line?: number;
}

/** The law of a journal that was torn, changed, swapped or doubled. */
export function damageLaws<Input, Output, Context>(
  subject: Subject<Input, Output, Context>,
  options: LawOptions<Input>,
): readonly PropertyLaw[] {
  return [
    liveLaw(
      "a torn last line is dropped with a notice; any other damage is refused with its line",
      subject,
      options,
      async (reasoner, input, script) => {
        const { text } = live(reasoner, input, script, options);
        for (const damaged of damages(text, script)) {
          if (damaged.line === undefined) await isDropped(reasoner, damaged);
          else await isRefused(reasoner, damaged, `line ${damaged.line}`);
        }
      },
    ),
  ];
}

async function isDropped<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  { what, text }: Damaged,
): Promise<void> {
  const journal = textJournal(text);
  const report = await replay(reasoner, journal);
  hold(report.status === "identical", () => `${what}: ${JSON.stringify(report)}`);
  const { lines, torn } = splitJournal(text);
  const events = lines.filter((line) => "event" in JSON.parse(line)).length;
  same(report.events, events, `${what}: the events replayed and the events that are whole`);
  const warns = report.notices.some((notice) => notice.includes("torn"));
  hold(warns === (torn !== ""), () => `${what}: the notices are ${JSON.stringify(report.notices)}`);
  same(journal.text, text, `${what}: the text before and after a replay`);
}

async function isRefused<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  { what, text }: Damaged,
  place: string,
): Promise<void> {
  const journal = textJournal(text);
  const attempts = {
    replay: () => replay(reasoner, journal),
    resume: () => Promise.resolve(resume(reasoner, journal)),
  };
  for (const [name, attempt] of Object.entries(attempts)) {
    const thrown: unknown = await attempt().then(
      () => undefined,
      (error) => error,
    );
    const refused =
      isReckonerError(thrown) && thrown.code.startsWith("journal.") && thrown.place === place;
    hold(refused, () => `${what}: ${name} should refuse ${place}, but ${String(thrown)}`);
    same(journal.text, text, `${what}: the text before and after a ${name}`);
  }
}

function damages(text: string, { moves, values }: Script): Damaged[] {
  const choose = inOrder(moves, values);
  const { lines } = splitJournal(text);
  const last = lines[lines.length - 1] as string;
  const cut = 1 + choose(16) * choose(256);
  const found: Damaged[] = [
    { what: `${cut} characters cut off`, text: cutOff(text, last, cut) },
    changed(lines, choose(lines.length), choose),
    // The last line is no exception.
    changed(lines, lines.length - 1, choose),
  ];
  const i = choose(lines.length);
  const doubled = [...lines.slice(0, i + 1), ...lines.slice(i)];
  found.push({ what: `line ${i + 1} doubled`, text: textOfLines(doubled), line: i + 2 });
  if (lines.length > 2) {
    const j = choose(lines.length - 1);
    const swapped = [...lines];
    [swapped[j], swapped[j + 1]] = [lines[j + 1] as string, lines[j] as string];
    found.push({
      what: `line ${j + 1} swapped with the next`,
      text: textOfLines(swapped),
      line: j + 1,
    });
    const without = lines.filter((_, n) => n !== j);
    found.push({ what: `line ${j + 1} left out`, text: textOfLines(without), line: j + 1 });
  }
  const more = `${text.slice(0, -1)} `;
  found.push({ what: "the last newline changed", text: more, line: lines.length });
  return found;
}

/** A cut within the last line; a header that is cut is no journal at all. */
function cutOff(text: string, last: string, cut: number): string {
  const isHeader = text.length === last.length + 1;
  return isHeader ? text : text.slice(0, text.length - Math.min(cut, last.length));
}

/** One character changed, taken out or put in; never to one that another decodes to. */
function changed(lines: readonly string[], index: number, choose: Choose): Damaged {
  const line = lines[index] as string;
  const place = (choose(256) * 256 + choose(256)) % line.length;
  const before = line[place] as string;
  const other = before === "0" ? "1" : "0";
  const [how, into] = [
    [`changed to ${other}`, other],
    ["taken out", ""],
    ["doubled", before + before],
    ["changed to a space", before === " " ? "_" : " "],
  ][choose(4)] as [string, string];
  const text = textOfLines(lines.with(index, line.slice(0, place) + into + line.slice(place + 1)));
  return { what: `character ${place} of line ${index + 1} ${how}`, text, line: index + 1 };
}
