import { existsSync, readFileSync } from "node:fs";
import { defineConfig, type Options } from "tsup";
// @ts-expect-error a plain script, so that it runs without a build
import { addThirdParty, INLINED, vendored } from "./scripts/third-party.mjs";

// The entry points and commands of package.json: what it names is built. One that has no source yet
// is publint's to report.
const { exports, bin } = JSON.parse(readFileSync("package.json", "utf8")) as {
  exports: Record<string, string | Record<string, string>>;
  bin: Record<string, string>;
};
const built = [...Object.values(exports), bin].flatMap((target) =>
  typeof target === "string" ? [target] : Object.values(target),
);
const entries = [
  // Workers are files of their own, which nothing imports.
  "cli/replay-worker",
  ...new Set(built.flatMap((path) => /^(?:\.\/)?dist\/(.+)\.js$/.exec(path)?.[1] ?? [])),
].filter((name) => existsSync(`src/${name}.ts`));

// What node.ts and its like install must stay in their own files, which package.json says have side
// effects. Were the command bundled with one, both would share a chunk, and a user's bundler would
// drop from that chunk what looks unused. So the command asks for the package by its name.
const nodeByName: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "node-by-name",
  setup(build) {
    build.onResolve({ filter: /\/node(?:-[\w-]+)?\.js$/ }, ({ importer, path }) => {
      if (!/[\\/]src[\\/]cli[\\/]/.test(importer)) return undefined;
      const entry = /\/node-([\w-]+)\.js$/.exec(path)?.[1];
      return { path: entry === undefined ? "reckoner" : `reckoner/${entry}`, external: true };
    });
  },
};

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
  esbuildPlugins: [nodeByName, vendored],
  onSuccess: addThirdParty,
  dts: true,
});
