/**
 * Hidden fields: data derived from a value and stored on the value itself, in a private field that
 * nobody can see, copy or forge. A WeakMap of all values of a long run would cost the garbage
 * collector more than the steps themselves; it is used only in engines that do not add private
 * fields to frozen objects.
 *
 * V8 optimises a field access per place in the source, and all fields made by one function share
 * it: so the few fields that are read all the time have classes of their own.
 */

/** A constructor that returns its argument, so that a subclass puts its private fields there. */
export class Itself {
  constructor(value: object) {
    // biome-ignore lint/correctness/noConstructorReturn: that is the point
    return value;
  }
}

/** One hidden field. */
export interface Hidden<T> {
  /** Returns the hidden part of a value. */
  get(value: object): T | undefined;
  /** Puts something on a value, frozen or not, that has nothing of it yet. */
  add(value: object, content: T): void;
}

/** One whose content may be replaced. */
export interface HiddenField<T> extends Hidden<T> {
  set(value: object, content: T): void;
}

/** Makes a hidden field. */
export function hiddenField<T>(): HiddenField<T> {
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

/** A hidden field that has a class of its own, a subclass of {@link Itself}. */
export function ownField<T>(field: Hidden<T>): Hidden<T> {
  return takesPrivateFields(field) ? field : new WeakField<T>();
}

class WeakField<T> extends WeakMap<object, T> implements HiddenField<T> {
  add(value: object, content: T): void {
    this.set(value, content);
  }
}

/** V8's `--js-nonextensible-applies-to-private` refuses private fields on what is frozen. */
function takesPrivateFields<T>(field: Hidden<T>): boolean {
  const frozen = Object.freeze({});
  const content = {} as T;
  try {
    field.add(frozen, content);
    return field.get(frozen) === content;
  } catch {
    return false;
  }
}
