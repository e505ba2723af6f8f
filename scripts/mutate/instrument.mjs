/** Sources with all their mutants in them, each behind a switch: Stryker's own instrumenter. */
import { readFileSync } from "node:fs";
import { Instrumenter } from "@stryker-mutator/instrumenter";

const quiet = { debug() {}, info() {}, isDebugEnabled: () => false };

/** @returns the instrumented sources by path, and the mutants */
export async function instrument(paths) {
  const files = paths.map((name) => ({
    name,
    mutate: true,
    content: readFileSync(name, "utf8"),
  }));
  // What prints for people changes no behaviour that matters.
  const options = { excludedMutations: ["StringLiteral"], ignorers: [], plugins: null };
  const { files: made, mutants } = await new Instrumenter(quiet).instrument(files, options);
  return {
    sources: Object.fromEntries(made.map(({ name, content }) => [name, content])),
    mutants: mutants.filter(({ status }) => status !== "Ignored"),
  };
}
