import { existsSync, readFileSync } from "node:fs";
import { defineConfig } from "tsup";
// @ts-expect-error a plain script, so that it runs without a build
import { buildStudio } from "./scripts/studio.mjs";
// @ts-expect-error a plain script, so that it runs without a build
import { addThirdParty, INLINED, vendored } from "./scripts/third-party.mjs";

// The entry points, platforms and commands of package.json: what it names is built. One that has no
// source yet is publint's to report.
const { exports, imports, bin } = JSON.parse(readFileSync("package.json", "utf8")) as {
  exports: Record<string, string | Record<string, string>>;
  imports: Record<string, string | Record<string, string>>;
  bin: Record<string, string>;
};
const built = [...Object.values(exports), ...Object.values(imports), bin].flatMap((target) =>
  typeof target === "string" ? [target] : Object.values(target),
);
const entries = [
  // Workers are files of their own, which nothing imports.
  "cli/replay/replay-worker",
  ...new Set(built.flatMap((path) => /^(?:\.\/)?dist\/(.+)\.js$/.exec(path)?.[1] ?? [])),
].filter((name) => existsSync(`src/${name}.ts`));

export default defineConfig({
  entry: Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
  tsconfig: "tsconfig.src.json",
  format: "esm",
  target: "es2022",
  platform: "node",
  // The entry points share one copy of every module: what one installs, the others see.
  splitting: true,
  sourcemap: true,
  clean: true,
  // As they are written: bundlers tell Node's modules from packages by the prefix.
  removeNodeProtocol: false,
  noExternal: INLINED,
  // Package.json chooses it, where the package is used.
  external: ["#platform"],
  esbuildPlugins: [vendored],
  async onSuccess() {
    await addThirdParty();
    await buildStudio();
  },
  dts: true,
});
