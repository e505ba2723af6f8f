// Puts packages of others into dist, with their licences: whoever installs reckoner installs what the core
// needs and nothing of the command line. Small ones are bundled where they are used; the command's
// two larger ones lie in dist/vendor, and are imported as `#vendor/…` (package.json's `imports`).
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { IN_PAGE } from "./studio.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MODULES = join(ROOT, "node_modules");

/** Packages that esbuild puts into the files that use them. */
export const INLINED = ["@dagrejs/dagre", "picocolors"];
/** Packages that lie in dist/vendor: CommonJS, which calls `require`, or files that it loads late. */
export const VENDORED = ["commander", "jiti"];

/** Leads imports of {@link VENDORED} to dist/vendor. */
export const vendored = {
  name: "vendored",
  setup(builder) {
    const filter = new RegExp(`^(?:${VENDORED.join("|")})$`);
    builder.onResolve({ filter }, ({ path }) => ({ path: `#vendor/${path}`, external: true }));
  },
};

/** Writes dist/vendor and dist/THIRD_PARTY.md. */
export async function addThirdParty() {
  const vendor = join(ROOT, "dist/vendor");
  await build({
    stdin: { contents: 'export { Command, CommanderError } from "commander";', resolveDir: ROOT },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "es2022",
    outfile: join(vendor, "commander.js"),
    banner: {
      js: 'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
  // As it is: it loads its compiler by a path, and only where a config is TypeScript.
  for (const file of ["lib/jiti.mjs", "dist/jiti.cjs", "dist/babel.cjs"]) {
    mkdirSync(join(vendor, "jiti", file, ".."), { recursive: true });
    cpSync(join(MODULES, "jiti", file), join(vendor, "jiti", file));
  }
  // What its files need of its manifest; entry points of its own a nested package has none.
  const { name, version, license, type } = manifestOf("jiti");
  const manifest = JSON.stringify({ name, version, license, type }, null, 2);
  writeFileSync(join(vendor, "jiti/package.json"), `${manifest}\n`);
  writeFileSync(join(ROOT, "dist/THIRD_PARTY.md"), licences());
}

/** The licences of what is in dist, as Markdown. */
function licences() {
  const names = new Set();
  const add = (name) => {
    if (names.has(name)) return;
    names.add(name);
    for (const needed of Object.keys(manifestOf(name).dependencies ?? {})) add(needed);
  };
  for (const name of [...INLINED, ...VENDORED, ...IN_PAGE]) add(name);
  const parts = [...names].sort().map((name) => {
    const { version, license } = manifestOf(name);
    return `## ${name} ${version}\n\n${license}\n\n\`\`\`text\n${licenceOf(name)}\n\`\`\`\n`;
  });
  return `# Packages of others in this one\n\nThe build puts them into \`dist\`.\n\n${parts.join("\n")}`;
}

function manifestOf(name) {
  return JSON.parse(readFileSync(join(MODULES, name, "package.json"), "utf8"));
}

function licenceOf(name) {
  const file = readdirSync(join(MODULES, name)).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} has no licence file; it cannot be bundled`);
  return readFileSync(join(MODULES, name, file), "utf8").trim();
}
