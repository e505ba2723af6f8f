/**
 * Prints a case for `--input @case.json`: `npx jiti examples/thoughts/case.ts sorting 32 --row 3`, or
 * `--seed anything` for one that nobody has seen.
 */
import { parseArgs } from "node:util";
import { caseOf } from "./cases.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { row: { type: "string" }, seed: { type: "string", default: "1" } },
});
const [task = "sorting", size = "32"] = positionals;
const row = values.row === undefined ? undefined : Number(values.row);
console.log(JSON.stringify(caseOf(task, Number(size), row, values.seed)));
