// A model by its name: through the packages that the user has installed, and a line that says what
// to do where that cannot be.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { resolveModel } from "../../../../src/adapters/ai-sdk/index.js";
import { loadPackage } from "../../../../src/adapters/ai-sdk/load-package.js";
import { resolveWith } from "../../../../src/adapters/ai-sdk/resolve-model.js";
import { isReckonerError } from "../../../../src/core/kernel/values/index.js";
import { aCall, hello } from "./support.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reckoner-models-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Installs a package in the user's folder. */
function install(name: string, text: string): void {
  const home = join(folder, "node_modules", name);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), JSON.stringify({ name, main: "index.cjs" }));
  writeFileSync(join(home, "index.cjs"), text);
}

/** A provider whose answer is what it was asked for. */
const provider = (exported: string) => `
  const model = (made) => ({
    specificationVersion: "v3", provider: "acme", modelId: made, supportedUrls: {},
    doGenerate: async () => ({
      content: [{ type: "text", text: made }],
      finishReason: { unified: "stop", raw: "stop" },
      usage: { inputTokens: {}, outputTokens: {} },
      warnings: [],
    }),
    doStream: async () => { throw new Error("no streams of acme"); },
  });
  const provider = (id) => model("default " + id);
  provider.chat = (id) => model("chat " + id);
  provider.refuse = () => { throw new Error("no such model"); };
  module.exports = { ${exported}: provider, createAcme: () => provider };
`;

const answerOf = async (spec: string) => {
  const port = await resolveModel(spec, { cwd: folder });
  expect(port.name).toBe(spec);
  return (await port.generate(hello, aCall())).content;
};

/** What was refused last. */
let refused: unknown;
const refusalOf = async (spec: string, load = loadPackage) => {
  const error = await resolveWith(load, spec, { cwd: folder }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  refused = error;
  if (!isReckonerError(error)) throw new Error("not refused as it should be", { cause: error });
  expect(error.code).toBe("cli.model");
  expect(error.message).not.toContain("\n");
  return error.message;
};

describe("a model's name", () => {
  it("is resolved through the package in the user's folder", async () => {
    install("@ai-sdk/acme", provider("acme"));
    expect(await answerOf("acme:m-1")).toEqual([{ type: "text", text: "default m-1" }]);
  });

  it("is resolved through a package that lies beside our own", async () => {
    const port = await resolveModel("openai:gpt-4o-mini", { cwd: folder });
    expect(port.name).toBe("openai:gpt-4o-mini");
  });

  it("may ask for one of the provider's interfaces", async () => {
    install("@ai-sdk/acme", provider("acme"));
    expect(await answerOf("acme.chat:m")).toEqual([{ type: "text", text: "chat m" }]);
  });

  it("ends where the first colon is; the model's id may have more", async () => {
    install("@ai-sdk/acme", provider("acme"));
    expect(await answerOf("acme:m:8b:0")).toEqual([{ type: "text", text: "default m:8b:0" }]);
  });

  it.each(["bigAcme", "acme"])("of two words finds the provider %s", async (exported) => {
    install("@ai-sdk/big-acme", provider(exported));
    expect(await answerOf("big-acme:m")).toEqual([{ type: "text", text: "default m" }]);
  });

  it("may be streamed", async () => {
    install("@ai-sdk/acme", provider("acme"));
    const port = await resolveModel("acme:m", { cwd: folder, stream: true });
    // This provider cannot: that it is asked shows that the option came through.
    await expect(port.generate(hello, aCall())).rejects.toThrow("no streams of acme");
  });
});

describe("a model that cannot be resolved", () => {
  it.each(["gpt-4o", "openai:", ":gpt-4o", "", "../evil:m", "Open AI:m"])(
    "is no PROVIDER:MODEL: %j",
    async (spec) => {
      expect(await refusalOf(spec)).toBe(
        `The model ${JSON.stringify(spec)} is not PROVIDER:MODEL; write openai:gpt-4o-mini, for example.`,
      );
    },
  );

  it("needs a package that is not installed", async () => {
    expect(await refusalOf("nowhere:m")).toBe(
      "The model nowhere:m needs the package @ai-sdk/nowhere; install it: npm install @ai-sdk/nowhere",
    );
    expect(refused).not.toHaveProperty("cause");
  });

  it("needs ai only where a file has to be fetched, and says so then", async () => {
    const without = async (name: string) =>
      name.startsWith("ai/") ? undefined : await loadPackage(name);
    const port = await resolveWith(without, "openai.chat:m", {});
    const image = { type: "image", image: "https://example.test/a.png" } as const;
    const file = { type: "file", data: "https://example.test/a", mediaType: "text/x" } as const;
    for (const part of [image, file]) {
      const asking = port.generate({ messages: [{ role: "user", content: [part] }] }, aCall());
      await expect(asking).rejects.toThrow(
        "A file behind a URL needs the package ai; install it: npm install ai",
      );
    }
  });

  it("has a package that does not load, which is not one that is missing", async () => {
    install("@ai-sdk/acme", 'require("what-acme-needs");');
    expect(await refusalOf("acme:m")).toMatch(
      /^The package @ai-sdk\/acme cannot be loaded: .*what-acme-needs/,
    );
    expect(refused).toMatchObject({ cause: { code: "MODULE_NOT_FOUND" } });
  });

  it("has a package without a provider of that name", async () => {
    install("@ai-sdk/acme", `${provider("somethingElse")} module.exports.VERSION = "1";`);
    expect(await refusalOf("acme:m")).toBe(
      "The package @ai-sdk/acme exports no provider named acme, only somethingElse, createAcme; make the model in a config.",
    );
    install("@ai-sdk/blank", "");
    expect(await refusalOf("blank:m")).toContain("named blank, only nothing; make");
  });

  it.each(["nosuch", "constructor"])("asks for an interface there is not: %s", async (variant) => {
    install("@ai-sdk/acme", provider("acme"));
    expect(await refusalOf(`acme.${variant}:m`)).toContain(`leave .${variant} out`);
  });

  it("is one that its provider refuses", async () => {
    install("@ai-sdk/acme", provider("acme"));
    expect(await refusalOf("acme.refuse:m")).toBe(
      "The model acme.refuse:m cannot be made: no such model",
    );
  });
});

describe("where ai is not installed", () => {
  afterEach(() => {
    vi.doUnmock("ai");
    vi.doUnmock("ai/internal");
    vi.resetModules();
  });

  it("the adapter still loads, and says what to install when it is used", async () => {
    vi.resetModules();
    const fail = () => {
      throw new Error("Cannot find package 'ai'");
    };
    vi.doMock("ai", fail);
    vi.doMock("ai/internal", fail);
    const { aiSdk } = await import("../../../../src/adapters/ai-sdk/index.js");
    const image = { type: "image", image: "https://example.test/a.png" } as const;
    const request = { messages: [{ role: "user", content: [image] }] } as const;
    const doGenerate = async () => ({});
    const made = { specificationVersion: "v3", provider: "p", modelId: "m", doGenerate };
    const port = aiSdk(made as never);
    await expect(port.generate(request, aCall())).rejects.toThrow("npm install ai");
    await expect(aiSdk("acme/m").generate(hello, aCall())).rejects.toThrow("npm install ai");
  });
});
