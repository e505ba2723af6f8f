/** `reckoner diff`: prints where two runs first differ, side by side. */

import { type ErrorCode, ReckonerError } from "../../core/kernel/values/index.js";
import { type SoundPart, soundPart } from "../../runtime/index.js";
import { diff } from "../../time-travel/live/index.js";
import type { AlignedRow, Differing, Parting, RunDiff } from "../../time-travel/pure/index.js";
import { journalFile } from "../files/journal-files.js";
import { exitCodes } from "../terminal/exit-codes.js";
import { about, sayFault } from "../terminal/failure.js";
import { type Io, print, printJson, styles } from "../terminal/io.js";
import { sidesOf } from "../terminal/print-difference.js";
import { fitted } from "../terminal/truncate.js";

/** Flags of `diff`. */
export interface DiffFlags {
  readonly json?: boolean;
}

/**
 * Compares, journals with a fault up to that.
 * @returns the exit code: 0 the same, 1 different, 2 the same up to a fault
 */
export async function diffCommand(io: Io, a: string, b: string, flags: DiffFlags): Promise<number> {
  const left = await soundSide(io, a);
  const right = await soundSide(io, b);
  const found = await diff(left.port, right.port);
  // The rest of one of them may stand behind the fault.
  const { seqA, seqB } = found.parting ?? {};
  const isOnlyIn = (mine?: number, other?: number) => mine !== undefined && other === undefined;
  const isSame = found.parting === undefined;
  const faulty =
    left.fault !== undefined && (isSame || isOnlyIn(seqB, seqA))
      ? left
      : right.fault !== undefined && (isSame || isOnlyIn(seqA, seqB))
        ? right
        : undefined;
  if (faulty?.fault !== undefined) {
    const { name, fault } = faulty;
    const before = `${a} and ${b} do not differ before the fault: ${found.summary.same} events and requests are the same`;
    throw new ReckonerError(fault.code as ErrorCode, `${before}. ${name}: ${fault.message}`, {
      cause: fault,
    });
  }
  for (const { name, fault } of [left, right]) {
    if (fault !== undefined) sayFault(io, name, fault);
  }
  if (flags.json === true) printJson(io, { a, b, ...found });
  else printDiff(io, a, b, found);
  return found.same ? exitCodes.ok : exitCodes.failed;
}

/** The sound part of one of the two; an error says of which. */
async function soundSide(io: Io, name: string): Promise<SoundPart & { readonly name: string }> {
  try {
    return { ...(await soundPart(journalFile(io, name))), name };
  } catch (thrown) {
    throw about(name, thrown);
  }
}

/** A line of what is the same between differences is worth this much and no more. */
const MAX_ROWS = 200;

function printDiff(io: Io, a: string, b: string, found: RunDiff): void {
  const { parting, summary, rows, configuration } = found;
  const { red, green, dim } = styles;
  print(io, `a ${red(a)}\nb ${green(b)}`);
  if (configuration === "different") print(io, "their configurations are not the same");
  if (parting === undefined) {
    print(io, `the same: ${summary.same} events and requests`);
    return;
  }
  printParting(io, parting);
  print(
    io,
    `${summary.same} the same, ${summary.differs} differ, ${summary["only a"]} only in a, ${summary["only b"]} only in b`,
  );
  const width = Math.max(28, Math.floor(((io.stdout.columns ?? 120) - 6) / 2));
  let shown = 0;
  let same = 0;
  const skip = () => {
    if (same > 0) print(io, dim(`  … ${same} the same`));
    same = 0;
  };
  for (const row of rows) {
    if (row.status === "same") {
      same += 1;
      continue;
    }
    skip();
    if (shown === MAX_ROWS) {
      print(io, `  … and more: --json has all of it`);
      return;
    }
    shown += 1;
    print(io, sideBySide(row, width));
  }
  skip();
}

function printParting(io: Io, parting: Parting): void {
  const { seqA, seqB, kind, path, child } = parting;
  const where = [
    ...(seqA === undefined ? [] : [`event ${seqA} of a`]),
    ...(seqB === undefined ? [] : [`event ${seqB} of b`]),
  ].join(", ");
  print(io, styles.bold(`they part by ${phrase(kind)}: ${path}${where && ` (${where})`}`));
  printSides(io, parting);
  if (child === undefined) return;
  print(io, `the child run\na ${styles.red(child.a)}\nb ${styles.green(child.b)}`);
  printParting(io, child.parting);
}

function phrase(kind: string): string {
  return kind === "input"
    ? "an input"
    : /^(code|configuration)$/.test(kind)
      ? `their ${kind}`
      : `a ${kind}`;
}

function printSides(io: Io, { a, b }: Differing): void {
  // A child run may have come to the same by another way.
  if (a === undefined && b === undefined) return;
  const [left, right] = sidesOf(a, b);
  print(io, `  a: ${styles.red(left)}\n  b: ${styles.green(right)}`);
}

const marks = { same: " ", differs: "≠", "only a": "<", "only b": ">" } as const;

function sideBySide(row: AlignedRow, width: number): string {
  const { status, type, what, cause, difference } = row;
  const name = what === "request" ? `${type} ${cause} asked` : `${type} ${cause}`;
  const has = (side: "a" | "b", seq: number | undefined) =>
    status === `only ${side === "a" ? "b" : "a"}`
      ? ""
      : `${seq === undefined ? "" : `#${seq} `}${name}`;
  const line = (left: string, mark: string, right: string) =>
    `${fitted(left, width).padEnd(width)} ${mark} ${fitted(right, width)}`.trimEnd();
  const lines = [line(has("a", row.seqA), marks[status], has("b", row.seqB))];
  if (difference !== undefined && status === "differs") {
    const [left, right] = sidesOf(difference.a, difference.b);
    const path = difference.path.slice(cause.length).replace(/^\./, "");
    const label = path === "" ? "" : `${path}: `;
    lines.push(line(`    ${label}${left}`, " ", `    ${label}${right}`));
  }
  return lines.join("\n");
}
