// A model, a tool, a model on Restate: how many invocations and entries of which kind that takes, and how long; and
// how long the same invocations take whose handlers do the same entries and nothing else.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as restate from "@restatedev/restate-sdk";
import { restateEngine, restateRuns } from "../../dist/engines/restate/index.js";
import { agent, tool } from "../../dist/index.js";
import { RestateServer } from "../../test/engines/restate-server.mjs";
import { until } from "../../test/engines/until.mjs";
import { searches } from "./agent.mjs";

const RUNS = 30;
const WARM = 10;

/** The handlers that only do entries: `script` has a list of them for each invocation. */
const stepsOf = (name) => {
  const step = async (ctx, { script, at }) => {
    for (const batch of script[at]) await done(ctx, batch, { script, at });
  };
  const send = (ctx, parameter, delay) => {
    const isEffect = parameter !== undefined && parameter.at % 2 === 1;
    return ctx.genericSend({
      ...(isEffect
        ? { service: `${name}.effects` }
        : { service: name, key: parameter?.script.key ?? ctx.key }),
      ...{ method: parameter === undefined ? "nothing" : "step", parameter: parameter ?? null },
      ...{ inputSerde: restate.serde.json, ...(delay === undefined ? {} : { delay }) },
    });
  };
  async function done(ctx, batch, next) {
    const waits = [];
    let sent = 0;
    for (const { type, size } of batch) {
      if (type === "Run") waits.push(ctx.run("run", () => "x".repeat(size)));
      else if (type === "GetLazyState") waits.push(ctx.get("key"));
      else if (type === "SetState") ctx.set("key", "x".repeat(size));
      else if (type === "OneWayCall") {
        sent += 1;
        // The second one of an object is a wake.
        const handle =
          sent === 1 ? send(ctx, { ...next, at: next.at + 1 }) : send(ctx, undefined, 300_000);
        if (sent === 1 && next.at % 2 === 0) await handle.invocationId;
      }
    }
    if (waits.length > 0) await restate.RestatePromise.all(waits);
  }
  return [
    restate.object({
      name,
      handlers: { step, nothing: async () => {} },
      options: { enableLazyState: true },
    }),
    restate.service({ name: `${name}.effects`, handlers: { step } }),
  ];
};

/** The entries of a run's invocations in their order, in batches of what was awaited together. */
async function scriptOf(server, name, key) {
  const rows = await server.query(
    `select j.id, j.index, j.entry_type, j.raw_length, i.created_at, i.target_service_key, i.target_handler_name from sys_journal j join sys_invocation i on i.id = j.id where i.target_service_name in ('${name}', '${name}.effects') and i.status = 'completed' and i.target_handler_name in ('say', 'take', 'perform') order by i.created_at, j.id, j.index`,
  );
  const byId = Map.groupBy?.(rows, ({ id }) => id) ?? grouped(rows);
  const own = [...byId.values()].filter(
    ([{ target_service_key: of }]) => of === undefined || of === key,
  );
  const counts = {};
  const script = own.map((entries) => {
    const batches = [[]];
    let pending = 0;
    for (const { entry_type: type, raw_length: size, target_handler_name: handler } of entries) {
      const [, what, kind] = /^(\w+): (\w+)/.exec(type);
      if (what === "Notification" && /Run|Get/.test(kind)) {
        pending -= 1;
        if (pending === 0) batches.push([]);
      }
      if (what !== "Command") continue;
      // An object runs nothing but its clock.
      const counted = kind !== "Run" ? kind : handler === "perform" ? "effects" : "dates";
      counts[counted] = (counts[counted] ?? 0) + 1;
      if (/Run|Get/.test(kind)) pending += 1;
      batches.at(-1).push({ type: kind, size });
    }
    return together(batches);
  });
  return { invocations: script.length, counts, script };
}

/** Reads that follow each other were asked for together, however their answers came. */
function together(batches) {
  const reads = (batch) => batch.every(({ type }) => type === "GetLazyState");
  const all = [];
  for (const batch of batches) {
    if (all.length > 1 && reads(batch) && reads(all.at(-1))) all.at(-1).push(...batch);
    else all.push([...batch]);
  }
  return all;
}

function grouped(rows) {
  const found = new Map();
  for (const row of rows) found.set(row.id, [...(found.get(row.id) ?? []), row]);
  return found;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** A run is done before its last invocation is. */
const UNDER_WAY = "select id from sys_invocation where status not in ('completed', 'scheduled')";
const isQuiet = async (server) => (await server.query(UNDER_WAY)).length === 0;

/** Milliseconds from the first to the last invocation of an object, when so many are over. */
async function tookOf(server, name, key, wanted) {
  let rows = [];
  await until(async () => {
    rows = await server.query(
      `select created_at, modified_at from sys_invocation where target_service_name = '${name}' and target_service_key = '${key}' and status = 'completed' and target_handler_name in ('say', 'take', 'step')`,
    );
    return rows.length >= wanted;
  });
  const ends = rows.map(({ modified_at: at }) => Date.parse(at));
  return Math.max(...ends) - Math.min(...rows.map(({ created_at: at }) => Date.parse(at)));
}

/** @returns invocations, entries, and both times */
export async function bareRestate() {
  const folder = mkdtempSync(join(tmpdir(), "bench-restate-"));
  const server = await RestateServer.start(folder);
  const search = tool({ name: "search", execute: () => "found it" });
  const options = {
    reasoners: [agent({ name: "searching", tools: [search] })],
    model: searches(1),
  };
  const worker = await restateEngine(options).listen({ port: 0 });
  await server.register(worker.url);
  const runs = restateRuns({ ingress: server.ingress });
  const bare = createServer(restate.createEndpointHandler({ services: stepsOf("bare") }));
  await new Promise((done) => bare.listen(0, "127.0.0.1", done));
  await server.register(`http://127.0.0.1:${bare.address().port}`);
  try {
    const own = [];
    const theirs = [];
    const script = { invocations: 0 };
    for (let n = 0; n < RUNS; n++) {
      await runs.run(`r${n}`).start({ input: "Look." });
      if (n === 0) {
        await until(async () => (await runs.run("r0").row()).status === "done");
        await until(() => isQuiet(server));
        Object.assign(script, await scriptOf(server, "reckoner", "r0"));
      }
      const wanted = (script.invocations + 1) / 2;
      own.push(await tookOf(server, "reckoner", `r${n}`, wanted));
      // By turns: whatever else the machine does slows both.
      const url = `${server.ingress}/bare/b${n}/step`;
      const steps = Object.assign([...script.script], { key: `b${n}` });
      const body = JSON.stringify({ script: { ...steps, key: `b${n}` }, at: 0 });
      await fetch(url, { method: "POST", body, headers: { "content-type": "application/json" } });
      theirs.push(await tookOf(server, "bare", `b${n}`, wanted));
    }
    const [ms, bareMs] = [own, theirs].map((all) => median(all.slice(WARM)));
    const { invocations, counts } = script;
    return {
      invocations,
      entries: counts,
      ms,
      bareMs,
      ratio: Math.round((ms / bareMs) * 100) / 100,
    };
  } finally {
    await worker.close();
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}
