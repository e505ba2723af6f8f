// The lock of a folder of PGlite: two that open it would overwrite each other's writes in silence.
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { thisProcess } from "../../../../../src/adapters/file-journal/owner.js";
import { openPglite } from "../../../../../src/decisions/stores/postgres/pglite.js";
import { temporaryFolder } from "../../../../support/duckdb.js";

/** A folder, and PGlite that only counts how often it is opened. */
function place() {
  const folder = join(temporaryFolder(), "graph");
  mkdirSync(folder);
  const opened: string[] = [];
  const client = { query: async () => ({ rows: [] }), close: async () => {} };
  const create = async (path: string) => {
    opened.push(path);
    return client;
  };
  const open = (path = folder) => openPglite(path, async () => ({ PGlite: { create } }));
  return { folder, opened, open, client };
}

it("is held until the store is closed, by whichever name the folder goes", async () => {
  const { folder, opened, open } = place();
  const first = await open();
  symlinkSync(folder, `${folder}-too`);
  for (const name of [folder, `${folder}-too`, `file://${folder}`, `${folder}/../graph/`]) {
    await expect(open(name)).rejects.toMatchObject({
      code: "store.locked",
      place: name,
      message: `${name} is locked by a writer of this process (${process.pid}): close that one first.`,
    });
  }
  expect(opened).toEqual([folder]);
  await first.close();
  expect(existsSync(`${folder}.lock`)).toBe(false);
  await (await open()).close();
});

it("of another process says whom to wait for, and of a dead one is taken over", async () => {
  const { folder, open } = place();
  const { started: _started, ...owner } = thisProcess("other");
  writeFileSync(`${folder}.lock`, JSON.stringify({ ...owner, pid: process.ppid }));
  await expect(open()).rejects.toMatchObject({
    code: "store.locked",
    message: `${folder} is locked by process ${process.ppid}: wait for it or end it; if that process does not write it, remove ${folder}.lock.`,
  });
  const dead = { ...owner, pid: 2 ** 22 + 1, host: hostname() };
  writeFileSync(`${folder}.lock`, JSON.stringify(dead));
  await (await open()).close();
});

it("is given back where PGlite cannot be opened or closed", async () => {
  const { folder, open, client } = place();
  const fails = async () => Promise.reject(new Error("no"));
  const failing = openPglite(folder, async () => ({ PGlite: { create: fails } }));
  await expect(failing).rejects.toThrow("no");
  const opened = await open();
  client.close = fails;
  await expect(opened.close()).rejects.toThrow("no");
  expect(existsSync(`${folder}.lock`)).toBe(false);
});

it("is not taken for what lies in memory", async () => {
  const { open, opened } = place();
  await open("memory://");
  await open("memory://");
  expect(opened).toEqual(["memory://", "memory://"]);
});
