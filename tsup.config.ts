import { existsSync } from "node:fs";
import { defineConfig } from "tsup";

// The entry points of package.json. One that has no source yet is publint's to report.
const entries = [
  "index",
  "node",
  "adapters/ai-sdk/index",
  "adapters/file-journal/index",
  "testing/index",
  "cli/main",
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
  dts: { compilerOptions: { incremental: false } },
});
