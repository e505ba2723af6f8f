// What a script of bench/ is asked for on the command line. What it does not know it says in a line, and
// ends with 2, before it measures anything.
import { basename } from "node:path";
import { parseArgs } from "node:util";

/**
 * The flags that were given.
 * @param script the file at whose top stands what there is
 * @param options as `parseArgs` has them
 */
export function flagsOf(script, options) {
  try {
    return parseArgs({ options }).values;
  } catch (thrown) {
    return refuse(script, thrown.message.replace(/\.$/, ""));
  }
}

/** The whole numbers above 0 in a list such as `20,100`. */
export function countsOf(script, name, list) {
  return String(list)
    .split(",")
    .map((each) => {
      const number = /^\d+$/.test(each) ? Number(each) : 0;
      return number > 0
        ? number
        : refuse(script, `${name} takes whole numbers above 0, not ${each}`);
    });
}

/** The same of one number. */
export function countOf(script, name, text) {
  const counts = countsOf(script, name, text);
  return counts.length === 1 ? counts[0] : refuse(script, `${name} takes one number, not ${text}`);
}

/** The names in a list, all of which have to be known. */
export function namesOf(script, name, list, known) {
  const names = list.split(",");
  const unknown = names.filter((each) => !known.includes(each));
  if (unknown.length === 0) return names;
  return refuse(script, `${name} has no ${unknown.join(", ")}; there are ${known.join(", ")}`);
}

function refuse(script, why) {
  console.error(`${why}. What there is stands at the top of bench/${basename(script)}.`);
  process.exit(2);
}
