// A user's program compiles under the options that users have: plain strict, and the strictest.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { COMPILERS, type Compiler, tsc } from "../support/tsc.js";

const ROOT = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(ROOT, "node_modules/.consumer-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = readFileSync(join(ROOT, "test/fixtures/consumer/program.ts"), "utf8");

/** Where the program has a mistake, each a property that is not there. */
const mistakes: readonly (readonly [right: string, wrong: string])[] = [
  ["amount.toFixed(2)", "amount.trim()"],
  ["text: text.trim()", "text: text.toFixed()"],
  ["key.toLowerCase()", "key.toFixed()"],
  ["title.trim()", "title.toFixed()"],
  ["length.toFixed()", "length.trim()"],
  ["event.finishReason", "event.finished"],
  ["observation.attempt.toFixed()", "observation.attempts"],
  ["amount > deps.limit", "amount > deps.limits"],
];

/** What a compiler says of the program and of the mistaken ones, by file. */
function complaints(compiler: Compiler, options: object): Record<string, readonly string[]> {
  const files = { "program.ts": program, ...mistaken };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const compilerOptions = {
    target: "ES2022",
    lib: ["ES2023"],
    module: "NodeNext",
    moduleResolution: "NodeNext",
    types: ["node"],
    typeRoots: [join(ROOT, "node_modules/@types")],
    skipLibCheck: true,
    noEmit: true,
    strict: true,
    paths: {
      reckoner: [join(ROOT, "dist/index.d.ts")],
      "reckoner/*": [join(ROOT, "dist/*.d.ts")],
    },
    ...options,
  };
  const named = Object.keys(files);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: named }));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const told = tsc(compiler, folder, "-p", ".");
  return Object.fromEntries(
    named.map((name) => [name, told.filter((line) => line.includes(`${name}(`))]),
  );
}

const mistaken = Object.fromEntries(
  mistakes.map(([right, wrong], i) => [`mistake-${i}.ts`, program.replace(right, wrong)]),
);

const strictness: readonly (readonly [name: string, options: object])[] = [
  ["plain strict", {}],
  [
    "the strictest options",
    {
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noPropertyAccessFromIndexSignature: true,
      noImplicitReturns: true,
      noUnusedLocals: true,
      noUnusedParameters: true,
      verbatimModuleSyntax: true,
    },
  ],
];

describe.each(COMPILERS)("TypeScript %s", (compiler) => {
  it.each(strictness)("compiles under %s, and a mistake does not", (_name, options) => {
    const { "program.ts": right, ...wrong } = complaints(compiler, options);
    expect(right).toEqual([]);
    for (const [i, [, text]] of mistakes.entries()) {
      expect(wrong[`mistake-${i}.ts`]?.join("\n"), text).toMatch(/error TS(?:2339|2551)/);
    }
  });
});
