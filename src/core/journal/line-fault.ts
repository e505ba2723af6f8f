/**
 * Validates the shape of a journal's decoded line, even where its hash is correct, since the writer of the
 * journal need not be trusted; and makes the errors of broken journals.
 */

import { isObject, isReckonerError, ReckonerError, shownBriefly } from "../kernel/values/index.js";
import { isBudget, isSettlement, parseEvent } from "../kernel/vocabulary/index.js";
import { type EventLine, FORMAT, type Line } from "./line.js";

export type Unknown = Readonly<Record<string, unknown>>;

/** The fault of a line, in words; `undefined` where it has none. */
export function lineFault(line: Line, number: number): string | undefined {
  if (!isObject(line)) return "is not an object";
  const fields = line as Unknown;
  if ("type" in fields !== (number === 1)) return "is out of place: the header comes first";
  if ("type" in fields) return headerFault(fields);
  if (!isOptional(fields.values, isObject)) return "has invalid values";
  if (!isOptional(fields.items, (items) => isArrayOf(items, isItems))) return "has invalid items";
  if (!isOptional(fields.run, (run) => isText(run) && run !== "")) return "is of no run";
  if ("event" in fields) return eventFault(fields);
  if ("mark" in fields) return isMark(fields.mark) ? undefined : "has an invalid mark";
  if ("upgrade" in fields && fields.more !== true) {
    return "run" in fields ? "is the upgrade of a child without its root's" : upgradeFault(fields);
  }
  if (fields.more !== true) return "is of no known kind";
  if ("upgrade" in fields) return upgradeFault(fields);
  if (!isOptional(fields.parts, isObject)) return "has invalid parts";
  return isOptional(fields.do, (each) => isArrayOf(each, isDirective))
    ? undefined
    : "has invalid directives";
}

function headerFault(line: Unknown): string | undefined {
  if (line.type !== "header") return `has an unknown type ${shownBriefly(line.type)}`;
  if (line.format !== FORMAT) {
    const has = line.format === undefined ? "no format" : `format ${shownBriefly(line.format)}`;
    return `has ${has}; this version reads ${FORMAT}`;
  }
  if (typeof line.runId !== "string" || typeof line.at !== "number") return "lacks runId or at";
  if (!("input" in line) || typeof line.fingerprint !== "string")
    return "lacks input or fingerprint";
  if (!isOptional(line.configuration, isObject)) return "has an invalid configuration";
  if (!isOptional(line.chart, isChart)) return "has an invalid chart";
  if (!isOptional(line.from, isLink)) return "continues something that is not a run";
  if (!isOptional(line.fork, isLink)) return "was forked from something that is not a run";
  if (!isOptional(line.set, (each) => isArrayOf(each, isSetAnswer)))
    return "sets something that is not an answer";
  if (![line.seed, line.config, line.keyId].every((each) => isOptional(each, isText))) {
    return "has a seed, a config or a key id that is not a string";
  }
  if (!isOptional(line.budget, isBudget)) return "has an invalid budget";
  if (!isOptional(line.labels, isLabels)) return "has invalid labels";
  return isVersioned(line.reasoner) ? undefined : "lacks the reasoner";
}

/** The fault of the beginning of an event's line, or is more than event and starts. */
export function glanceFault(
  glance: Pick<EventLine, "run" | "seq" | "event" | "starts">,
): string | undefined {
  for (const part in glance) {
    if (!IN_GLANCE.has(part)) return "has more before its value";
  }
  if (!isOptional(glance.run, isText) || glance.run === "") return "is of no run";
  return headFault(glance as Unknown);
}

const IN_GLANCE: ReadonlySet<string> = new Set(["run", "seq", "event", "starts"]);

function headFault({ seq, event, starts }: Unknown): string | undefined {
  if (!Number.isSafeInteger(seq)) return "has no sequence number";
  if (!isObject(event)) return "has no event";
  const fault = eventIn(event);
  if (fault !== undefined) return `has no event: ${fault}`;
  return isOptional(starts, (each) => isArrayOf(each, isPlace)) ? undefined : "has invalid starts";
}

function eventFault(line: Unknown): string | undefined {
  const fault = headFault(line);
  if (fault !== undefined) return fault;
  if (!isOptional(line.do, (each) => isText(each) || isArrayOf(each, isDirective)))
    return "has invalid directives";
  if (!isOptional(line.end, isEnd)) return "has an invalid end";
  if (!isOptional(line.says, isDescription)) return "describes its run wrongly";
  if (!isOptional(line.begin, (begin) => line.run !== undefined && isBegin(begin))) {
    return "begins no child run";
  }
  return proofFault(line);
}

/** The fault of an event, in words. */
function eventIn(event: Unknown): string | undefined {
  try {
    parseEvent(event as never);
    return undefined;
  } catch (thrown) {
    if (isReckonerError(thrown)) return thrown.message;
    throw thrown;
  }
}

function isLabels(value: unknown): boolean {
  if (!isObject(value) || !isOptional(value.tags, (tags) => isArrayOf(tags, isText))) return false;
  return isOptional(value.tenant, isText) && isOptional(value.person, isText);
}

function isSetAnswer(value: unknown): boolean {
  if (!isObject(value) || !isOptional(value.run, isText) || !isObject(value.event)) return false;
  return isSettlement(value.event as never) && eventIn(value.event) === undefined;
}

