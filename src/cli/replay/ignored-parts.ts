/**
 * Parses `--ignore`: which parts of a run may differ. Unknown names are refused, since a misspelt
 * one would ignore nothing.
 */
import type { Directive } from "../../core/kernel/vocabulary/index.js";
import { usageError } from "../terminal/failure.js";

type PartOf<Each> = Each extends unknown ? Exclude<keyof Each, "type" | "id"> : never;

/** Parts of directives; which of them is whose does not matter here. */
const parts: Readonly<Record<PartOf<Directive>, true>> = {
  system: true,
  messages: true,
  tools: true,
  toolChoice: true,
  responseFormat: true,
  settings: true,
  model: true,
  name: true,
  input: true,
  store: true,
  query: true,
  operations: true,
  title: true,
  subject: true,
  of: true,
  ask: true,
  toolCallId: true,
  until: true,
  deadline: true,
  reasoner: true,
  budget: true,
  topic: true,
  data: true,
  target: true,
};
/** The beginnings of paths of differences; the rest of a path is the run's own. */
const places = ["context", "value", "directives", "end", "ignored", "state", "upgrade"];

/**
 * The words of a list such as `system,context.deps.now`.
 * @throws ReckonerError `cli.usage` for one that names nothing
 */
export function ignoredParts(list: string): readonly string[] {
  const words = list.split(",").flatMap((each) => each.trim() || []);
  if (words.length === 0) throw usageError("--ignore is empty; write --ignore system,tools.");
  const names = [...Object.keys(parts), ...places];
  const wrong = words.find((each) => {
    const [first = ""] = each.split(".");
    return !(each === first ? names : places).includes(first);
  });
  if (wrong === undefined) return words;
  throw usageError(
    `--ignore ${wrong} is not a part of a request, nor a path such as context.deps.now; ${names.join(", ")} are.`,
  );
}
