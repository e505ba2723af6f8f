/** Collects the reasons why a machine is refused, so that all are reported at once. */
import { type Detail, ReckonerError } from "../values/errors.js";

/** Gathers what a machine has and a reasoner cannot have. */
export class Refusals {
  readonly #found: Detail[] = [];

  /**
   * @param place `machine.states.asking.entry[0]`
   * @param message what is wrong, and how to write it instead
   */
  add(place: string, message: string): void {
    this.#found.push({ place, message });
  }

  /** @throws ReckonerError with everything that was found, where something was */
  throwAny(code: "machine.unsupported" | "machine.invalid"): void {
    const [first] = this.#found;
    if (first === undefined) return;
    const lines = this.#found.map(({ place, message }) => `${place}: ${message}.`);
    const text =
      lines.length === 1
        ? (lines[0] as string)
        : `The machine cannot be a reasoner's for ${lines.length} reasons: ${lines.map((line, i) => `(${i + 1}) ${line}`).join(" ")}`;
    throw new ReckonerError(code, text, { place: first.place, details: this.#found });
  }
}