function upgradeFault({ upgrade, parts, state }: Unknown): string | undefined {
  const fits =
    isObject(upgrade) &&
    typeof upgrade.at === "number" &&
    [upgrade.from, upgrade.to].every(
      (each) =>
        isObject(each) &&
        Number.isSafeInteger(each.version) &&
        typeof each.fingerprint === "string" &&
        isOptional(each.configuration, isObject) &&
        isOptional(each.left, (left) => Array.isArray(left) && left.every(isText)),
    );
  if (!fits || !isOptional(upgrade.chart, isChart))
    return "is an upgrade without its configurations";
  if (!isOptional(parts, isObject) || !isOptional(state, isText)) return "has an invalid state";
  return (parts === undefined) === (state === undefined) ? undefined : "has an incomplete state";
}

function proofFault(line: Unknown): string | undefined {
  if (!isOptional(line.set, (set) => set === "*" || isObject(set))) return "has an invalid set";
  if (!isValue(line.value)) return "has no value";
  return typeof line.state === "string" ? undefined : "has no state";
}

export function isOptional(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || is(value);
}

export function isText(value: unknown): boolean {
  return typeof value === "string";
}

export function isPlace(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

export function isArrayOf(value: unknown, is: (item: unknown, at: number) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

function isVersioned(value: unknown): boolean {
  return isObject(value) && typeof value.id === "string" && Number.isSafeInteger(value.version);
}

/** A statechart's value: a state's name, or those of the states in it. */
function isValue(value: unknown): boolean {
  return typeof value === "string" || (isObject(value) && Object.values(value).every(isValue));
}

function isEnd(value: unknown): boolean {
  if (!isObject(value) || !/^(?:done|failed|cancelled)$/.test(String(value.status))) return false;
  const { status, fault } = value;
  return isText(status) && isOptional(fault, (each) => isObject(each) && isText(each.code));
}

/** Returns true if a value is what may be said of a run in words. */
export function isDescription(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { title, words, data, failure } = value;
  const isFailure = (each: unknown) => isObject(each) && isText(each.code) && isText(each.message);
  return (
    [title, words].every((each) => isOptional(each, isText)) &&
    isOptional(data, isObject) &&
    isOptional(failure, isFailure)
  );
}

function isMark(value: unknown): boolean {
  if (!isObject(value)) return false;
  if ("interrupt" in value) return isAskedInterrupt(value.interrupt);
  if ("snapshot" in value) return isText(value.snapshot) && isCount(value.size);
  if (typeof value.id !== "string") return false;
  if ("attempt" in value) return isCount(value.attempt) && isOptional(value.due, Number.isFinite);
  if ("failed" in value) {
    const { failed, until, usage, model, passing, down } = value;
    const isError = (error: unknown): error is Unknown =>
      isObject(error) && isText(error.code) && isText(error.message);
    const isDown = (error: unknown) => isError(error) && Number.isFinite(error.since);
    if (!isOptional(down, isDown) || !isOptional(passing, isError)) return false;
    if (!isOptional(model, isText)) return false;
    return isCount(failed) && isOptional(until, Number.isFinite) && isOptional(usage, isUsage);
  }
  return false;
}

/** Returns true if a value says until when an interrupt waits, and why it was asked for. */
export function isAskedInterrupt(value: unknown): boolean {
  if (!isObject(value)) return false;
  return isOptional(value.until, Number.isFinite) && isOptional(value.reason, isText);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function isUsage(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((count) => Number.isFinite(count));
}

function isItems(value: unknown): boolean {
  return (
    isObject(value) &&
    isText(value.list) &&
    isOptional(value.after, isText) &&
    Array.isArray(value.add)
  );
}

export function isDirective(value: unknown): boolean {
  if (!isObject(value) || typeof value.type !== "string" || !isOptional(value.id, isText))
    return false;
  return isOptional(value["-"], (names) => isArrayOf(names, isText));
}

function isBegin(value: unknown): boolean {
  if (!isObject(value) || !("input" in value) || !isText(value.fingerprint)) return false;
  if (!isOptional(value.configuration, isObject)) return false;
  if (!isOptional(value.chart, isChart)) return false;
  return isOptional(value.budget, isBudget) && isVersioned(value.reasoner);
}

function isChart(value: unknown): boolean {
  return isText(value) || isObject(value);
}

function isLink(value: unknown): boolean {
  if (!isObject(value)) return false;
  const texts = [value.journal, value.runId, value.hash];
  return texts.every(isText) && Number.isSafeInteger(value.seq);
}

/** @internal */
export function offChain(number: number): ReckonerError {
  return broken(
    "journal.chain",
    number,
    "was changed, or does not follow the line before it: its bytes do not give its hash",
  );
}

/** Returns the error of an event that has another number than comes next. */
export function outOfPlace(number: number, seq: number, next: number): ReckonerError {
  const what = `is of event ${seq}, where event ${next} comes next: lines are missing, or stand there twice`;
  return broken("journal.format", number, what);
}

/** Returns true if an error says that a line is broken, whatever code reads the journal. */
export function isLineFault(thrown: unknown): boolean {
  return isReckonerError(thrown) && /^journal\.(?:format|hostile)$/.test(thrown.code);
}

/** @internal */
export function broken(
  code: "journal.format" | "journal.chain" | "journal.hostile",
  number: number,
  what: string,
): ReckonerError {
  return new ReckonerError(
    code,
    `Line ${number} ${what.replace(/\.$/, "")}. The journal is left as it is; restore it from a copy.`,
    { place: `line ${number}` },
  );
}
