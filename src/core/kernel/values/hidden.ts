/**
 * Hidden fields: what is derived from a value, kept on the value itself where nobody can see, copy or
 * forge it. A WeakMap of all values of a long run would cost the garbage collector more than the
 * steps cost, so it is used only by engines that let no private field be added to a frozen object.
 */

/** A constructor that returns its argument, so that a subclass puts its private fields there. */
class Itself {
  constructor(value: object) {
    // biome-ignore lint/correctness/noConstructorReturn: that is the point
    return value;
  }
}

/** One hidden field. */
export interface Hidden<T> {
  /** What rides on a value. */
  get(value: object): T | undefined;
  /** Puts something on a value, frozen or not. */
  set(value: object, content: T): void;
  /** The same, on a value that has nothing of it yet. */
  add(value: object, content: T): void;
}

/** Makes a hidden field. */
export function hiddenField<T>(): Hidden<T> {
  class Field extends Itself {
    #content: T;
    constructor(value: object, content: T) {
      super(value);
      this.#content = content;
    }
    static get(value: object): T | undefined {
      return #content in value ? value.#content : undefined;
    }
    static set(value: object, content: T): void {
      if (#content in value) value.#content = content;
      else new Field(value, content);
    }
    static add(value: object, content: T): void {
      new Field(value, content);
    }
  }
  return takesPrivateFields(Field) ? Field : new WeakField<T>();
}

class WeakField<T> extends WeakMap<object, T> implements Hidden<T> {
  add(value: object, content: T): void {
    this.set(value, content);
  }
}

/** V8's `--js-nonextensible-applies-to-private` refuses private fields on what is frozen. */
function takesPrivateFields(field: Pick<Hidden<never>, "set">): boolean {
  const frozen = Object.freeze({});
  try {
    field.set(frozen, undefined as never);
    return true;
  } catch {
    return false;
  }
}
