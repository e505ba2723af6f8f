/**
 * Runs each test as it is, and then once more for each mutant that it has passed and that is still
 * alive: modules are loaded once, and what is killed costs nothing any more. What happens is written
 * to a log line by line, so that a mutant that never comes back can be told.
 */
import fs, { appendFileSync, readdirSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { type RunnerTestSuite as Suite, type RunnerTestCase as Test, TestRunner } from "vitest";

interface Switch {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: {
    readonly perTest: Record<string, Record<string, number>>;
    readonly static: Record<string, number>;
  };
}

const LOG = process.env.MUTATE_LOG as string;
const done = new Set((process.env.MUTATE_DONE ?? "").split(","));
const loaded = new Set<string>();
const lived = new Map<string, number>();
/** How much longer everything may take: what survived before is worth it. */
const PATIENCE = Number(process.env.MUTATE_PATIENCE ?? 1);
/** A test is tried with mutants for so long; what it has no time for is left to others. */
const BUDGET_MS = 10_000 * PATIENCE;
/** A mutant is tried for so long. One that outlives it has survived, though other tests are left. */
const LIFE_MS = 5_000 * PATIENCE;
/** A test that takes so long is not tried with mutants. */
const SLOW_MS = 3_000 * PATIENCE;
/** A mutant under which a test takes so much longer, and twenty times as long, is dead. */
const PATIENCE_MS = 2_000;

const space = globalThis as { __stryker__?: Switch };
space.__stryker__ ??= {};
const mutation: Switch = space.__stryker__;

function log(...words: (string | number)[]): void {
  appendFileSync(LOG, `${words.join(" ")}\n`);
}

/** The folders that tests have made, and what stood in each before the present test. */
const folders = new Set<string>();
const found = new Map<string, ReadonlySet<string>>();
/** Whether the present test is to find them so each time: files of one name are made once. */
let clears = false;
const make = fs.mkdtempSync as (...given: unknown[]) => string;
fs.mkdtempSync = ((...given: unknown[]) => {
  const folder = make(...given);
  folders.add(folder);
  return folder;
}) as typeof fs.mkdtempSync;
syncBuiltinESMExports();

function noteFolders(): void {
  clears = false;
  found.clear();
  for (const folder of folders) {
    if (!fs.existsSync(folder)) folders.delete(folder);
    else found.set(folder, new Set(readdirSync(folder)));
  }
}

function clearFolders(): void {
  for (const folder of folders) {
    if (!fs.existsSync(folder)) continue;
    for (const name of readdirSync(folder)) {
      if (found.get(folder)?.has(name) !== true) rmSync(join(folder, name), { recursive: true });
    }
  }
}

/** Where the runner keeps what a test has left for its end. */
interface Finished {
  onFinished?: ((context: Test["context"]) => unknown)[];
}

/** Does what a test has left for its end (`onTestFinished`): it ends many times. */
async function finish(test: Test & Finished): Promise<void> {
  const { onFinished = [] } = test;
  delete test.onFinished;
  for (const each of onFinished.reverse()) await each(test.context);
}

/** Takes a test once more, with what stands before and behind it. */
async function again(test: Test): Promise<void> {
  const suites: Suite[] = [];
  for (let at: Suite | undefined = test.suite ?? test.file; at !== undefined; at = at.suite) {
    suites.unshift(at);
  }
  if (suites[0] !== test.file) suites.unshift(test.file);
  const behind: (() => unknown)[] = [];
  // What is passed here says nothing of what is passed where a module is loaded.
  mutation.currentTestId = "again";
  if (clears) clearFolders();
  try {
    for (const suite of suites) {
      const hooks = TestRunner.getSuiteHooks(suite);
      for (const hook of hooks.afterEach) behind.unshift(() => hook(test.context, suite));
      for (const hook of hooks.beforeEach) {
        const cleanup: unknown = await hook(test.context, suite);
        if (typeof cleanup === "function") behind.unshift(() => cleanup());
      }
    }
    await TestRunner.getTestFn(test)();
  } finally {
    for (const each of behind) await each();
    await finish(test);
    mutation.currentTestId = undefined;
  }
}

/** Whether a test fails. */
async function fails(test: Test, patience: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("late")), patience);
  });
  try {
    await Promise.race([again(test), late]);
    return false;
  } catch {
    return true;
  } finally {
    clearTimeout(timer);
  }
}

/** Which mutants a test passes, and how often. */
async function passedBy(test: Test): Promise<readonly [id: string, hits: number][]> {
  mutation.currentTestId = test.id;
  try {
    await TestRunner.getTestFn(test)();
  } finally {
    mutation.currentTestId = undefined;
    await finish(test);
  }
  return Object.entries(mutation.mutantCoverage?.perTest[test.id] ?? {});
}

export default class MutantRunner extends TestRunner {
  async runTask(test: Test): Promise<void> {
    noteFolders();
    const began = performance.now();
    for (const id of Object.keys(mutation.mutantCoverage?.static ?? {})) {
      if (!loaded.has(id)) log("loaded", id);
      loaded.add(id);
    }
    const passed = await passedBy(test);
    const took = performance.now() - began;
    for (const [id] of passed) if (!done.has(id)) log("passed", id);
    if (took > SLOW_MS) return log("slow", test.file.name, test.name);
    const alive = passed.filter(([id]) => !done.has(id) && (lived.get(id) ?? 0) < LIFE_MS);
    if (alive.length === 0) return;
    const patience = PATIENCE_MS + took * 20;
    clears = await fails(test, patience);
    if (clears && (await fails(test, patience))) {
      return log("unrepeatable", test.file.name, test.name);
    }
    let outlived = 0;
    for (const [id, hits] of alive) {
      if (outlived > BUDGET_MS) {
        return log("unfinished", test.file.name, test.name);
      }
      log("try", id);
      Object.assign(mutation, { activeMutant: id, hitCount: 0, hitLimit: 1_000 + hits * 100 });
      const tried = performance.now();
      const dead = await fails(test, patience);
      const lasted = performance.now() - tried;
      Object.assign(mutation, { activeMutant: undefined, hitCount: undefined });
      if (!dead) {
        log("lived", id);
        lived.set(id, (lived.get(id) ?? 0) + lasted);
        outlived += lasted;
        continue;
      }
      log("killed", id);
      done.add(id);
      // A mutant may leave something behind; a test that fails without it says nothing any more.
      if (await fails(test, patience)) return log("spoilt", id, test.file.name, test.name);
    }
  }
}
