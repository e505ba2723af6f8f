/**
 * Takes one turn of a run on an engine: steps its driver with what arrived, writes what came of it, and returns
 * what the engine has to do (answer, begin and stop attempts, wake).
 */
import type { Arrived, Attempt, Call, Owed, Stop } from "../../core/driver/index.js";
import { type Json, ReckonerError, sameJson } from "../../core/kernel/values/index.js";
import { systemClock } from "../../runtime/for-hosts.js";
import {
  beginHosted,
  delayAfter,
  faultOf,
  inputOf,
  MAX_TRIES,
  type Mail,
  messageWord,
  missingRun,
  type NewMail,
  type Opening,
  openHosted,
  otherRun,
  refusalOf,
  refusesDecision,
  takenBack,
  type Word,
} from "../../serve/for-adapters.js";
import type { Answers } from "./answers.js";
import { KeptJournal } from "./kept-journal.js";
import { FIRST } from "./kept-lines.js";
import { type KeptOpen, openKept } from "./open-kept.js";
import { type KeptFault, RECORD, type Reported, type RunRecord, SNAPSHOT } from "./record.js";
import { TurnTexts } from "./turn-texts.js";
import { type Arrivals, isOf, type KeptRunParts, type Turned } from "./turn-types.js";

const MAX_AT_ONCE = 64;
/** Takes in one turn, at most: the rest is for the next. */
const MAX_TAKES = 64;

interface TurnParts {
  readonly record: RunRecord | undefined;
  readonly answers: Answers;
  readonly now: number;
  readonly open: KeptOpen | undefined;
}

/** An edit that waits until everything before it is written. */
interface Edit {
  readonly key: string;
  readonly word: Extract<Word, { type: "edit" }>;
}

/** See the banner. */
export class Turn {
  readonly #parts: KeptRunParts;
  readonly #answers: Answers;
  readonly #now: number;
  readonly #texts: TurnTexts;
  #record: RunRecord | undefined;
  #mail: Mail[] = [];
  #arrived: Arrived[] = [];
  #begin: Attempt[] = [];
  readonly #stop: Stop[] = [];
  readonly #kept: Call[] = [];
  readonly #refused: (Call & { readonly message: string })[] = [];
  #edit: Edit | undefined;
  /** The record as this turn found it, and as it was written last. */
  readonly #found: RunRecord | undefined;
  #written: RunRecord | undefined;
  #isAbandoned = false;
  #wakeAt: number | undefined;
  open: KeptOpen | undefined;

  constructor(parts: KeptRunParts, { record, answers, now, open }: TurnParts) {
    this.#parts = parts;
    this.#texts = new TurnTexts(parts.stays);
    this.#record = record;
    this.#found = record;
    this.#written = record;
    this.#answers = answers;
    this.#now = now;
    this.open = open;
  }

