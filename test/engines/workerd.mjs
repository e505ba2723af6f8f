// Durable Objects in workerd, by miniflare: in a folder of their own, killed and started again. The Worker is made of
// what is built, as a user's bundler makes it.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { durableRuns } from "reckoner/durable-object";
import { installed } from "./install.mjs";

/** The Worker as one module. */
async function bundled() {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "durable-worker.ts")],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    // Nothing of Node's.
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker", "import"],
    external: ["cloudflare:workers"],
    tsconfigRaw: "{}",
    logLevel: "error",
  });
  return outputFiles[0].text;
}

export class Workerd {
  #options;
  #miniflare;
  #runs;

  constructor(options) {
    this.#options = options;
  }

  /** @param folder for what the objects store, which stays when they are killed */
  static async start(folder, bindings = {}) {
    const workerd = new Workerd({
      modules: true,
      script: await bundled(),
      compatibilityDate: "2026-04-01",
      durableObjects: { RUNS: { className: "Runs", useSQLite: true } },
      durableObjectsPersist: folder,
      bindings: { OUTSIDE: "", AT: 0, TURNS: 5, ...bindings },
    });
    await workerd.start();
    return workerd;
  }

  async start() {
    const require = createRequire(join(installed(), "x.js"));
    const { Miniflare } = require("miniflare");
    this.#miniflare = new Miniflare(this.#options);
    await this.#miniflare.ready;
    this.#runs = durableRuns(await this.#miniflare.getDurableObjectNamespace("RUNS"));
  }

  get runs() {
    return this.#runs;
  }

  /** Ends the process with SIGKILL: whatever it was doing is cut off. */
  async kill() {
    const { stdout } = spawnSync("pgrep", ["-P", String(process.pid), "workerd"], {
      encoding: "utf8",
    });
    for (const pid of stdout.split("\n").filter(Boolean)) process.kill(Number(pid), "SIGKILL");
    await this.stop();
  }

  async stop() {
    await this.#miniflare?.dispose().catch(() => {});
  }
}
