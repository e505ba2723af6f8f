// The platforms on which the desk answers, each at an address of this machine until it is stopped.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { build } from "esbuild";
import { Hono } from "hono";
import { deskHost } from "./fetch-desk.mjs";
import { installed } from "./install.mjs";

/** A process that runs the server's file and prints its address. */
async function ran(command, ...args) {
  const file = join(import.meta.dirname, "fetch-server.mjs");
  const child = spawn(join(installed(), ".bin", command), [...args, file], {
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  const exited = new Promise((done) => child.once("exit", done));
  const url = await new Promise((resolve, reject) => {
    let said = "";
    const hear = (text) => {
      said += text;
      const found = /http:\S+(?=\/)/.exec(said)?.[0];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    void exited.then(() => reject(new Error(`${command} ended: ${said}`)));
  });
  const stop = () => {
    child.kill("SIGKILL");
    return exited;
  };
  return { url, stop };
}

/** Hono on Node's own server. */
async function hono() {
  const runs = deskHost();
  const app = new Hono();
  app.get("/", (c) => c.text("The desk"));
  app.all("/api/*", (c) => runs.fetch(c.req.raw));
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  await new Promise((done) => server.once("listening", done));
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    await runs.drain();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, stop };
}

/** Node's own server, by the host. */
async function node() {
  const runs = deskHost();
  const { url, close } = await runs.listen();
  const stop = async () => {
    await close();
    await runs.drain();
  };
  return { url, stop };
}

/** A Worker in workerd. @param where the runs are: in one object, or in an object each */
async function worker(where) {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "fetch-worker.mjs")],
    ...{ bundle: true, write: false, format: "esm", target: "es2022", logLevel: "error" },
    // Nothing of Node's.
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker", "import"],
    external: ["cloudflare:workers"],
    tsconfigRaw: "{}",
  });
  const { Miniflare } = createRequire(join(installed(), "x.js"))("miniflare");
  const miniflare = new Miniflare({
    modules: true,
    script: outputFiles[0].text,
    compatibilityDate: "2026-04-01",
    durableObjects: {
      DESK: { className: "Desk", useSQLite: true },
      RUNS: { className: "Run", useSQLite: true },
    },
    bindings: { WHERE: where },
  });
  const url = (await miniflare.ready).origin;
  return { url, stop: () => miniflare.dispose() };
}

export const platforms = {
  "Node's own server": node,
  "Hono on Node": hono,
  Bun: () => ran("bun"),
  Deno: () => ran("deno", "run", "--allow-net", "--allow-env", "--allow-read"),
  "Workers, in one object": () => worker("one object"),
  "Workers, in an object each": () => worker("an object each"),
};
