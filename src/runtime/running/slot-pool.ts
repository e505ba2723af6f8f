/** The concurrency slots that a run and all its children share, first come, first served. */

/** A run that takes slots. */
export interface SlotUser {
  /** How many it has taken, and how many more it wants. */
  readonly slots: { readonly taken: number; readonly wanted: number };
  /** So many slots are free for it: it takes what it wants. */
  grant(free: number): void;
}

/** The pool's account of a user. */
interface Account {
  taken: number;
  wanted: number;
  /** How many of its places in the queue, the first ones, are void. */
  void: number;
}

/** A number of slots. */
export class SlotPool {
  #free: number;
  readonly #accounts = new Map<SlotUser, Account>();
  /** The users that wait, once for each slot that they want. */
  #queue: SlotUser[] = [];
  #served = 0;
  #wanted = 0;
  #handing = false;

  /** @param count at least one, and whole */
  constructor(count: number) {
    this.#free = Math.max(1, Math.floor(count) || 1);
  }

  /** How many slots are free, and how many more are wanted. */
  get left(): { readonly free: number; readonly wanted: number } {
    return { free: this.#free, wanted: this.#wanted };
  }

  /** How many further slots a user may take; below 0 where what it gives up is for others. */
  freeFor(user: SlotUser): number {
    return this.#free - (this.#wanted - this.#accountOf(user).wanted);
  }

  /** Counts what a user has taken and given up, and lets the others take what is free. */
  settle(user: SlotUser): void {
    const { taken, wanted } = user.slots;
    const account = this.#accountOf(user);
    this.#free -= taken - account.taken;
    account.taken = taken;
    this.#want(user, account, wanted);
    this.#hand();
  }

  /** A user is over. */
  leave(user: SlotUser): void {
    const account = this.#accountOf(user);
    this.#free += account.taken;
    account.taken = 0;
    this.#want(user, account, 0);
    this.#hand();
    this.#queue = this.#queue.slice(this.#served).filter((each) => each !== user);
    this.#served = 0;
    this.#accounts.delete(user);
  }

  #want(user: SlotUser, account: Account, wanted: number): void {
    for (let i = account.wanted; i < wanted; i++) this.#queue.push(user);
    // The slot was for whichever of its effects waited longest.
    if (wanted < account.wanted) account.void += account.wanted - wanted;
    this.#wanted += wanted - account.wanted;
    account.wanted = wanted;
  }

  #accountOf(user: SlotUser): Account {
    const known = this.#accounts.get(user);
    if (known !== undefined) return known;
    const account = { taken: 0, wanted: 0, void: 0 };
    this.#accounts.set(user, account);
    return account;
  }

  #hand(): void {
    if (this.#handing) return;
    this.#handing = true;
    const passed = new Set<SlotUser>();
    while (this.#free > 0) {
      const first = this.#first(passed);
      if (first === undefined) break;
      const before = this.#free;
      first.grant(1);
      // A user that does not take its slot keeps nobody behind it waiting.
      if (this.#free === before) passed.add(first);
    }
    this.#handing = false;
  }

  #first(passed: ReadonlySet<SlotUser>): SlotUser | undefined {
    while (this.#served < this.#queue.length) {
      const first = this.#queue[this.#served] as SlotUser;
      const account = this.#accountOf(first);
      if (account.void === 0) break;
      account.void -= 1;
      this.#served += 1;
    }
    if (this.#served * 2 > this.#queue.length) {
      this.#queue = this.#queue.slice(this.#served);
      this.#served = 0;
    }
    if (passed.size === 0) return this.#queue[this.#served];
    return this.#queue.slice(this.#served).find((each) => {
      return !passed.has(each) && this.#accountOf(each).wanted > 0;
    });
  }
}
