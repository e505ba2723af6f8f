/**
 * Drives one run that this process owns, for `owned-runs.ts`: takes what was sent to it and what attempts
 * report, makes its lines durable together with the answers, and then carries out what the driver issues. It
 * decides nothing.
 */
import type { Arrived, Owed } from "../core/driver/index.js";
import { type Json, ReckonerError, sameJson } from "../core/kernel/values/index.js";
import { dollarsOf, pairKey } from "../core/kernel/vocabulary/index.js";
import { blobsOf } from "../runtime/for-hosts.js";
import { type Edit, takenBack } from "./edit.js";
import { Attempts } from "./gated-attempts.js";
import type { RunParts } from "./host-parts.js";
import { withQueue } from "./host-row.js";
import { afterFailure, goneAfter, type Left, releaseOf } from "./leave.js";
import { LiveTexts } from "./live-texts.js";
import { faultOf, messageWord, type Word } from "./mail-content.js";
import { Mailbox } from "./mailbox.js";
import { refusesDecision } from "./may-decide.js";
import { beginHosted, inputOf, type Opening, type OpenRun, openHosted } from "./open-run.js";
import { asked } from "./outage.js";
import { OwnerChanges } from "./owner-changes.js";
import { missingRun, otherRun, refusalOf } from "./refused.js";
import { MAX_TRIES } from "./run-retries.js";
import type { Change, Held, Mail, Release } from "./store.js";
import { dayOf } from "./tenant-limits.js";

/** Something that was said, on its way into a take. */
interface Asked {
  readonly key: string;
  readonly arrived: Arrived;
}

const MAX_AT_ONCE = 64;

/** See the banner. */
export class HostedRun {
  readonly held: Held;
  readonly #parts: RunParts;
  readonly #arrived: Arrived[] = [];
  readonly #mail = new Mailbox();
  readonly #changes: OwnerChanges;
  /** It waits until everything before it is durable. */
  #edit: Edit | undefined;
  #run: OpenRun | undefined;
  readonly #live: LiveTexts | undefined;
  #attempts: Attempts | undefined;
  #lines = 0;
  #paid = 0;
  /** False until the store has the row of the journal that is open. */
  #isRowKnown = false;
  #isDropped = false;
  #wake: () => void = () => {};

