// Builds the studio's page: one script and one style in dist/studio, which `reckoner studio` serves or writes into
// a file.
//
//   node scripts/studio.mjs            builds, and says how large it is
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SOURCE = join(ROOT, "src/studio/view");

/** Packages of others that are in the page's script. */
export const IN_PAGE = ["preact", "@preact/signals"];

/** Builds the page into a folder. @param folder default dist/studio */
export async function buildStudio(folder = join(ROOT, "dist/studio")) {
  const { build } = await import("vite");
  await build({
    root: SOURCE,
    configFile: false,
    logLevel: "warn",
    resolve: { alias: { "#platform": join(ROOT, "src/platform/portable.ts") } },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: "es2022",
      cssCodeSplit: false,
      modulePreload: false,
      chunkSizeWarningLimit: 2_000,
      rollupOptions: {
        input: join(SOURCE, "main.tsx"),
        output: {
          entryFileNames: "studio.js",
          assetFileNames: "studio.[ext]",
          codeSplitting: false,
        },
      },
    },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildStudio();
  const bytes = gzipSync(readFileSync(join(ROOT, "dist/studio/studio.js"))).length;
  console.log(`dist/studio/studio.js: ${(bytes / 1024).toFixed(1)} KiB compressed`);
}