  async run({ mail = [], reports = [], unpark = false }: Arrivals): Promise<Turned> {
    const fresh = freshIn(mail, this.#answers);
    this.#mail = [...fresh];
    const isKnown = mail.length > 0 && fresh.length === 0 && reports.length === 0;
    const before = this.#record?.fault;
    if (!isKnown && (unpark || before === undefined || mayTry(before, this.#now))) {
      try {
        await this.#go(reports, unpark);
      } catch (thrown) {
        this.#fail(thrown, fresh, reports);
      }
    } else if (before !== undefined) this.#fail(undefined, fresh, reports);
    if (this.#record !== undefined) this.#texts.changes.set(RECORD, JSON.stringify(this.#record));
    await this.#write();
    return this.#turned(mail);
  }

  async #write(): Promise<void> {
    // Of a run that is not there nothing is kept.
    if (this.#record === undefined) return;
    this.#answers.write(this.#texts.changes, this.#record.lines);
    await this.#parts.kept.write(this.#texts.changes);
  }

  #turned(mail: readonly NewMail[]): Turned {
    return {
      answers: mail.flatMap((each) => this.#answers.to(each) ?? []),
      fork: this.#record?.fork ?? FIRST,
      isAbandoned: this.#isAbandoned,
      stop: this.#stop,
      begin: this.#begin,
      kept: this.#kept,
      refused: this.#refused,
      wakeAt: this.#wakeAt,
      reasoner: this.#record?.row.reasoner,
      isBusy: (this.open?.driver.inFlight.attempts.length ?? 0) > 0,
    };
  }

  get #opening(): Opening {
    return { ...this.#parts.opening, now: this.#now };
  }

  async #go(reports: readonly Reported[], unpark: boolean): Promise<void> {
    const record = this.#record;
    if (record !== undefined && this.open === undefined) {
      const { kept, id, stays } = this.#parts;
      const inFlight = stays ? undefined : record.inFlight;
      this.open = await openKept(kept, id, record, this.#opening, inFlight);
      this.#texts.tail = this.open.tail;
    }
    const held = record?.held ?? [];
    const own = [...held, ...reports].filter(({ fork }) => fork === record?.fork);
    this.#arrived = own.map(({ arrived }) => arrived);
    if (record !== undefined && (unpark || record.fault !== undefined || held.length > 0)) {
      this.#record = { ...record, fault: undefined, held: undefined };
    }
    this.#start();
    for (let takes = 0; this.open !== undefined; takes++) {
      const owed = this.#take(this.open);
      if (this.#edit !== undefined && !owed.more) await this.#rewind(this.#edit);
      else if (!owed.more && this.#arrived.length + this.#mail.length === 0) return;
      if (takes < MAX_TAKES) continue;
      this.#wakeAt = this.#now;
      if (this.#arrived.length + this.#mail.length === 0) return;
    }
    for (const { key } of this.#mail.splice(0)) {
      this.#answers.refuse(key, missingRun(this.#parts.id));
    }
  }

  /** Begins the run, where it is not there and somebody asked for it. */
  #start(): void {
    while (this.open === undefined) {
      const mail = this.#mail.shift();
      if (mail === undefined) return;
      const word = mail.word as Word;
      const { id, kept } = this.#parts;
      try {
        if (word.type !== "start") throw missingRun(id);
        const journal = new KeptJournal(kept, id);
        const run = beginHosted({ tenant: "", id }, word.run, journal, this.#opening);
        this.open = run;
        const row = run.row.of(run.driver);
        this.#record = { fork: FIRST, lines: 0, row, texts: [] };
        this.#answers.take(mail.key);
      } catch (thrown) {
        this.#answers.refuse(mail.key, thrown);
      }
    }
  }

  #take(run: KeptOpen): Owed {
    const arrived = this.#arrived.splice(0, MAX_AT_ONCE);
    const asked = this.#asked(run, MAX_AT_ONCE - arrived.length);
    const owed = run.driver.take([...arrived, ...asked.map((each) => each.arrived)], this.#now);
    run.row.take(owed.show);
    for (const each of asked) {
      const refusal = refusalOf(run.driver, each.arrived, owed.refused);
      if (refusal === undefined) this.#answers.take(each.key);
      else this.#answers.refuse(each.key, refusal);
    }
    this.#record = this.#texts.keep(this.#record as RunRecord, run, owed);
    if (owed.broken !== undefined) throw new Broken(owed.broken.thrown);
    this.#owe(owed);
    return owed;
  }

  /** Takes from the mail as much as fits, up to an edit. */
  #asked(run: KeptOpen, most: number): { readonly key: string; readonly arrived: Arrived }[] {
    const asked: { readonly key: string; readonly arrived: Arrived }[] = [];
    while (asked.length < most && this.#edit === undefined) {
      const mail = this.#mail.shift();
      if (mail === undefined) break;
      const { key } = mail;
      const word = mail.word as Word;
      if (word.type === "start") this.#compare(run, key, word);
      else if (word.type === "edit") this.#edit = { key, word };
      else {
        const refusal = refusesDecision(run.driver.runs, word, this.#parts.mayDecide);
        if (refusal === undefined) asked.push({ key, arrived: word.arrived });
        else this.#answers.refuse(key, refusal);
      }
    }
    return asked;
  }

  /** A run that is there is asked for again. */
  #compare(run: KeptOpen, key: string, { run: newRun }: Extract<Word, { type: "start" }>): void {
    const { id } = this.#parts;
    try {
      const own = inputOf(newRun, { tenant: "", id }, this.#opening, run.begun.at);
      const isSame = own.reasoner === run.reasoner.id && sameJson(own.input, run.begun.input);
      if (isSame) this.#answers.take(key);
      else this.#answers.refuse(key, otherRun(id));
    } catch (thrown) {
      this.#answers.refuse(key, thrown);
    }
  }

  #owe({ stop, early, begin, kept, refused, wakeAt, more }: Owed): void {
    for (const call of stop) {
      const taken = this.#begin.filter((each) => !isOf(each, call));
      if (taken.length === this.#begin.length) this.#stop.push(call);
      else {
        // It was not begun yet, and is reported so.
        const { run, id, attempt } = call;
        this.#arrived.push({ type: "stopped", run, id, attempt });
      }
      this.#begin = taken;
    }
    this.#begin.push(...early, ...begin);
    this.#kept.push(...kept);
    for (const { arrived, error, why } of refused) {
      if (arrived.type !== "handle") continue;
      const { run, id, attempt } = arrived;
      const message = error?.message ?? `The handle came too late (${why}).`;
      this.#refused.push({ run, id, attempt, message });
    }
    this.#wakeAt = more ? this.#now : wakeAt;
  }

  /** Takes back a message with what came of it, and says another one. Everything before is written first. */
  async #rewind({ key, word }: Edit): Promise<void> {
    const { kept, id, hidden, random } = this.#parts;
    this.#edit = undefined;
    this.#texts.changes.set(RECORD, JSON.stringify(this.#record));
    await this.#write();
    this.#written = this.#record;
    this.#texts.changes.clear();
    const first = new KeptJournal(kept, id);
    const moveHead = (text: string, before: string | undefined) =>
      first.notes.write("head", "head", text, before);
    try {
      const clock = { ...systemClock, now: () => this.#now };
      const editing = { journal: first, opening: this.#opening, hidden, clock, moveHead };
      const edit = { ...word, key };
      const message = await takenBack(edit, { ...editing, random: random as never });
      await this.#goOnInFork(first);
      if (message === undefined) this.#answers.take(key);
      else {
        // It keeps its name, by which its sender knows it.
        const again = messageWord(message.content, message.id ?? key) as Json;
        this.#mail.unshift({ key, word: again });
      }
    } catch (thrown) {
      if (faultOf(thrown).code !== "fork.point") throw thrown;
      this.#answers.refuse(key, thrown);
    }
  }

  /** Goes on in the fork. Attempts of the journal before are nobody's any more, and neither are their reports. */
  async #goOnInFork(first: KeptJournal): Promise<void> {
    const run = await openHosted(first, undefined, this.#opening);
    const { name } = run.journal;
    const fork = name.slice(`${first.name}/forks/`.length);
    const lines = await new KeptJournal(this.#parts.kept, this.#parts.id, fork).lines();
    this.open = run;
    this.#record = { fork, lines, row: run.row.of(run.driver), texts: [] };
    this.#texts.tail = undefined;
    this.#texts.changes.set(SNAPSHOT, undefined);
    this.#forget();
  }

  /** Nothing of what the attempts so far are owed is carried out. */
  #forget(): void {
    this.#isAbandoned = true;
    this.#begin = [];
    this.#arrived = [];
    this.#stop.length = 0;
    this.#kept.length = 0;
    this.#refused.length = 0;
  }

  /** The run cannot go on: what was said is refused, and what was reported waits until it can. */
  #fail(thrown: unknown, mail: readonly Mail[], reports: readonly Reported[]): void {
    this.open = undefined;
    const isBroken = thrown instanceof Broken;
    const kept = isBroken ? this.#record : this.#written;
    if (!isBroken) {
      this.#texts.changes.clear();
      this.#answers.forget();
    }
    // Otherwise the attempts that were handed out before this turn go on: their reports wait.
    const isCutOff = isBroken || this.#parts.stays || kept !== this.#found;
    const record = isCutOff && kept !== undefined ? { ...kept, inFlight: undefined } : kept;
    this.#forget();
    this.#isAbandoned = isCutOff;
    this.#record = record;
    if (record === undefined) {
      for (const { key } of mail) this.#answers.refuse(key, thrown);
      return;
    }
    const fault =
      thrown === undefined ? record.fault : this.#faultOf(isBroken ? thrown.thrown : thrown);
    if (fault === undefined) return;
    const held = [...(record.held ?? []), ...(isBroken ? [] : reports)];
    this.#record = { ...record, fault, held };
    this.#wakeAt = fault.until;
    for (const { key } of mail) {
      if (!this.#answers.has(key)) this.#answers.refuse(key, parked(this.#parts.id, fault));
    }
  }

  #faultOf(thrown: unknown): KeptFault {
    const tries = (this.#written?.fault?.tries ?? 0) + 1;
    const { code, message } = faultOf(thrown);
    const until = this.#now + delayAfter(tries);
    return { code, message, tries, ...(tries < MAX_TRIES ? { until } : {}) };
  }
}

/** Returns the mail that is not answered; of a key the first. */
function freshIn(mail: readonly NewMail[], answers: Answers): readonly NewMail[] {
  const isFirst = ({ key }: NewMail, n: number) => mail.findIndex((each) => each.key === key) === n;
  return mail.filter((each, n) => !answers.has(each.key) && isFirst(each, n));
}

/** Returns true if a run that failed is due to be tried again. */
function mayTry({ until }: KeptFault, now: number): boolean {
  return until !== undefined && until <= now;
}

function parked(id: string, { code, message, until }: KeptFault): ReckonerError {
  const why =
    until === undefined
      ? `The run ${id} is parked, since it failed again and again`
      : `The run ${id} cannot go on, and is tried again`;
  return new ReckonerError("run.parked", `${why}: ${code}: ${message}`, { place: id });
}

/** A driver that is to be dropped, whose lines are written. */
class Broken extends Error {
  readonly thrown: unknown;
  constructor(thrown: unknown) {
    super("the driver is broken");
    this.thrown = thrown;
  }
}
