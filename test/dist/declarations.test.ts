// What is published declares its types well, for each TypeScript that users have.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMPILERS, tsc } from "../support/tsc.js";

const ROOT = join(import.meta.dirname, "../..");
const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly exports: { readonly [entry: string]: string | { readonly types: string } };
};
const types = Object.entries(exports).flatMap(([entry, target]) =>
  typeof target === "string" ? [] : [[entry.replace(/^\./, "reckoner"), target.types] as const],
);

it.each(types)("%s declares as values what its module exports", async (_entry, file) => {
  const text = readFileSync(join(ROOT, file), "utf8");
  const names = [...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list]) =>
    (list as string).split(",").map((name) => name.trim()),
  );
  const values = names.filter((name) => name !== "" && !name.startsWith("type "));
  const module = (await import(join(ROOT, file.replace(/\.d\.ts$/, ".js")))) as object;
  expect(values.map((name) => name.split(" as ").at(-1)).sort()).toEqual(
    Object.keys(module).sort(),
  );
});

describe.each(COMPILERS)("TypeScript %s", (compiler) => {
  it("finds nothing in the declarations, where libraries are checked", () => {
    const options =
      "--ignoreConfig --noEmit --strict --target es2023 --lib es2023,dom --module nodenext --types node";
    const files = types.map(([, file]) => file);
    const words = options.split(" ").slice(compiler === "5.9" ? 1 : 0);
    const said = tsc(compiler, ROOT, ...words, ...files);
    // What a dependency's own declarations lack is not ours to mend.
    expect(said.filter((line) => !/^(?:node_modules| )/.test(line))).toEqual([]);
  });

  it("sees the types that the type tests pin", () => {
    const tsconfig = join(ROOT, `test/types/tsconfig.dist-${compiler}.json`);
    const paths = Object.fromEntries(types.map(([entry, file]) => [entry, [`../../${file}`]]));
    const compilerOptions = { paths };
    writeFileSync(
      tsconfig,
      JSON.stringify({ extends: "../../tsconfig.types.json", compilerOptions, include: ["*.ts"] }),
    );
    try {
      expect(tsc(compiler, ROOT, "-p", tsconfig)).toEqual([]);
    } finally {
      rmSync(tsconfig);
    }
  });
});