  constructor(held: Held, parts: RunParts) {
    this.held = held;
    this.#parts = parts;
    this.#changes = new OwnerChanges(held, parts);
    const { store, hidden } = parts;
    const { place, epoch } = held;
    // A hook that redacts whole texts might not find in pieces what it hides.
    if (hidden.redact !== undefined) return;
    this.#live = new LiveTexts(epoch, (delta) => {
      store.tell({ type: "delta", place, delta: delta as Json });
    });
  }

  /** Tells all that has streamed in so far. */
  tellLive(): void {
    this.#live?.tellAll();
  }

  /** The store is about to be asked for mail. */
  forgetAnswered(): void {
    this.#mail.forgetAnswered();
  }

  /** Takes mail; what it knows already is passed over. @returns whether anything is new */
  tell(mail: readonly Mail[]): boolean {
    const isNew = this.#mail.put(mail);
    if (isNew) this.#wake();
    return isNew;
  }

  /** Leaves the run to another host. Attempts have some milliseconds to settle. */
  drain(ms: number): void {
    this.#arrive({ type: "drain", ms });
  }

  /** Another host owns the run: nothing more is done here. */
  drop(): void {
    this.#isDropped = true;
    this.#changes.drop();
    this.#attempts?.abandon();
    this.#wake();
  }

  #arrive(arrived: Arrived): void {
    this.#arrived.push(arrived);
    this.#wake();
  }

  /** Drives the run until it leaves this process. Never rejects. */
  async drive(): Promise<Left> {
    try {
      if (this.held.tries >= MAX_TRIES) return await this.#park();
      await this.#open();
      return await this.#loop();
    } catch (thrown) {
      return await this.#fail(thrown).catch((): Left => "lost");
    } finally {
      this.#attempts?.abandon();
    }
  }

  async #open(): Promise<void> {
    const { store } = this.#parts;
    const { place, unchanged } = this.held;
    const kept = this.#parts.kept.take(pairKey(place.tenant, place.id));
    if (kept !== undefined && kept.token === unchanged) return this.#goOn(kept.run);
    const state = await asked(() => store.row(place));
    if (state === undefined) return;
    const first = store.journal(place);
    if (state.row === undefined && !(await this.#hasLines())) return;
    this.#goOn(await openHosted(first, state.row, this.#opening));
  }

  async #hasLines(): Promise<boolean> {
    const { store } = this.#parts;
    try {
      const { place } = this.held;
      return (await asked(() => store.lines(store.journal(place), 0))).length > 0;
    } catch (thrown) {
      if (faultOf(thrown).code === "journal.missing") return false;
      throw thrown;
    }
  }

  get #opening(): Opening {
    return { ...this.#parts.opening, now: this.#parts.clock.now() };
  }

  #goOn(run: OpenRun): void {
    const { ports, gates, clock, store, blobs, tenants } = this.#parts;
    const { place } = this.held;
    const files = blobs === undefined ? undefined : blobsOf(blobs, store.journal(place));
    this.#run = run;
    this.#isRowKnown = false;
    this.#paid = costOf(run);
    this.#attempts = new Attempts({
      ports: { ...ports, reasoner: run.reasoner, blobs: files },
      gates,
      clock,
      refusesModel: () => tenants.refusesModel(place.tenant),
      arrive: (arrived) => this.#arrive(arrived),
      live: this.#live,
    });
  }

  async #loop(): Promise<Left> {
    for (;;) {
      if (this.#isDropped) return "lost";
      this.#begin();
      if (this.#run === undefined) return await this.#nothing();
      const left = await this.#round(this.#run);
      if (left !== undefined) return left;
    }
  }

  /** There is no run: what was said to it is refused. */
  async #nothing(): Promise<Left> {
    for (let mail = this.#mail.next(); mail !== undefined; mail = this.#mail.next()) {
      this.#changes.refuse(mail.key, missingRun(this.held.place.id));
    }
    const isOurs = await this.#commit({ release: { gone: true } });
    return isOurs ? "released" : "lost";
  }

  /** Begins the run, where it is not there and somebody asked for it. */
  #begin(): void {
    while (this.#run === undefined) {
      const mail = this.#mail.next();
      if (mail === undefined) return;
      const word = mail.word as Word;
      if (word.type !== "start") {
        this.#changes.refuse(mail.key, missingRun(this.held.place.id));
        continue;
      }
      try {
        const { store } = this.#parts;
        const { place } = this.held;
        this.#goOn(beginHosted(place, word.run, store.journal(place), this.#opening));
        this.#changes.taken(mail.key);
      } catch (thrown) {
        this.#changes.refuse(mail.key, thrown);
      }
    }
  }

  /** @returns how it left, if it did */
  async #round(run: OpenRun): Promise<Left | undefined> {
    const { clock } = this.#parts;
    const arrived = this.#arrived.splice(0, MAX_AT_ONCE);
    const asked = this.#asked(run, MAX_AT_ONCE - arrived.length);
    const now = clock.now();
    const owed = run.driver.take([...arrived, ...asked.map((each) => each.arrived)], now);
    run.row.take(owed.show);
    if (arrived.some(({ type }) => type === "settled")) this.#changes.progress();
    this.#lines = owed.at.lines + owed.lines.length;
    for (const each of asked) {
      const refusal = refusalOf(run.driver, each.arrived, owed.refused);
      if (refusal === undefined) this.#changes.taken(each.key);
      else this.#changes.refuse(each.key, refusal);
    }
    const release = this.#hasNews ? undefined : releaseOf(run, owed, now);
    if (!(await this.#record(run, owed, release))) return "lost";
    this.#act(run, owed);
    if (owed.broken !== undefined) throw owed.broken.thrown;
    if (release !== undefined) {
      await run.snapshots.settled();
      if (owed.stands !== "ended" && owed.stands !== "drained") this.#keep(run, owed);
      return "released";
    }
    if (this.#edit !== undefined && !owed.more) await this.#rewind(this.#edit);
    else if (!owed.more) await this.#news(owed);
    return undefined;
  }

  get #hasNews(): boolean {
    return this.#arrived.length + this.#mail.size > 0 || this.#edit !== undefined;
  }

  /** Keeps a run that waits, so that its next turn needs no reading where nobody else has had it meanwhile. */
  #keep(run: OpenRun, { at, lines }: Owed): void {
    const { tenant, id } = this.held.place;
    const bytes = lines.reduce((sum, line) => sum + line.length, at.bytes);
    this.#parts.kept.keep(pairKey(tenant, id), { run, token: this.#changes.token }, bytes);
  }

  /** What was said, as far as it fits and an edit does not come first. */
  #asked(run: OpenRun, most: number): readonly Asked[] {
    const asked: Asked[] = [];
    while (asked.length < most && this.#edit === undefined) {
      const mail = this.#mail.next();
      if (mail === undefined) break;
      const { key } = mail;
      const word = mail.word as Word;
      if (word.type === "start") this.#compare(run, key, word);
      else if (word.type === "edit") {
        this.#edit = { key, seq: word.seq, content: word.content };
      } else {
        const { mayDecide } = this.#parts;
        const refusal = refusesDecision(run.driver.runs, word, mayDecide);
        if (refusal === undefined) asked.push({ key, arrived: word.arrived });
        else this.#changes.refuse(key, refusal);
      }
    }
    return asked;
  }

  /** A run that is there is asked for again. */
  #compare(run: OpenRun, key: string, { run: newRun }: Extract<Word, { type: "start" }>): void {
    const { place } = this.held;
    try {
      const { at, input } = run.begun;
      const own = inputOf(newRun, place, this.#opening, at);
      if (own.reasoner === run.reasoner.id && sameJson(own.input, input)) this.#changes.taken(key);
      else this.#changes.refuse(key, otherRun(place.id));
    } catch (thrown) {
      this.#changes.refuse(key, thrown);
    }
  }

  /** @returns whether the run is still this host's */
  async #record(run: OpenRun, { lines, at }: Owed, release: Release | undefined): Promise<boolean> {
    if (lines.length === 0 && !this.#changes.owesAnswers && release === undefined) return true;
    const cost = costOf(run);
    const amount = cost - this.#paid;
    this.#paid = cost;
    const change: Omit<Change, "token"> = {
      ...(lines.length === 0 ? {} : { append: { journal: run.journal, lines, at } }),
      ...(lines.length === 0 && this.#isRowKnown
        ? {}
        : {
            row: {
              ...withQueue(run.row.of(run.driver), run.driver.state.context),
              ...(cost > 0 ? { cost } : {}),
            },
          }),
      ...(amount > 0 ? { spent: { day: dayOf(this.#parts.clock.now()), amount } } : {}),
      ...(release === undefined ? {} : { release }),
    };
    this.#isRowKnown = true;
    return this.#commit(change);
  }

  /** @returns whether the run is still this host's */
  async #commit(parts: Parameters<OwnerChanges["commit"]>[0]): Promise<boolean> {
    const answers = await this.#changes.commit(parts, this.#lines);
    this.#mail.answered(answers?.map(({ key }) => key) ?? []);
    return answers !== undefined;
  }

  /** The lines are durable. */
  #act(run: OpenRun, { stop, early, begin, kept, refused, snapshot, broken }: Owed): void {
    const attempts = this.#attempts;
    if (attempts === undefined || this.#isDropped) return;
    for (const each of stop) attempts.stop(each);
    for (const each of kept) attempts.kept(each);
    for (const { arrived, error, why } of refused) {
      if (arrived.type !== "handle") continue;
      const message = error?.message ?? `The handle came too late (${why}).`;
      attempts.kept(arrived, new ReckonerError("handle.refused", message));
    }
    if (broken === undefined) for (const each of [...early, ...begin]) attempts.begin(each);
    if (snapshot !== undefined) run.snapshots.store(snapshot);
  }

  /** Waits until something arrives, or is due. */
  #news({ wakeAt }: Owed): Promise<void> | undefined {
    if (this.#hasNews || this.#isDropped) return undefined;
    const { clock } = this.#parts;
    return new Promise((resolve) => {
      let takeBack = () => {};
      this.#wake = () => {
        takeBack();
        this.#wake = () => {};
        resolve();
      };
      if (wakeAt === undefined) return;
      takeBack = clock.setTimer(Math.max(0, wakeAt - clock.now()), () => this.#wake());
    });
  }

  /** Takes back a message with what came of it, and says another one. Everything before is durable. */
  async #rewind(edit: Edit): Promise<void> {
    const { key } = edit;
    const { store, clock, random, hidden } = this.#parts;
    this.#edit = undefined;
    const journal = store.journal(this.held.place);
    const moveHead = (text: string, before: string | undefined) =>
      this.#commit({ head: { text, before } });
    const opening = this.#opening;
    try {
      const message = await takenBack(edit, {
        ...{ journal, opening, hidden, clock, random, moveHead },
      });
      this.#attempts?.abandon();
      this.#arrived.length = 0;
      this.#goOn(await openHosted(journal, undefined, this.#opening));
      if (message === undefined) this.#changes.taken(key);
      else {
        // It keeps its name, by which its sender knows it.
        const word = messageWord(message.content, message.id ?? key) as Json;
        this.#mail.putFirst({ key, word });
      }
    } catch (thrown) {
      if (faultOf(thrown).code !== "fork.point") throw thrown;
      this.#changes.refuse(key, thrown);
    }
  }

  async #park(): Promise<Left> {
    const fault = goneAfter(this.held.fault);
    return (await this.#commit({ release: { fault, park: true } })) ? "released" : "lost";
  }

  /** Lets go of a run that cannot go on. What was said to it waits for whoever can. */
  async #fail(thrown: unknown): Promise<Left> {
    this.#attempts?.abandon();
    this.#changes.forgetAnswers();
    const { release, isPassing } = afterFailure(thrown, this.held.tries);
    // It is no failure of the run: the tries are counted anew.
    if (isPassing) this.#changes.progress();
    return this.#letGo(release);
  }

  async #letGo(release: Release): Promise<Left> {
    return (await this.#commit({ release })) ? "released" : "lost";
  }
}

/** The money that a run has cost, in US dollars. */
function costOf({ driver }: OpenRun): number {
  return dollarsOf(driver.usage.cost ?? 0);
}
