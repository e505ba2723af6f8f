// What the entries cost to load and to bundle: import time over bare Node, and their sizes.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { figure, inTurns } from "../figure.mjs";
import { entrySizes } from "../sizes.mjs";

const ROOT = join(import.meta.dirname, "../..");

/** Prints the processor time of the main thread; elsewhere than on Linux it is the whole process's. */
const TELL = `process.on("exit", () => {
  const fs = process.getBuiltinModule("node:fs");
  let ms;
  try {
    ms = Number(fs.readFileSync("/proc/self/task/" + process.pid + "/schedstat", "utf8").split(" ")[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    ms = (user + system) / 1e3;
  }
  fs.writeSync(1, String(ms));
});\n`;

/** Milliseconds of the main thread of a process that runs so much code: what others do is left out. */
function spent(code) {
  const words = ["--input-type=module", "-e", TELL + code];
  const { status, stdout } = spawnSync(process.execPath, words, {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", 2],
  });
  if (status !== 0) throw new Error("The process failed.");
  return Number(stdout);
}

export async function measure({ rounds }) {
  const loaded = (path) => () => spent(`await import("./${path}")`);
  const works = [
    loaded("dist/index.js"),
    () => spent(""),
    loaded("bench/first/reckoner.mjs"),
    loaded("bench/first/ai-sdk-7.mjs"),
  ];
  await inTurns(1, works);
  const [withRoot, bare, first, firstOfAiSdk] = await inTurns(rounds * 2, works);
  const sizes = await entrySizes();
  return [
    figure(
      "import",
      "ms to import the root, over bare Node",
      withRoot.map((ms, i) => ms - bare[i]),
      {
        aim: { atMost: 60 },
      },
    ),
    figure(
      "import.ratio",
      "Node with the root against bare Node",
      withRoot.map((ms, i) => ms / bare[i]),
      { kept: true },
    ),
    figure(
      "first.ai-sdk-7",
      "import, define and first 20 turns against the AI SDK 7's, over bare Node",
      first.map((ms, i) => (ms - bare[i]) / (firstOfAiSdk[i] - bare[i])),
      { aim: { atMost: 1 } },
    ),
    ...sizes.map(({ entry, withPackages, own }) =>
      figure(
        `size.${entry}`,
        `kB of ${entry} with its packages, minified and compressed (own ${(own.gzip / 1000).toFixed(1)})`,
        [withPackages.gzip / 1000],
        {
          ...(entry === "reckoner" ? { aim: { atMost: 85 } } : {}),
          kept: true,
        },
      ),
    ),
  ];
}
