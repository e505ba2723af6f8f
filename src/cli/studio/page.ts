/**
 * Makes the files of the studio's page: document, script and style, from what the build has left in `dist`.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { ReckonerError } from "../../core/kernel/values/index.js";
import type { Embedded } from "../../studio/live/index.js";
import { builtFile } from "../config/package.js";

/** A file of the page. */
export interface PageFile {
  readonly type: string;
  readonly text: string;
}

/** Nothing is loaded from elsewhere, no text becomes code, and nobody may frame the page. */
const POLICY = [
  "default-src 'none'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** The policy of a page that its server sends, as a header. */
export const SERVED_POLICY: string = `${POLICY}; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'`;

/** Reads a built file of the page. @throws ReckonerError `cli.usage` where the package was not built */
function builtText(name: string): string {
  const path = builtFile(`studio/${name}`);
  if (!existsSync(path)) {
    throw new ReckonerError(
      "cli.usage",
      "The studio's page is not built; in a clone of the repository run npm run build.",
    );
  }
  return readFileSync(path, "utf8");
}

/** Asks for what the page shows first, while its own script is still on the way. */
function earlyScript(only: string | undefined): string {
  return `globalThis.early = {};
const ask = (path) => {
  early[path] = fetch(path);
  early[path].catch(() => {});
};
const [, page = "", word = ""] = location.hash.split(/[/?]/);
ask("api/about");
try {
  const name = page === "run" ? decodeURIComponent(word) : page === "" ? ${JSON.stringify(only)} : undefined;
  ask(name === undefined ? "api/runs" : "api/journal?" + new URLSearchParams({ name, from: "0" }));
} catch {
  // The address names nothing; the page says so.
}
`;
}

/** The files of a served page, by their names. @param only the journal that it opens at once */
export function pageFiles(only?: string): ReadonlyMap<string, PageFile> {
  const [script, style] = [builtText("studio.js"), builtText("studio.css")];
  const own = `<script src="early.js"></script><script type="module" src="studio.js"></script>`;
  const head = `<link rel="stylesheet" href="studio.css">${own}`;
  return new Map([
    ["", { type: "text/html; charset=utf-8", text: documentOf(head) }],
    ["early.js", { type: "text/javascript; charset=utf-8", text: earlyScript(only) }],
    ["studio.js", { type: "text/javascript; charset=utf-8", text: script }],
    ["studio.css", { type: "text/css; charset=utf-8", text: style }],
  ]);
}

/** A page in one file, with all that it shows; it opens without a network. */
export function wholePage(data: Embedded): string {
  const [script, style] = [builtText("studio.js"), builtText("studio.css")];
  const policy = `${POLICY}; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'`;
  // Within JSON these letters stand in texts alone, and no text ends the element.
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  const head = [
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<style>${style}</style>`,
    `<script type="application/json" id="studio-data">${json}</script>`,
  ];
  return documentOf(head.join(""), `<script type="module">${script}</script>`);
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function documentOf(head: string, tail = ""): string {
  return [
    "<!doctype html>",
    `<html lang="en"><head><meta charset="utf-8"><title>reckoner studio</title>`,
    `<meta name="viewport" content="width=device-width"><meta name="referrer" content="no-referrer">`,
    `<meta name="color-scheme" content="light dark">${head}</head>`,
    `<body><div id="studio"></div>${tail}</body></html>`,
    "",
  ].join("\n");
}
