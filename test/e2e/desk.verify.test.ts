// The desk of the examples, in a browser: a refund that a person approves in another process, a process that is
// killed and deployed anew in the middle of an answer, a reload, an edit, a turn that is stopped.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dropAfterwards, freshSchema, server, sharedDatabases } from "../support/postgres.js";

const ROOT = resolve(import.meta.dirname, "../..");
const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  (path) => existsSync(path),
);
const shared = sharedDatabases();
const processes: ChildProcess[] = [];
let schema = "";

interface Desk {
  readonly url: string;
  readonly process: ChildProcess;
}

/** Opens a desk in a process of its own. @param deployed so many prompts are deployed */
function open(port: number, deployed: number): Promise<Desk> {
  const { host, port: at, user, database } = server;
  const started = spawn(
    process.execPath,
    [join(ROOT, "node_modules/jiti/lib/jiti-cli.mjs"), join(ROOT, "examples/desk/server.ts")],
    {
      env: {
        ...process.env,
        DATABASE_URL: `postgres://${user}@${host}:${at}/${database}`,
        ...{ SCHEMA: schema, PORT: String(port), DEPLOYED: String(deployed) },
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  processes.push(started);
  return new Promise((resolve, reject) => {
    let said = "";
    const hear = (text: Buffer) => {
      said += text;
      const url = /open at (http:\S+),/.exec(said)?.[1];
      if (url !== undefined) resolve({ url, process: started });
    };
    started.stdout?.on("data", hear);
    started.stderr?.on("data", hear);
    started.once("exit", () => reject(new Error(`The desk closed: ${said}`)));
  });
}

const ended = ({ process: own }: Desk) =>
  new Promise<void>((resolve) => own.once("exit", () => resolve()));

it("is less than 400 lines, with its pages", () => {
  const folder = join(ROOT, "examples/desk");
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  expect(texts.join("").split("\n").length).toBeLessThan(400);
});

describe.skipIf(CHROMIUM === undefined)("the desk", () => {
  let browser: Browser;
  beforeAll(async () => {
    const args = ["--no-sandbox", "--disable-background-networking"];
    browser = await chromium.launch({ executablePath: CHROMIUM as string, args });
  });
  afterAll(async () => {
    await browser?.close();
    for (const each of processes) each.kill("SIGKILL");
  });

  const say = async (page: Page, text: string) => {
    await page.fill("input", text);
    await page.click("button[type=submit]");
  };
  const shows = (page: Page, text: string | RegExp) =>
    page.getByText(text).first().waitFor({ timeout: 60_000 });
  const answers = (page: Page, text: RegExp) =>
    page.locator(".agent", { hasText: text }).first().waitFor({ timeout: 60_000 });
  const words = (page: Page) => page.locator("#root main").textContent();

  it("goes on, whatever happens to its processes", async (context) => {
    if (shared.postgres.kind !== "server") context.skip();
    schema = freshSchema();
    dropAfterwards(shared.postgres.client, schema);
    const first = await open(0, 1);
    const second = await open(0, 1);
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    await page.goto(first.url);

    // It streams, and waits for a person, who is at another process.
    await say(page, "I want my money back.");
    await shows(page, "a refund of 39 euros waits for a colleague");
    const admin = await browser.newPage();
    await admin.goto(`${second.url}/admin`);
    await shows(admin, "39");
    const refused = await page.evaluate(async (id) => {
      const row = (await (await fetch(`/api/runs/${id}`)).json()) as never;
      const { approvals } = row as { approvals: { id: string }[] };
      const body = JSON.stringify({ approval: approvals[0]?.id, approve: true });
      const headers = { "content-type": "application/json" };
      const path = `/api/runs/${id}/decisions`;
      return (await fetch(path, { method: "POST", headers, body })).text();
    }, new URL(page.url()).hash.slice(1));
    expect(refused).toContain("a clerk decides on refunds");
    await shows(admin, "I want my money back.");
    // Two requests of 100 and 20 tokens: at 0.25 and 2 a million, 0.013 cents.
    await shows(admin, "0.013 cents, 240 tokens in 2 requests");
    await admin.click("text=Approve");
    await shows(page, "paid back: 39 euros for order 17");
    await shows(page, "Your money is on its way.");
    await admin.click("text=Why?");
    await shows(admin, /approval\.decided.*carla/);
    if (process.env.SCREENSHOT !== undefined) {
      await page.screenshot({ path: process.env.SCREENSHOT, clip: SHOT });
    }

    // One process is killed in the middle of an answer, and comes back with another prompt; the other ends.
    await say(page, "Tell me a story.");
    await shows(page, /once upon a time once/);
    const over = [ended(first), ended(second)];
    first.process.kill("SIGKILL");
    second.process.kill("SIGTERM");
    await Promise.all(over);
    // What is said while nobody is there is sent again until somebody is.
    await say(page, "Are you there?");
    await page.locator(".status", { hasText: "submitted" }).waitFor({ timeout: 60_000 });
    await open(Number(new URL(first.url).port), 2);
    // What was asked under the earlier prompt is answered under it; the next message is not.
    await answers(page, /Gladly: you said .*Are you there/);
    await shows(page, /Well: (?:once upon a time ?){40}/);
    await page.locator(".status", { hasText: "ready" }).waitFor({ timeout: 60_000 });

    // Loaded anew it shows the same.
    const before = await words(page);
    await page.reload();
    await shows(page, /once upon a time once/);
    await expect.poll(() => words(page), { timeout: 60_000 }).toBe(before);

    // A message is taken back with all that came of it, and another one is said.
    await page.locator(".user").first().getByText("Edit").click();
    await page.fill("input", "Hello.");
    await page.click("text=Say this instead");
    await shows(page, /Gladly: you said .*Hello/);
    expect(await words(page)).not.toContain("39 euros");

    // A turn is stopped, and what was said meanwhile is answered.
    await say(page, "Another story.");
    await shows(page, /once upon a time once/);
    await say(page, "Be short.");
    await page.locator(".user", { hasText: "Be short." }).waitFor({ timeout: 60_000 });
    await page.click("text=Stop");
    await answers(page, /you said .*Be short/);
    await page.locator(".status", { hasText: "ready" }).waitFor({ timeout: 60_000 });
    expect(await words(page)).not.toMatch(/(?:once upon a time ?){40}/);
    const stopped = await words(page);
    await page.reload();
    await expect.poll(() => words(page), { timeout: 60_000 }).toBe(stopped);

    // What is refused is not shown as sent: it is back where it was written.
    const id = new URL(page.url()).hash.slice(1);
    await page.evaluate((run) => fetch(`/api/runs/${run}/cancel`, { method: "POST" }), id);
    await say(page, "Too late.");
    await page.locator(".status", { hasText: "not sent" }).waitFor({ timeout: 60_000 });
    await expect.poll(() => page.locator(".user", { hasText: "Too late." }).count()).toBe(0);
    expect(await page.inputValue("input")).toBe("Too late.");
    expect(errors).toEqual([]);
  });
});

const SHOT = { x: 250, y: 0, width: 780, height: 560 };
