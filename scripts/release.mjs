// Makes a release: the version in package.json and package-lock.json, the date in CHANGELOG.md, the packed
// archive looked through, one commit and one tag. It publishes nothing and pushes nothing.
//
//   npm run release -- 0.2.0              makes it
//   npm run release -- 0.2.0 --dry-run    says what it would do, and changes nothing
//   npm run release -- --dry-run          the same for the version of package.json (`verify` does that)
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const ROOT = resolve(import.meta.dirname, "..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "dry-run": { type: "boolean", default: false } },
});
const dry = values["dry-run"];

const read = (name) => readFileSync(join(ROOT, name), "utf8");
const manifest = JSON.parse(read("package.json"));
const version = positionals[0] ?? manifest.version;

function refuse(why) {
  console.error(`No release: ${why}`);
  process.exit(1);
}

/** Runs a program in the repository. @returns its standard output */
function run(command, ...args) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, npm_config_ignore_scripts: "true" },
    shell: process.platform === "win32",
  });
  if (status !== 0) refuse(`${command} ${args.join(" ")}: ${stderr.trim()}`);
  return stdout;
}

if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) {
  refuse(`${version} is not a version such as 0.2.0.`);
}
const lock = JSON.parse(read("package-lock.json"));
if (lock.version !== manifest.version || lock.packages[""].version !== manifest.version) {
  refuse("package.json and package-lock.json are of two versions; run npm install.");
}
if (!dry && positionals.length === 0) refuse("say which: npm run release -- 0.2.0.");

const heading = `## ${version} (unreleased)`;
const changelog = read("CHANGELOG.md");
const [, after] = changelog.split(`\n${heading}\n`);
// Between a release and the next section there is nothing to release; what would be packed is looked through still.
const isOut = dry && positionals.length === 0 && changelog.includes(`\n## ${version} (2`);
if (after === undefined && !isOut) refuse(`CHANGELOG.md has no section "${heading}".`);
if (after?.split("\n## ")[0].trim() === "") refuse(`the section "${heading}" says nothing.`);
if (!dry && run("git", "status", "--porcelain") !== "") refuse("there are changes; commit them.");
if (!isOut && run("git", "tag", "--list", `v${version}`) !== "")
  refuse(`the tag v${version} is there already.`);

// What a user would get: each entry, the command, and no test.
const [{ files }] = JSON.parse(run("npm", "pack", "--dry-run", "--json"));
const packed = new Set(files.map(({ path }) => path));
const promised = [manifest.exports, manifest.imports, manifest.bin]
  .flatMap((each) => Object.values(each))
  .flatMap((target) => (typeof target === "string" ? [target] : Object.values(target)))
  .map((path) => path.replace(/^\.\//, ""));
const missing = promised.filter((path) => !packed.has(path));
if (missing.length > 0) refuse(`${missing.join(", ")} would not be packed; run npm run build.`);
const stray = [...packed].find((path) => /(?:^|\/)test\//.test(path));
if (stray !== undefined) refuse(`${stray} would be packed.`);

if (!dry) {
  const day = new Date().toISOString().slice(0, 10);
  for (const [name, json] of [
    ["package.json", { ...manifest, version }],
    [
      "package-lock.json",
      { ...lock, version, packages: { ...lock.packages, "": { ...lock.packages[""], version } } },
    ],
  ]) {
    writeFileSync(join(ROOT, name), `${JSON.stringify(json, null, 2)}\n`);
  }
  writeFileSync(join(ROOT, "CHANGELOG.md"), changelog.replace(heading, `## ${version} (${day})`));
  run("git", "commit", "--all", "--message", `Release ${version}`);
  run("git", "tag", `v${version}`);
}
const did = isOut ? "Was released:" : dry ? "Would release" : "Released";
console.log(
  `${did} ${version}: ${files.length} files${dry ? "" : `, commit and tag v${version}; npm publish and git push --follow-tags make it public`}.`,
);
