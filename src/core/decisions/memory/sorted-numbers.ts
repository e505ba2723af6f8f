/** Sorted numbers that mostly arrive in order: sorted again only if one did not. */

/** See the banner. */
export class SortedNumbers {
  readonly #compare: (a: number, b: number) => number;
  readonly #numbers: number[] = [];
  #sorted = true;

  constructor(compare: (a: number, b: number) => number) {
    this.#compare = compare;
  }

  add(number: number): void {
    const last = this.#numbers.at(-1);
    if (last !== undefined && this.#compare(last, number) > 0) this.#sorted = false;
    this.#numbers.push(number);
  }

  /** All of them, in order. Valid until the next is added. */
  all(): readonly number[] {
    if (!this.#sorted) {
      // What is sorted but for its end takes little more than one pass.
      this.#numbers.sort(this.#compare);
      this.#sorted = true;
    }
    return this.#numbers;
  }
}
