/**
 * Parses `CONNECTION: [id1] -> [id2] : [description]`, line by line. The format is that of Jido's
 * Graph of Thoughts.
 */

import * as shapes from "../../kernel/shapes.js";
import { checkArguments } from "../../kernel/vocabulary/index.js";

/** A relation as a model states it. */
export interface Connection {
  readonly from: string;
  readonly to: string;
  readonly description: string;
}

/** Longer lines are prose, and are not looked at. */
const MAX_LINE = 2_000;
const line = /CONNECTION\W{0,4}:\W{0,4}\[([^[\]]+)\]\s*(?:->|→|=>|-->)\s*\[([^[\]]+)\]\s*:(.*)$/i;

/** The connections in an answer. A line that is not of the format says nothing. */
export function parseConnections(text: string): readonly Connection[] {
  checkArguments("parseConnections", { text }, { text: shapes.TEXT });
  return text.split(/\r?\n/).flatMap((each) => {
    const match = each.length > MAX_LINE ? null : line.exec(each);
    const [, from = "", to = "", rest = ""] = match ?? [];
    const words = rest.trim();
    const description =
      words.startsWith("[") && words.endsWith("]") ? words.slice(1, -1).trim() : words;
    if (description === "") return [];
    return [{ from: from.trim(), to: to.trim(), description }];
  });
}
