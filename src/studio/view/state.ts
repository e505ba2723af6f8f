/**
 * The signals that the pages of the studio share (the list of runs, the open ones, two to compare, the
 * theme), and the loops that keep them up to date.
 */
import { signal } from "@preact/signals";
import { messageOf } from "../../core/kernel/values/index.js";
import { type About, FollowedTree, type Listed } from "../live/index.js";
import { RecordedTree, Scrubber } from "../model/index.js";
import { silence, sourceOfPage } from "./source.js";

export const source = sourceOfPage();
export const about = signal<About | undefined>(undefined);
export const listed = signal<Listed | undefined>(undefined);
/** The error that the server has answered with when it was asked for what the page is about; "" where there is none. */
export const lost = signal("");
/** The journals that are chosen to be compared, at most two. */
export const picked = signal<readonly string[]>([]);
/** The theme that the person has chosen: auto, light or dark. */
export const theme = signal("auto");
/** The moment by which ages are told, in milliseconds since 1970. */
export const now = signal(Date.now());

/** Milliseconds between two looks at what is live. */
const LOOK = 1_000;
const LOOK_AT_LIST = 3_000;

/** Lines of a journal, and characters of them, after which it is shown before the others are read. */
const FIRST_LINES = 50;
const FIRST_LENGTH = 1_000_000;

/** Milliseconds after which a page that is not drawn reads on: one that nobody sees is not. */
const UNDRAWN = 250;

/** Waits until the page was drawn, or is not going to be: it may be hidden at any moment. */
function drawn(): Promise<void> {
  return new Promise((go) => {
    setTimeout(go, document.visibilityState === "visible" ? UNDRAWN : 0);
    requestAnimationFrame(() => setTimeout(go));
  });
}

/** A journal that is open. */
export class OpenRun {
  readonly name: string;
  /** Counts what has come; read it to be told. */
  readonly version = signal(0);
  readonly isReading = signal(true);
  /** True until all that was asked to be read is read. */
  isUpdating = false;
  readonly fault = signal("");
  readonly #followed: FollowedTree;
  #derived: {
    readonly tree: RecordedTree;
    readonly lines: number;
    readonly values: Map<string, unknown>;
  } = { tree: new RecordedTree(""), lines: 0, values: new Map() };
  #last: Promise<void> = Promise.resolve();
  #isShown = () => {};
  /** Is kept once something of it can be shown, or why there is nothing. */
  readonly shown: Promise<void> = new Promise((shown) => {
    this.#isShown = shown;
  });

  constructor(name: string) {
    this.name = name;
    this.#followed = new FollowedTree(source.journal(name));
  }

  get tree(): RecordedTree {
    return this.#followed.tree;
  }

  /** The fault, where the page does not say the same of all runs: of a host that has gone. */
  get ownFault(): string {
    return lost.value.startsWith(this.fault.value) ? "" : this.fault.value;
  }

  /** Gives what is made of all lines: it is made once, until there are more of them. @param key names it */
  derived<Made>(key: string, make: (tree: RecordedTree) => Made): Made {
    const { tree } = this;
    const { lines } = tree;
    if (this.#derived.tree !== tree || this.#derived.lines !== lines)
      this.#derived = { tree, lines, values: new Map() };
    const { values } = this.#derived;
    if (!values.has(key)) values.set(key, make(tree));
    return values.get(key) as Made;
  }

  get scrubber(): Scrubber {
    return this.derived("scrubber", (tree) => new Scrubber(tree));
  }

  /** Reads what has come. */
  update(): Promise<void> {
    this.isUpdating = true;
    const own = this.#last.then(() => this.#update());
    this.#last = own;
    void own.then(() => {
      if (this.#last === own) this.isUpdating = false;
    });
    return own;
  }

  /** Shows the beginning at once, and more each time that it has doubled: all in all two times the work. */
  #next = { lines: FIRST_LINES, length: FIRST_LENGTH };
  readonly #taken = ({ lines, length }: RecordedTree): Promise<void> | undefined => {
    if (lines < this.#next.lines && length < this.#next.length) return undefined;
    this.#next = {
      lines: Math.max(FIRST_LINES, lines * 2),
      length: Math.max(FIRST_LENGTH, length * 2),
    };
    this.version.value += 1;
    this.#isShown();
    return drawn();
  };

  async #update(): Promise<void> {
    let fault: string | undefined;
    try {
      if (await this.#followed.update(this.#taken)) this.version.value += 1;
      fault = this.#followed.fault?.message;
    } catch (thrown) {
      fault = messageOf(thrown);
    }
    // A server that does not answer says nothing of the journal: what was said of it stands.
    if (silence.value === "") {
      this.fault.value = fault ?? "";
      this.isReading.value = false;
    }
    this.#isShown();
  }
}

const open = new Map<string, OpenRun>();
const MOST_OPEN = 4;

/** Opens a journal, or gives the one that is open. */
export function openRun(name: string): OpenRun {
  const existing = open.get(name);
  if (existing !== undefined) {
    open.delete(name);
    open.set(name, existing);
    return existing;
  }
  const opened = new OpenRun(name);
  open.set(name, opened);
  // The run that was not looked at for the longest time is let go of: a page that is open for days stays small.
  for (const [first] of open) {
    if (open.size <= MOST_OPEN) break;
    open.delete(first);
  }
  void opened.update();
  return opened;
}

/** Says why nothing new is shown, in the words of the server; where it has not answered, `silence` says so. */
function lostBy(thrown: unknown): string {
  return silence.value === ""
    ? `${messageOf(thrown)} This is what was read until now.`
    : lost.value;
}

/** Reads what is shown, and what can be done. */
export async function readAbout(): Promise<void> {
  try {
    about.value = await source.about();
  } catch (thrown) {
    lost.value = lostBy(thrown);
  }
}

let isCodeAsked = false;

/**
 * Reads what the code says, where there is code: behind what is shown first, since it may take seconds to load; and
 * again, since it may be edited.
 */
export async function readCode(): Promise<void> {
  if (about.value?.code !== true || isCodeAsked) return;
  isCodeAsked = true;
  try {
    await drawn();
    const found = await source.code();
    // All costs are counted anew where it says something else.
    if (JSON.stringify(found) !== JSON.stringify(about.value)) about.value = found;
  } catch {
    // The list says that the server does not answer.
  }
  isCodeAsked = false;
}

/** Reads the list of runs. */
export async function readList(): Promise<void> {
  if (about.value === undefined) await readAbout();
  try {
    for (;;) {
      const found = await source.list();
      listed.value = found;
      lost.value = "";
      void readCode();
      if (found.pending === undefined) break;
    }
  } catch (thrown) {
    lost.value = lostBy(thrown);
  }
  now.value = Date.now();
}

/** Looks again and again at what may have changed. */
export function follow(watched: () => readonly OpenRun[]): void {
  if (!source.isLive) return;
  const again = () => {
    // A long journal that is read for half a minute keeps nobody from following another.
    if (document.visibilityState === "visible")
      for (const run of watched()) if (!run.isUpdating) void run.update();
    setTimeout(again, LOOK);
  };
  const list = async () => {
    if (document.visibilityState === "visible") await readList();
    setTimeout(list, LOOK_AT_LIST);
  };
  setTimeout(again, LOOK);
  setTimeout(list, LOOK_AT_LIST);
}
