// The command as a process among others: signals, closed pipes, a terminal.
import { spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { aFolder, COMMAND, reckoner } from "../unit/cli/support.js";

/** Starts the command; its output so far is awaited with `said`. */
function started(cwd: string, words: readonly string[]) {
  const child = spawn(process.execPath, [COMMAND, ...words], { cwd });
  const text = { stdout: "", stderr: "" };
  const waiting = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (more: string) => {
      text[name] += more;
      for (const check of waiting) check();
    });
  }
  const ended = new Promise<number | null>((done) => child.on("close", (code) => done(code)));
  const said = (what: string) =>
    new Promise<void>((done) => {
      const check = () => {
        if (text.stderr.includes(what)) done();
      };
      waiting.add(check);
      check();
    });
  return { child, text, said, ended };
}

describe("Ctrl-C", () => {
  it("cancels the run, which is journalled and ends with code 1", async () => {
    const folder = aFolder();
    const words = ["run", "slow.ts", "--journal", "run.jsonl", "--json"];
    const { child, text, said, ended } = started(folder, words);
    await said("asked");
    child.kill("SIGINT");
    expect(await ended).toBe(1);
    expect(JSON.parse(text.stdout)).toMatchObject({ status: "cancelled", events: 2 });
    const replayed = await reckoner(folder, ["replay", "run.jsonl"]);
    expect(replayed).toMatchObject({ code: 0, stdout: "run.jsonl: identical: 2 events\n" });
  });
});

describe("SIGTERM", () => {
  it("leaves the run to another process, and a second one ends it at once", async () => {
    const folder = aFolder();
    const words = ["run", "slow.ts", "--journal", "run.jsonl"];
    const { child, said, ended } = started(folder, words);
    await said("asked");
    child.kill("SIGTERM");
    await said("Letting what runs settle");
    child.kill("SIGTERM");
    expect(await ended).toBe(143);
    const replayed = await reckoner(folder, ["replay", "run.jsonl"]);
    expect(replayed).toMatchObject({ code: 0, stdout: "run.jsonl: identical: 1 event\n" });
  });
});

describe.skipIf(!existsSync("/dev/full"))("standard output on a full disk", () => {
  it("is one line and exit code 2, whatever is printed; a run that is recorded stays", async () => {
    const folder = aFolder();
    const full = openSync("/dev/full", "w");
    onTestFinished(() => closeSync(full));
    const on = (words: readonly string[], err: "pipe" | number = "pipe") =>
      spawnSync(process.execPath, [COMMAND, ...words], {
        cwd: folder,
        encoding: "utf8",
        stdio: ["ignore", full, err],
      });
    const ran = on(["run", "notes.ts", "--prompt", "x", "--journal", "run.jsonl"]);
    expect([ran.status, ran.stderr.split("\n").at(-2)]).toEqual([
      2,
      expect.stringMatching(/^reckoner: cannot write the result: ENOSPC/),
    ]);
    expect((await reckoner(folder, ["replay", "run.jsonl"])).code).toBe(0);
    for (const words of [
      "show run.jsonl",
      "list .",
      "show run.jsonl --json",
      "show no.jsonl --json",
    ]) {
      const { status, stderr } = on(words.split(" "));
      expect([words, status]).toEqual([words, 2]);
      expect(stderr).toMatch(/^(?:reckoner: [^\n]*\n){1,2}$/);
      expect(stderr).toContain("cannot write the result");
    }
    expect(on(["show", "no.jsonl"], full).status).toBe(2);
  });
});

