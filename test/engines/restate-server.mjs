// A Restate server in a folder of its own, on ports of this machine alone: started, killed, started again.
import { spawn } from "node:child_process";
import { mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { restateBinary } from "./install.mjs";
import { until } from "./until.mjs";

/** Ports that are free now. */
export async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise((resolve, reject) => {
          server.once("error", reject);
          server.listen(0, "127.0.0.1", () => resolve(server.address().port));
        }),
    ),
  );
  for (const server of servers) await new Promise((done) => server.close(done));
  return ports;
}

export class RestateServer {
  #folder;
  #ports;
  #child;

  constructor(folder, ports) {
    this.#folder = folder;
    this.#ports = ports;
  }

  /** @param folder for its data, which stay when it is killed */
  static async start(folder) {
    mkdirSync(folder, { recursive: true });
    const server = new RestateServer(folder, await freePorts(3));
    const [ingress, admin, node] = server.#ports;
    const config = `
node-name = "test"
base-dir = ${JSON.stringify(join(folder, "data"))}
listen-mode = "tcp"
bind-address = "127.0.0.1:${node}"
advertised-address = "http://127.0.0.1:${node}"
disable-telemetry = true
disable-prometheus = true
rocksdb-total-memory-size = "192 MiB"
default-num-partitions = 4
log-filter = "warn"
log-disable-ansi-codes = true
[ingress]
bind-address = "127.0.0.1:${ingress}"
[admin]
bind-address = "127.0.0.1:${admin}"
disable-web-ui = true
[worker.invoker]
abort-timeout = "1m"
[default-retry-policy]
initial-interval = "50ms"
max-interval = "500ms"
max-attempts = "unlimited"
`;
    writeFileSync(join(folder, "restate.toml"), config);
    await server.start();
    return server;
  }

  get ingress() {
    return `http://127.0.0.1:${this.#ports[0]}`;
  }

  get admin() {
    return `http://127.0.0.1:${this.#ports[1]}`;
  }

  /** Its output so far. */
  get log() {
    return readFileSync(join(this.#folder, "log.txt"), "utf8");
  }

  async start() {
    const log = openSync(join(this.#folder, "log.txt"), "a");
    const words = ["--no-logo", "--config-file", join(this.#folder, "restate.toml")];
    this.#child = spawn(restateBinary(), words, { stdio: ["ignore", log, log] });
    let ended = false;
    this.#child.once("exit", () => {
      ended = true;
    });
    const isUp = () => fetch(`${this.ingress}/restate/health`).then(({ ok }) => ok);
    await until(async () => ended || (await isUp()));
    if (ended) throw new Error(`the server ended: ${this.log.slice(-2_000)}`);
  }

  /** Registers a worker; newer ones of the same services get what begins from now on. */
  async register(uri) {
    const body = JSON.stringify({ uri, force: true });
    const headers = { "content-type": "application/json" };
    let refusal;
    await until(async () => {
      const response = await fetch(`${this.admin}/deployments`, { method: "POST", headers, body });
      if (response.ok) return true;
      const text = await response.text();
      if (!/connect|timeout|unavailable/i.test(text)) refusal = text;
      return refusal !== undefined;
    });
    if (refusal !== undefined) throw new Error(refusal);
  }

  /** Asks the server's own tables; for a while after it was killed they are not there. */
  async query(sql) {
    let rows;
    await until(async () => {
      const response = await fetch(`${this.admin}/query`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({ query: sql }),
      });
      if (!response.ok) throw new Error(await response.text());
      ({ rows } = await response.json());
      return true;
    }, 3_000);
    return rows;
  }

  kill() {
    return new Promise((resolve) => {
      this.#child.once("exit", resolve);
      this.#child.kill("SIGKILL");
    });
  }
}
