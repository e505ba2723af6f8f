// Which config a journal may have loaded: one that the caller names, or one inside the working folder.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { configOfHint, loadConfig } from "../../../../src/cli/config/config.js";
import { Configs } from "../../../../src/cli/config/config-of-journal.js";
import type { HeaderLine } from "../../../../src/core/journal/index.js";
import { refusal, rejection } from "../../../support/thrown.js";
import { aFolder, anIo } from "../support.js";

const header = { reasoner: { id: "agent", version: 1 } } as HeaderLine;

describe("the config that a journal names", () => {
  it("is loaded from inside the working folder", () => {
    const folder = aFolder();
    expect(configOfHint(anIo(folder), "notes.ts")).toMatch(/notes\.ts$/);
  });

  it("is refused outside of it, whatever the path looks like", () => {
    const folder = aFolder();
    const inside = join(folder, "inside");
    mkdirSync(inside);
    symlinkSync(join(folder, "notes.ts"), join(inside, "link.ts"));
    symlinkSync(folder, join(inside, "up"));
    for (const hint of ["../notes.ts", "link.ts", "up/notes.ts", join(folder, "notes.ts")]) {
      const { code, message } = refusal(() => configOfHint(anIo(inside), hint));
      expect(code).toBe("config.outside");
      expect(message).toContain("--config");
    }
  });

  it("is refused where it is not there", () => {
    const refused = refusal(() => configOfHint(anIo(aFolder()), "gone.ts"));
    expect(refused).toMatchObject({ code: "config.outside", place: "gone.ts" });
  });

  it("may be named by the caller, wherever it lies", async () => {
    const folder = aFolder();
    const io = anIo(join(folder, "elsewhere"));
    const config = await new Configs(io, { config: "../notes.ts" }).for({
      ...header,
      config: "gone.ts",
    });
    expect(config).toMatchObject({ hint: "../notes.ts", reasoner: { id: "notes" } });
  });

  it("is asked for where the journal names none", async () => {
    const refused = await rejection(
      new Configs(anIo(aFolder()), { config: undefined }).for(header),
    );
    expect(refused.code).toBe("cli.usage");
    expect(refused.message).toContain("--config FILE with the reasoner that wrote it, agent");
  });

  it("is loaded once for many journals", async () => {
    const configs = new Configs(anIo(aFolder()), { config: "notes.ts" });
    const [one, other] = await Promise.all([configs.for(header), configs.for(header)]);
    expect(one.reasoner).toBe(other.reasoner);
  });
});

describe("a config", () => {
  it("may be JavaScript, and import the package from a folder that does not have it", async () => {
    const config = await loadConfig(anIo(aFolder()), "plain.mjs");
    expect(config).toMatchObject({ hint: "plain.mjs", input: "hello" });
  });

  it.each(["observers: 5", "retry: 5", "llmTimeoutMs: NaN"])(
    "that gives each run options that are none is refused: %s",
    async (options) => {
      const folder = aFolder();
      const text = readFileSync(join(folder, "plain.mjs"), "utf8");
      writeFileSync(
        join(folder, "plain.mjs"),
        text.replace("input:", `options: { ${options} }, input:`),
      );
      const refused = loadConfig(anIo(folder), "plain.mjs");
      await expect(refused).rejects.toMatchObject({
        code: "option.invalid",
        message: expect.stringMatching(/^plain\.mjs: \w+ of run must be /),
      });
    },
  );
});

it("a config that never ends loading is an error in its time", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const folder = aFolder();
  writeFileSync(join(folder, "never.mjs"), "await new Promise(() => {});\nexport default 1;\n");
  const loading = rejection(loadConfig(anIo(folder), "never.mjs"));
  await vi.advanceTimersByTimeAsync(29_999);
  expect(await Promise.race([loading, Promise.resolve("still loading")])).toBe("still loading");
  await vi.advanceTimersByTimeAsync(1);
  expect(await loading).toMatchObject({
    code: "config.invalid",
    message:
      "The config never.mjs cannot be loaded: it did not end loading within 30 s; an await at its top level may wait for what never comes.",
  });
});

it("a config is watched for as long as it loads, well or not", async () => {
  const folder = aFolder();
  writeFileSync(join(folder, "throws.mjs"), "throw new Error('no');\n");
  for (const [path, ends] of Object.entries({ "plain.mjs": true, "throws.mjs": false })) {
    const told: unknown[] = [];
    const startWatchdog = (said: string, ms: number) => {
      told.push(said, ms);
      return () => void told.push("loaded");
    };
    const loading = loadConfig({ ...anIo(folder), startWatchdog }, path);
    expect(await loading.then(() => true).catch(() => false)).toBe(ends);
    expect(told).toEqual([
      `reckoner: The config ${path} cannot be loaded: it did not end loading within 30 s; code at its top level may never end. [config.invalid]\n`,
      31_000,
      "loaded",
    ]);
  }
});

const text = (parts: string) =>
  `import { agent } from "reckoner";\nexport default { reasoner: agent({ name: "a" }), ${parts} };\n`;

it("a part of a config that is none is refused: a hook beside `options` would never be asked", async () => {
  const folder = aFolder();
  writeFileSync(join(folder, "hook.mjs"), text("redact: () => null"));
  const error = await rejection(loadConfig(anIo(folder), "hook.mjs"));
  expect(error).toMatchObject({
    code: "config.invalid",
    message: expect.stringContaining("hook.mjs has an unknown part redact; "),
  });
  writeFileSync(join(folder, "told.mjs"), text("options: { redact: () => null }, score: () => 1"));
  expect((await loadConfig(anIo(folder), "told.mjs")).reasoner.id).toBe("a");
});

describe("the model of a config", () => {
  const loaded = async (model: string) => {
    const folder = aFolder();
    const text = `import { agent, scriptedModel } from "reckoner";\nexport default { reasoner: agent({ name: "a" }), model: ${model} };\n`;
    writeFileSync(join(folder, "model.mjs"), text);
    return loadConfig(anIo(folder), "model.mjs");
  };

  it.each([
    ["5", "has an invalid model; give a model port, with generate()"],
    ["null", "has an invalid model"],
    ['""', "has an invalid model"],
    ["[]", "has an invalid model"],
    ["{}", "has an invalid model"],
    ["{ generate: 1 }", 'has an invalid model "generate"'],
    ['{ one: "openai:m", two: undefined }', 'has an invalid model "two"'],
    ["{ doGenerate() {} }", "wrap a model of the AI SDK: aiSdk(model)."],
    ["{ one: { doGenerate() {} } }", "wrap a model of the AI SDK: aiSdk(model)."],
  ])("is refused while it is loaded where it is %s", async (model, words) => {
    expect(await rejection(loaded(model))).toMatchObject({
      code: "config.invalid",
      message: expect.stringContaining(words),
    });
  });

  it.each([
    "undefined",
    '"openai:m"',
    'scriptedModel(["x"])',
    '{ one: "openai:m", two: scriptedModel(["x"]) }',
  ])("may be %s", async (model) => {
    expect((await loaded(model)).reasoner.id).toBe("a");
  });
});

it.each(["5", "null", "[]", "() => 1", "new Map()"])(
  "a check that is %s is refused",
  async (check) => {
    const folder = aFolder();
    writeFileSync(join(folder, "check.mjs"), text(`check: ${check}`));
    const error = await rejection(loadConfig(anIo(folder), "check.mjs"));
    expect(error).toMatchObject({
      code: "config.invalid",
      message: expect.stringContaining("check.mjs has a check that is "),
    });
  },
);
