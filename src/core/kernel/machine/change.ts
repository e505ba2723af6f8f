/**
 * `change`: an `assign` written on a draft, with immer. A List, Table or Vector in a draft can only
 * be replaced whole (`draft.notes = append(draft.notes, note)`).
 */
import { Immer, isDraft, original } from "immer";
import { assign, type MachineContext } from "xstate";
import { collectionKey } from "../values/json.js";
import type { List } from "../values/list.js";
import type { Table } from "../values/table.js";
import type { Vector } from "../values/vector.js";
import { answered } from "./answered.js";

/** A context, or a part of one, that may be changed. Collections of the kernel's are values in it. */
export type Draft<T> = T extends List<unknown> | Table<unknown> | Vector<unknown>
  ? T
  : T extends readonly unknown[] | object
    ? { -readonly [K in keyof T]: Draft<T[K]> }
    : T;

/** A named or inline change of the context: what it returns becomes a part of the context. */
export type Assigner<Context, Event, Params = never> = (
  args: { readonly context: Context; readonly event: Event },
  params: Params,
) => Partial<Context>;

/**
 * A change of the context, written on a draft.
 * @param recipe changes the draft; what it returns is of no account, and it is not asynchronous
 * @example
 * on: { rated: { actions: change((draft, event) => { draft.rating.stars = event.stars; }) } }
 */
export function change<Context extends MachineContext, Event, Params = never>(
  recipe: (draft: Draft<Context>, event: Event, params: Params) => void,
): Assigner<Context, Event, Params> {
  const assigner = (
    { context, event }: { context: MachineContext; event: unknown },
    params: unknown,
  ) =>
    changed(context, (draft) =>
      answered(recipe(draft as Draft<Context>, event as Event, params as Params), "change"),
    );
  return assign(assigner) as unknown as Assigner<Context, Event, Params>;
}

const immer = /* @__PURE__ */ new Immer();
const NOTHING: object = Object.freeze({});

function changed(context: MachineContext, recipe: (draft: object) => unknown): MachineContext {
  let next = context;
  // Within another change immer freezes nothing, as the border will: what is new may be somebody else's. With
  // `autoFreeze: false` it would leave drafts in what was moved to several places.
  immer.produce(NOTHING, () => {
    next = immer.produce(context, (draft: object) => {
      recipe(viewOf(draft, new WeakMap()));
    });
  });
  // `assign` adds and replaces; undefined properties are dropped by the validation.
  const gone = Object.keys(context).filter((key) => !Object.hasOwn(next, key));
  return gone.length === 0 ? next : { ...next, ...Object.fromEntries(gone.map((key) => [key])) };
}

/** A draft of immer's in which collections are values, as they were before the change. */
function viewOf(draft: object, views: WeakMap<object, object>): object {
  const found = views.get(draft);
  if (found !== undefined) return found;
  const view = new Proxy(draft, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (!isDraft(value)) return value;
      const before = original(value) as object;
      return collectionKey(before) === undefined ? viewOf(value as object, views) : before;
    },
    set: (target, key, value) => Reflect.set(target, key, value),
  });
  views.set(draft, view);
  return view;
}
