/**
 * A support desk: `npm run desk`, then http://127.0.0.1:3000 for a customer, and /admin for who decides. It needs no
 * key: the model answers from a script.
 */
import { join } from "node:path";
import { build } from "esbuild";
import { postgresHostStore } from "reckoner/postgres";
import { host } from "reckoner/serve";
import { desks, script } from "./agent.js";
import { openDatabase } from "./database.js";

const { PORT = "3000", DEPLOYED, SCHEMA = "desk" } = process.env;
const client = await openDatabase();

const runs = host({
  reasoners: desks(DEPLOYED === undefined ? undefined : Number(DEPLOYED)),
  model: script, // aiSdk(openai("gpt-5-mini")) makes it real
  store: postgresHostStore({ client, schema: SCHEMA }),
  path: "/api",
  // Of a real desk: who its cookie says. Here a page says itself whose it is.
  authorize: (request) => {
    const isAdmin = new URL(request.headers.get("referer") ?? request.url).pathname === "/admin";
    return isAdmin ? { person: "carla", role: "clerk" } : { person: "ann", role: "customer" };
  },
  mayDecide: ({ role }) => role === "clerk" || "a clerk decides on refunds",
});

const scripts = await build({
  entryPoints: {
    page: join(import.meta.dirname, "page.ts"),
    admin: join(import.meta.dirname, "admin.ts"),
  },
  ...{ bundle: true, write: false, format: "esm", outdir: "/", logLevel: "error" },
  define: { "process.env.NODE_ENV": '"production"' },
});
const scriptOf = (path: string) =>
  scripts.outputFiles.find((file) => file.path.endsWith(path))?.text;

const STYLE = `body { font: 16px/1.5 system-ui; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
.user { background: #e8eefc; border-radius: 8px; padding: .5rem 1rem; margin: 1rem 0 1rem 4rem }
.call { border: 1px solid #ccc; border-radius: 8px; padding: .5rem 1rem; margin: .5rem 0; font-size: 14px }
button, input { font: inherit; padding: .3rem .8rem } table { width: 100%; border-collapse: collapse }
td, th { text-align: left; border-bottom: 1px solid #ddd; padding: .4rem } pre { font-size: 12px; white-space: pre-wrap }`;

const html = (name: string, title: string) =>
  `<!doctype html><meta charset="utf-8"><title>${title}</title><style>${STYLE}</style><h1>${title}</h1><div id="root"></div><script type="module" src="/${name}.js"></script>`;

const answer = (text: string | undefined, type: string) =>
  text === undefined ? undefined : new Response(text, { headers: { "content-type": type } });

const { url } = await runs.listen({
  port: Number(PORT),
  serve: (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/") return answer(html("page", "The desk"), "text/html");
    if (pathname === "/admin") return answer(html("admin", "Behind the desk"), "text/html");
    return pathname.endsWith(".js") ? answer(scriptOf(pathname), "text/javascript") : undefined;
  },
});
await runs.ready();
console.log(`The desk is open at ${url}, and ${url}/admin`);
process.once("SIGTERM", () => void runs.drain(1_000).then(() => process.exit(0)));