describe("standard output that nobody reads", () => {
  it("is no error", async () => {
    const folder = aFolder();
    const words = ["run", "notes.ts", "--prompt", "x", "--journal", "run.jsonl"];
    await reckoner(folder, words);
    const show = `"${process.execPath}" "${COMMAND}" show run.jsonl --json; echo "code $?" >&2`;
    const { stdout, stderr } = spawnSync("sh", ["-c", `{ ${show}; } | head -n 1`], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(stdout).toBe("{\n");
    expect(stderr).toBe("code 0\n");
    // What a run says goes on, and what is only watched is over: this one has not ended.
    const watched = `"${process.execPath}" "${COMMAND}" observe events run.jsonl --follow`;
    const shell = { cwd: folder, encoding: "utf8", timeout: 600_000 } as const;
    expect(spawnSync("sh", ["-c", `${watched} | true`], shell)).toMatchObject({
      status: 0,
      stderr: "",
    });
    const closed = `"${process.execPath}" "${COMMAND}" replay run.jsonl | true`;
    expect(spawnSync("sh", ["-c", closed], { cwd: folder, encoding: "utf8" }).stderr).toMatch(
      /^reckoner: loading [^\n]*\n$/,
    );
  });
});

// util-linux's script(1) gives a pseudo terminal.
const hasTerminal = spawnSync("script", ["--version"]).status === 0;

describe.runIf(hasTerminal)("a terminal", () => {
  it("is shown what happens, and asked", async () => {
    const folder = aFolder();
    const command = `"${process.execPath}" "${COMMAND}" run notes.ts --prompt x`;
    const child = spawn("script", ["-qec", command, join(folder, "typescript")], { cwd: folder });
    let seen = "";
    let asked = false;
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      seen += text;
      if (asked || !seen.includes("[e]dit:")) return;
      asked = true;
      child.stdin.write("y\n");
    });
    const code = await new Promise((done) => child.on("close", done));
    expect(code).toBe(0);
    expect(seen).toContain("Run the tool wipe?");
    expect(seen).toContain("The shelf is clean.");
  });
});

describe("code of a config or a tool", () => {
  const withTool = (body: string) => {
    const folder = aFolder();
    writeFileSync(
      join(folder, "odd.ts"),
      `import { agent, defineConfig, scriptedModel, tool } from "reckoner";
console.log("loaded");
const t = tool({ name: "t", execute: () => { ${body} } });
const model = scriptedModel([{ calls: [{ name: "t" }] }, "end"]);
export default defineConfig({ reasoner: agent({ name: "a", tools: [t] }), model, input: "x" });
`,
    );
    return { folder, run: (...more: string[]) => reckoner(folder, ["run", "odd.ts", ...more]) };
  };

  it("that throws outside of any call ends the process in a line, and the run can be resumed", async () => {
    const body = 'setImmediate(() => { throw new Error("stray"); }); return new Promise(() => {});';
    const { folder, run } = withTool(body);
    const { code, stdout, stderr } = await run("--journal", "run.jsonl", "--json");
    expect([code, JSON.parse(stdout)]).toEqual([
      2,
      { error: { code: "unexpected", message: "stray" } },
    ]);
    expect(stderr).toMatch(/^reckoner: stray \(unexpected; set RECKONER_DEBUG=1/m);
    expect(stderr).not.toMatch(/^ +at /m);
    const { stdout: end } = await reckoner(folder, ["resume", "run.jsonl"]);
    expect(end).toBe("end\n");
  });

  it("that leaves a rejected promise is told of, and the run goes on; what it prints is no result", async () => {
    const { run } = withTool(
      'console.log("called"); process.stdout.write("raw\\n"); Promise.reject(new Error("x")); return "ok";',
    );
    const { code, stdout, stderr } = await run("--json");
    expect(stderr).toMatch(/^raw$/m);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { status: "done", output: "end" }]);
    expect(stderr).toMatch(/^reckoner: a promise that nobody awaited was rejected: x /m);
    expect(stderr).toMatch(/^loaded$[\s\S]*^called$/m);
  });

  it("that ends the process does not pass for a command that was carried out", async () => {
    const { run } = withTool("process.exit(0);");
    const { code, stderr } = await run();
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^reckoner: Code of the config or of a tool ended .* \[config\.invalid\]$/m,
    );
    // Its own code could be taken for one of ours.
    const failed = await withTool("process.exit(1);").run("--json");
    expect(failed.code).toBe(2);
    expect(JSON.parse(failed.stdout)).toMatchObject({ error: { code: "config.invalid" } });
  });
});
