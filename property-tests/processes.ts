/**
 * Several processes in one simulation: the real `run`, `resume`, `rewind` and `fork` over a disk that they share, under
 * one scheduler with one seed. Each call of a port, a model or a tool waits for its turn; between two turns processes
 * die or stall, clocks jump, the power fails, an older copy of a journal is put back. The disk keeps what a file system
 * keeps: what was written and not synced outlives a process, and not a power failure.
 */

import { ReckonerError } from "../src/core/kernel/values/index.js";
import { type JournalPort, resume, run, scriptedModel } from "../src/index.js";
import type { NoteKind } from "../src/runtime/index.js";
import { fork, rewind } from "../src/time-travel.js";
import { issuedBy, NEW, OLD, type Services } from "./processes-clerk.js";
import { type Disturbance, NEEDED, type Planted } from "./processes-plants.js";
import { numbers, Process, Schedule } from "./processes-schedule.js";

/** A file: as processes see it, and as it is after a power failure. */
interface SimulatedFile {
  now: string;
  synced: string | undefined;
}

/** A tool that began. */
interface Effect {
  /** Nothing on the disk says that it was asked for, and a person has accepted that. */
  isLost?: boolean;
  readonly runId: string;
  readonly id: string;
  /** The number of rewinds that had been made. */
  readonly rewinds: number;
}

const ROOT = "run.jsonl";
const hex = (text: string) => Buffer.from(text).toString("hex");

/** The disk, the processes on it, and their turns. */
export class World {
  readonly log: string[] = [];
  readonly effects: Effect[] = [];
  /** The runs that a rewind has left, and how many rewinds there were then. */
  readonly left: { readonly runId: string; readonly rewinds: number }[] = [];
  readonly #pick: (below: number) => number;
  readonly #schedule: Schedule;
  readonly #planted: Planted | undefined;
  readonly #files = new Map<string, SimulatedFile>();
  readonly #locks = new Map<string, { readonly process: Process; readonly nonce: object }>();
  readonly #processes: Process[] = [];
  #busy = 0;
  #rewinds = 0;
  /** The effects of which a rollback has taken the lines in which they were asked for. */
  #lost: Effect[] = [];

  constructor(seed: number, planted?: Planted) {
    this.#pick = numbers(seed);
    this.#schedule = new Schedule(this.#pick);
    this.#planted = planted;
  }

  /** The texts of all journals. */
  get journals(): readonly string[] {
    return [...this.#files].flatMap(([name, { now }]) => (name.endsWith(".jsonl") ? [now] : []));
  }

  /** A whole run of things, from the seed: some operations, with faults in between, and then a process that ends it. */
  async play(): Promise<void> {
    void this.#start("run", (process) => this.#run(process));
    const rounds = 3 + this.#pick(6);
    for (let i = 0; i < rounds; i++) {
      await this.#schedule.turns(this.#pick(16));
      this.#disturb();
    }
    for (const each of this.#processes) each.isStalled = false;
    await this.#schedule.turns(400);
    this.#killAll();
    await this.#end();
  }

  /** A process ends the run, as a host does it: a run that never began is begun, and a loss is accepted in the end. */
  async #end(): Promise<void> {
    const said = await this.#alone("end", (process) => this.#resume(process, {}));
    if (said === "journal.empty" || said === "journal.missing") {
      await this.#alone("begin again", (process) => this.#run(process));
    }
    if (said !== "journal.short") return;
    for (const each of this.#lost) each.isLost = true;
    await this.#alone("end with the loss", (process) =>
      this.#resume(process, { acceptLoss: true }),
    );
  }

  /** Nothing else happens meanwhile. */
  async #alone(what: string, work: (process: Process) => Promise<string>): Promise<string> {
    const { result } = this.#start(what, work);
    await this.#schedule.turns(400);
    this.#killAll();
    return Promise.race([result, Promise.resolve("It does not end.")]);
  }

