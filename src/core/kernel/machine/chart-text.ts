/**
 * The labels of a drawn chart: events, guards and actions by their names, and a generic word for an
 * unnamed closure. Every format of `pictures` uses them.
 */

/** A guard or an action as XState keeps it. */
export type Named =
  | string
  | { readonly type: string; readonly params?: unknown }
  | ((...args: never[]) => unknown);

/** A transition as XState resolves it. */
export interface ChartTransition {
  readonly eventType: string;
  /** Of a delayed one: milliseconds, or the name of a delay. */
  readonly delay?: number | string;
  readonly guard?: Named | undefined;
  readonly actions: readonly Named[];
  readonly reenter?: boolean;
}

/** Names that the language gives to closures by where they stand. */
const GIVEN = new Set([
  "",
  "guard",
  "params",
  "actions",
  "entry",
  "exit",
  "always",
  "change",
  "check",
]);

/** Returns the event of a transition in a person's words; nothing for an eventless one. */
export function eventText(type: string, delay?: number | string): string {
  if (delay !== undefined)
    return typeof delay === "number" ? `after ${delay} ms` : `after ${delay}`;
  if (type === "*") return "any event";
  if (type.startsWith("xstate.done.state.")) return "done";
  const [, how, who] = /^xstate\.(done|error|snapshot)\.actor\.(.+)$/.exec(type) ?? [];
  // XState numbers the actors that nobody has named.
  if (how !== undefined) return /^\d+\./.test(String(who)) ? how : `${how} ${who}`;
  return type;
}

/**
 * The texts of a state's transitions for one event, in the order in which they are tried:
 * `event [guard] / action, action`.
 */
export function transitionTexts(transitions: readonly ChartTransition[]): string[] {
  return conditionTexts(transitions).map((condition, i) => {
    const done = actionTexts((transitions[i] as ChartTransition).actions);
    if (done.length === 0) return condition;
    return `${condition}${condition === "" ? "" : " "}/ ${done.join(", ")}`;
  });
}

/** When a state's transitions for one event are taken, in the order in which they are tried: `event [guard]`. */
export function conditionTexts(transitions: readonly ChartTransition[]): string[] {
  const unnamed = transitions.filter(({ guard }) => guard !== undefined && guardText(guard) === "");
  return transitions.map((transition, i) => {
    const { eventType, delay, guard } = transition;
    const event = eventText(eventType, delay);
    const parts = event === "" ? [] : [event];
    if (guard !== undefined) {
      const number = unnamed.indexOf(transition) + 1;
      const fallback = unnamed.length > 1 ? `condition ${number}` : "condition";
      parts.push(`[${guardText(guard) || fallback}]`);
    } else if (i > 0 && transitions.slice(0, i).every((before) => before.guard !== undefined)) {
      parts.push("[else]");
    }
    return parts.join(" ");
  });
}

/** Returns the words for actions, each once: changes of the context, directives, and XState's own. */
export function actionTexts(actions: readonly Named[]): string[] {
  return [...new Set(actions.filter((action) => !isClockwork(action)).map(actionText))];
}

/** Returns true for the actions that XState adds to a state with `after`: the transition says it already. */
function isClockwork(action: Named): boolean {
  if (typeof action !== "function") return false;
  const { type, event, sendId } = action as {
    readonly type?: unknown;
    readonly event?: { readonly type?: unknown };
    readonly sendId?: unknown;
  };
  const what =
    type === "xstate.raise" ? event?.type : type === "xstate.cancel" ? sendId : undefined;
  return String(what).startsWith("xstate.after.");
}

/** A guard's name; combined ones as `a and not b`. Empty where it has none. */
export function guardText(guard: Named): string {
  if (typeof guard === "string") return guard;
  if (typeof guard === "object") return withParams(guard.type, guard.params);
  const { guards, stateValue } = guard as {
    readonly guards?: readonly Named[];
    readonly stateValue?: unknown;
  };
  if (stateValue !== undefined) return `in ${JSON.stringify(stateValue).replaceAll('"', "")}`;
  if (guards === undefined) return ownName(guard);
  const texts = guards.map((each) => {
    const text = guardText(each) || "condition";
    return / (?:and|or) /.test(text) ? `(${text})` : text;
  });
  return guard.name === "not" ? `not ${texts[0]}` : texts.join(` ${guard.name} `);
}

function actionText(action: Named): string {
  if (typeof action === "string") return action;
  if (typeof action === "object") {
    if (action.type !== "issue") return withParams(action.type, action.params);
    const types = directiveTypes(action.params);
    if (types !== "") return `issue ${types}`;
    const name = typeof action.params === "function" ? ownName(action.params as Named) : "";
    return name === "" ? "issue" : `issue ${name}`;
  }
  const type = (action as { readonly type?: unknown }).type;
  if (typeof type !== "string") return ownName(action) || "action";
  if (type === "xstate.assign") return assignText(action);
  const event = (action as { readonly event?: unknown }).event;
  const named = typeof event === "object" && event !== null && "type" in event ? event.type : event;
  const what = type.replace(/^xstate\./, "");
  return typeof named === "string" ? `${what} ${named}` : what;
}

/** An `assign` by its function's name, or by the fields that it sets. */
function assignText(action: Named): string {
  const { assignment } = action as { readonly assignment?: unknown };
  if (typeof assignment === "function") return ownName(assignment as Named) || "change";
  if (typeof assignment !== "object" || assignment === null) return "change";
  const fields = Object.keys(assignment);
  return fields.length === 0 ? "change" : `change ${fields.join(" and ")}`;
}

function directiveTypes(params: unknown): string {
  if (typeof params !== "object" || params === null) return "";
  const list: readonly unknown[] = Array.isArray(params) ? params : [params];
  const types = list.flatMap((one) =>
    typeof one === "object" && one !== null && "type" in one ? String(one.type) : [],
  );
  return [...new Set(types)].join(" and ");
}

function withParams(name: string, params: unknown): string {
  // A function has no text, as what is not there.
  const text = JSON.stringify(params) as string | undefined;
  return text === undefined || text === "{}" || text.length > 40 ? name : `${name} ${text}`;
}

/** A function's name where somebody gave it one. */
function ownName(named: Named): string {
  const name = typeof named === "function" ? named.name : "";
  return GIVEN.has(name) || /^(?:bound|get|set) |^xstate\./.test(name) ? "" : name;
}
