// Makes the pictures of the studio that stand in the README: a run of examples/support.ts, of which each moment is
// fixed, in the Chromium of this machine. The letters are those of its fonts.
//
//   npm run screenshots                 writes docs/studio-why.png and docs/studio-otherwise.png
//   npm run screenshots -- --folder F   writes them there
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createJiti } from "jiti";
import { chromium } from "playwright-core";
import { ensureBuilt } from "./ensure-built.mjs";

const ROOT = resolve(import.meta.dirname, "..");
const { values } = parseArgs({
  options: { folder: { type: "string", default: join(ROOT, "docs") } },
});

ensureBuilt();
const alias = { reckoner: join(ROOT, "dist/index.js") };
const example = await createJiti(import.meta.url, { alias }).import("../examples/support.ts");
const { resume, run, virtualClock } = await import("../dist/index.js");

/** Writes the run's journal: its model, its tools and its person take the same time each time. */
async function refunded(journal) {
  const { support, scriptedSupport, smallShop, default: config } = example;
  const clock = virtualClock(Date.UTC(2026, 10, 2, 9, 18, 21));
  const shop = smallShop();
  const options = {
    clock,
    journal,
    runId: "refund",
    model: {
      name: scriptedSupport.name,
      generate(...asked) {
        clock.advance(640);
        return scriptedSupport.generate(...asked);
      },
    },
    services: {
      get orders() {
        clock.advance(45);
        return shop.orders;
      },
      payBack(...order) {
        clock.advance(270);
        return shop.payBack(...order);
      },
    },
  };
  await run(support, config.input, options);
  clock.advance(3 * 3_600_000);
  await resume(support, journal, {
    ...options,
    approvals: { "approval/1/0": { approve: true, by: "ada" } },
  });
}

/** Starts a studio. @returns its address, and its process */
async function studioOf(folder) {
  const words = ["studio", "refund.jsonl", "--config", join(ROOT, "examples/support.ts")];
  const child = spawn(process.execPath, [join(ROOT, "dist/cli/main.js"), ...words], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const text of child.stdout.setEncoding("utf8")) {
    const [address] = /http\S+\/$/m.exec(text) ?? [];
    if (address !== undefined) return { address, child };
  }
  throw new Error("The studio has not started.");
}

/** Each picture: its height, its theme, and how somebody comes to what it shows. */
const PICTURES = [
  {
    name: "studio-why.png",
    height: 700,
    colorScheme: "light",
    async show(page) {
      await page.getByRole("button", { name: "refund", exact: true }).last().click();
      await page.getByText("Its arguments").waitFor();
    },
  },
  {
    name: "studio-otherwise.png",
    height: 860,
    colorScheme: "dark",
    async show(page) {
      await page.getByRole("button", { name: /^ada approved/ }).click();
      await page.keyboard.press("5");
      await page.getByRole("button", { name: "rejected" }).click();
      await page.getByText("The first difference").waitFor();
    },
  },
];

const folder = mkdtempSync(join(tmpdir(), "reckoner-screenshots-"));
await refunded(join(folder, "refund.jsonl"));
const { address, child } = await studioOf(folder);
const browser = await chromium.launch({
  executablePath: process.env.RECKONER_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  for (const { name, height, colorScheme, show } of PICTURES) {
    const page = await browser.newPage({
      viewport: { width: 1200, height },
      colorScheme,
      locale: "en-GB",
      timezoneId: "UTC",
    });
    await page.goto(address);
    await page.getByRole("button", { name: "refund", exact: true }).last().waitFor();
    await show(page);
    await page.mouse.move(0, 0);
    await page.evaluate("document.activeElement?.blur()");
    await page.screenshot({ path: join(values.folder, name) });
    console.log(join(values.folder, name));
  }
} finally {
  await browser.close();
  child.kill("SIGINT");
  rmSync(folder, { recursive: true, force: true });
}
