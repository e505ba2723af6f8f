// Installs the servers, where they are not: `npm ci` in a package of their own.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const SERVERS = join(import.meta.dirname, "servers");

/** @returns the folder of the installed packages */
export function installed() {
  const modules = join(SERVERS, "node_modules");
  if (existsSync(join(modules, ".package-lock.json"))) return modules;
  const { status, stderr } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: SERVERS,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`npm ci in test/engines/servers failed: ${stderr}`);
  return modules;
}

/** @returns the path of the Restate server's binary; `undefined` where there is none for this machine */
export function restateBinary() {
  const { platform, arch } = process;
  const path = join(
    installed(),
    `@restatedev/restate-server-${platform}-${arch}/bin/restate-server`,
  );
  return existsSync(path) ? path : undefined;
}