  /** Something happens to the processes, or one more begins something. */
  #disturb(): void {
    const living = this.#processes.filter(({ isAlive }) => isAlive);
    const one = living[this.#pick(Math.max(1, living.length))];
    const seq = 1 + this.#pick(4);
    const choices: { readonly [what in Disturbance]: () => void } = {
      die: () => this.#kill(one),
      stall: () => {
        if (one !== undefined) one.isStalled = true;
        this.log.push(`${one?.name} stalls`);
      },
      "go on": () => {
        for (const each of living) each.isStalled = false;
        this.log.push("all go on");
      },
      jump: () => {
        if (one !== undefined) one.ahead += [3_600_000, -3_600_000][this.#pick(2)] as number;
        this.log.push(`the clock of ${one?.name} jumps`);
      },
      "power fails": () => this.#fail(),
      "roll back": () => this.#rollBack(),
      resume: () => void this.#start("resume", (process) => this.#resume(process, {})),
      upgrade: () =>
        void this.#start("upgrade", (process) => this.#resume(process, { upgrade: true })),
      rewind: () => void this.#start(`rewind ${seq}`, (process) => this.#rewind(process, seq)),
      fork: () => void this.#start(`fork ${seq}`, (process) => this.#fork(process, seq)),
    };
    // Half of what happens is of the kinds that a planted fault needs.
    const all = Object.keys(choices) as Disturbance[];
    const needed = this.#planted === undefined ? all : NEEDED[this.#planted];
    const kinds = this.#pick(2) === 0 ? all : needed;
    choices[kinds[this.#pick(kinds.length)] as Disturbance]();
  }

  // What processes do.

  async #run(process: Process): Promise<string> {
    const end = await run(OLD, "Pay.", {
      ...this.#host(process),
      journal: this.#port(process, ROOT),
      runId: "r",
    });
    return end.status;
  }

  async #resume(
    process: Process,
    how: { upgrade?: boolean; acceptLoss?: boolean },
  ): Promise<string> {
    const end = await resume(
      how.upgrade === true ? [NEW, OLD] : [OLD, NEW],
      this.#port(process, ROOT),
      { ...this.#host(process), ...how },
    );
    return end.status;
  }

  async #rewind(process: Process, at: number): Promise<string> {
    const port = this.#port(process, ROOT, this.#planted === "rewind takes no lock");
    const name = `rewound-${this.#processes.length}`;
    const { from } = await rewind(
      port,
      { at },
      { name, runId: name, clock: this.#schedule.clock(process) },
    );
    this.#rewinds += 1;
    this.left.push({ runId: from.runId, rewinds: this.#rewinds });
    return `from ${from.runId} to ${from.seq}`;
  }

  async #fork(process: Process, at: number): Promise<string> {
    const name = `fork-${this.#processes.length}`;
    const forked = await fork(this.#port(process, ROOT), {
      at,
      name,
      runId: name,
      clock: this.#schedule.clock(process),
    });
    const end = await resume(OLD, forked.journal, this.#host(process));
    return end.status;
  }

  #host(process: Process) {
    const words = scriptedModel([
      { calls: [{ name: "pay" }, { name: "pay" }] },
      { calls: [{ name: "pay" }] },
      "Done.",
    ]);
    const model: typeof words = {
      ...words,
      generate: async (...call) => {
        await this.#schedule.turn(process, "model");
        return words.generate(...call);
      },
    };
    const pay = async (runId: string, id: string) => {
      this.effects.push({ runId, id, rewinds: this.#rewinds });
      this.log.push(`${process.name} pays ${runId} ${id}`);
      await this.#schedule.turn(process, "pay");
    };
    return { model, clock: this.#schedule.clock(process), services: { pay } satisfies Services };
  }

  // Turns.

  #start(
    what: string,
    work: (process: Process) => Promise<string>,
  ): { readonly result: Promise<string> } {
    const process = new Process(`p${this.#processes.length}`);
    this.#processes.push(process);
    this.log.push(`${process.name} begins: ${what}`);
    this.#busy += 1;
    const result = work(process)
      .catch((thrown: unknown) =>
        thrown instanceof ReckonerError ? thrown.code : `UNEXPECTED ${thrown}`,
      )
      .then((said) => {
        this.#busy -= 1;
        if (process.isAlive) this.log.push(`${process.name} ends: ${said}`);
        process.isAlive = false;
        return said;
      });
    return { result };
  }

  // Faults.

  #kill(process: Process | undefined): void {
    if (process === undefined) return;
    process.isAlive = false;
    this.log.push(`${process.name} dies`);
  }

  #killAll(): void {
    for (const each of this.#processes) if (each.isAlive) this.#kill(each);
  }

  /** The power fails: what was not synced is lost, in all files or in some. */
  #fail(): void {
    this.#killAll();
    this.log.push("the power fails");
    const isAll = this.#pick(2) === 0;
    for (const [name, file] of this.#files) {
      if (file.now === file.synced || (!isAll && this.#pick(2) === 0)) continue;
      if (file.synced === undefined) this.#files.delete(name);
      else file.now = file.synced;
    }
  }

  /** An older copy of the journal is put back, one that its note proves to be older. */
  #rollBack(): void {
    const file = this.#files.get(ROOT);
    const note = this.#files.get(`${ROOT}.end`) ?? this.#files.get("unnoted");
    const noted = note?.now;
    if (file === undefined || note === undefined || noted === undefined) return;
    this.#killAll();
    // It had time to reach the disk: one that is lost as well proves nothing.
    note.synced = noted;
    const { lines } = JSON.parse(noted);
    const keep = 1 + this.#pick(Math.max(1, lines - 1));
    file.now = file.now
      .split("\n")
      .slice(0, -1)
      .slice(0, keep)
      .map((line) => `${line}\n`)
      .join("");
    file.synced = file.now;
    const events = file.now.split('"event":').length - 1;
    this.#lost = this.effects.filter(({ runId, id }) => runId === "r" && issuedBy(id) >= events);
    this.log.push(`rolled back to ${keep} of ${lines} lines`);
  }

  // The disk.

  #write(name: string, text: string, isSynced: boolean): void {
    const file = this.#files.get(name) ?? { now: "", synced: undefined };
    this.#files.set(name, { now: text, synced: isSynced ? text : file.synced });
  }

  #refused(
    code: "journal.locked" | "journal.exists" | "journal.missing" | "journal.conflict",
    name: string,
  ): ReckonerError {
    return new ReckonerError(code, `${name} is refused.`, { place: name });
  }

  #port(process: Process, name: string, isUnlocked = false): JournalPort {
    const planted = this.#planted;
    const noteName = (kind: NoteKind, note: string) =>
      kind === "head" ? `${name}.head` : `${name}.${kind}/${hex(note)}`;
    const text = () => this.#files.get(name)?.now;
    const follow = (link: string) => this.#port(process, link, isUnlocked);
    return {
      name,
      open: async (mode) => {
        await this.#schedule.turn(process, `open ${name}`);
        const held = this.#locks.get(name);
        // A dead or a silent owner's lock is taken over.
        if (held?.process.isAlive && !held.process.isStalled && !isUnlocked) {
          throw this.#refused("journal.locked", name);
        }
        if (mode === "append" && text() === undefined) throw this.#refused("journal.missing", name);
        if (mode === "create" && (text() ?? "") !== "") throw this.#refused("journal.exists", name);
        const nonce = {};
        if (!isUnlocked) this.#locks.set(name, { process, nonce });
        if (mode === "create") this.#write(name, "", true);
        return {
          append: async (lines, { bytes }) => {
            await this.#schedule.turn(process, `append ${lines.length}`);
            const isHeld = isUnlocked || this.#locks.get(name)?.nonce === nonce;
            if (!isHeld && planted !== "a lock is never lost")
              throw this.#refused("journal.conflict", name);
            const before = Buffer.from(text() ?? "");
            const isEnd = before.length === bytes || !before.subarray(bytes).includes(10);
            if (before.length < bytes || !isEnd) {
              if (planted !== "a lock is never lost") {
                throw this.#refused("journal.conflict", name);
              }
            }
            const kept = isEnd ? before.subarray(0, bytes).toString() : before.toString();
            this.#write(name, kept + lines.map((line) => `${line}\n`).join(""), false);
            await this.#schedule.turn(process, "sync");
            if (planted !== "lines are not synced") this.#write(name, text() as string, true);
          },
          close: async () => {
            if (this.#locks.get(name)?.nonce === nonce) this.#locks.delete(name);
          },
        };
      },
      read: (from = 0) => this.#read(process, name, from),
      link: (to) => to.name,
      follow,
      fork: (forked) => follow(`${name}.forks/${hex(forked)}.jsonl`),
      notes: {
        list: async (kind) => {
          await this.#schedule.turn(process, `list ${kind}`);
          const files = [...this.#files].filter(([each]) =>
            kind === "head"
              ? each === noteName(kind, "")
              : each.startsWith(`${name}.${kind}/`) && !/\.jsonl/.test(each),
          );
          const texts = files.map(([, { now }]) => now);
          if (planted !== "heads are read once" || kind !== "head") return texts;
          const seen = process.heads.get(name) ?? texts;
          process.heads.set(name, seen);
          return seen;
        },
        write: async (kind, note, said, before) => {
          await this.#schedule.turn(process, `write ${kind}`);
          if (this.#files.get(noteName(kind, note))?.now !== before) return false;
          this.#write(noteName(kind, note), said, planted !== "heads are not durable");
          return true;
        },
        remove: async (kind, note) => {
          await this.#schedule.turn(process, `remove ${kind}`);
          this.#files.delete(noteName(kind, note));
        },
      },
      endNote: {
        read: async () => this.#files.get(`${name}.end`)?.now,
        write: async (said) => {
          // What is to be rolled back is known to the world, whether or not it is to the port.
          const to =
            planted === "no note of the end" ? (name === ROOT ? "unnoted" : "") : `${name}.end`;
          if (to !== "" && process.isAlive) this.#write(to, said, false);
        },
      },
    };
  }

  async *#read(process: Process, name: string, from: number): AsyncGenerator<Uint8Array> {
    await this.#schedule.turn(process, `read ${name}`);
    const file = this.#files.get(name);
    if (file === undefined) throw this.#refused("journal.missing", name);
    yield Buffer.from(file.now).subarray(from);
  }
}
