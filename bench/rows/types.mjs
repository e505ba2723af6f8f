// `tsc` of a user's project that imports every entry, against one that imports xstate alone.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { figure, inTurns, ratios, seconds } from "../figure.mjs";

const ROOT = join(import.meta.dirname, "../..");
const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const TSC = createRequire(import.meta.url).resolve("typescript/bin/tsc");

export async function measure({ rounds }) {
  const entries = Object.entries(exports)
    .filter(([, target]) => target.types !== undefined)
    .map(([path]) => path.replace(/^\./, "reckoner"));
  const missing = Object.values(exports).some(
    ({ types }) => types !== undefined && !existsSync(join(ROOT, types)),
  );
  if (missing) {
    const { status } = spawnSync("npm", ["run", "-s", "build"], {
      cwd: ROOT,
      stdio: ["ignore", "ignore", 2],
    });
    if (status !== 0) throw new Error("The build failed: `npm run build` says more.");
  }
  const folder = mkdtempSync(join(ROOT, "node_modules/.bench-types-"));
  try {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(ROOT, join(folder, "node_modules/reckoner"));
    const project = (name, imports) => {
      const text = imports.map(
        (from, i) =>
          `import * as m${i} from "${from}";\nexport const k${i}: keyof typeof m${i} | undefined = undefined;`,
      );
      writeFileSync(join(folder, `${name}.ts`), text.join("\n"));
      return async () => {
        const took = await seconds(() => {
          const words = [
            "--noEmit",
            "--strict",
            "--skipLibCheck",
            "--target",
            "es2022",
            "--module",
            "nodenext",
            `${name}.ts`,
          ];
          const { status, stdout } = spawnSync(process.execPath, [TSC, ...words], { cwd: folder });
          if (status !== 0) throw new Error(String(stdout));
        });
        return took;
      };
    };
    const works = [project("all", entries), project("xstate", ["xstate"])];
    await inTurns(1, works);
    const [all, alone] = await inTurns(Math.min(rounds, 3), works);
    return [
      figure(
        "tsc",
        "tsc of a project with every entry, against one with xstate",
        ratios(all, alone),
        {
          aim: { atMost: 1.5 },
          kept: true,
        },
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
