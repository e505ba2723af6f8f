// The routes of a host over whatever offers the verbs of a run.
import { afterAll, expect, it } from "vitest";
import { agent, scriptedModel } from "../../../../src/index.js";
import { host, memoryHostStore, runsFetch } from "../../../../src/serve.js";
import { refusal } from "../../../support/thrown.js";

const desk = agent({ name: "desk", conversation: true });
const model = scriptedModel(["Hello."]);
const runs = host({ reasoners: [desk], model, store: memoryHostStore() });
afterAll(() => runs.drain());

const fetchRuns = runsFetch({
  run: (id, { tenant = "" }) => runs.run(`${tenant}/${id}`),
  authorize: (request) => ({ tenant: request.headers.get("x-tenant") ?? "" }),
  path: "/api",
});

const ask = (method: string, path: string, tenant: string, body?: object) =>
  fetchRuns(
    new Request(`http://desk.example/api${path}`, {
      method,
      headers: { "x-tenant": tenant, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );

it("serves the verbs and the lines of a run that is somebody's", async () => {
  const begun = await ask("PUT", "/runs/r1", "a", { input: { prompt: "Hi." } });
  expect(begun.status).toBe(200);
  expect((await ask("GET", "/runs/r1", "b")).status).toBe(404);
  await expect.poll(async () => (await runs.run("a/r1").row()).status).toBe("ready");
  const stream = await fetchRuns(
    new Request("http://desk.example/api/runs/r1/lines", {
      headers: { accept: "text/event-stream", "x-tenant": "a" },
    }),
  );
  const reader = stream.body?.getReader();
  const first = new TextDecoder().decode((await reader?.read())?.value);
  expect(first).toMatch(/^id: 0\nevent: line\ndata: \{"type":"header"/);
  await reader?.cancel();
});

it("has no list and no unparking where none was given, and needs its functions", async () => {
  expect((await ask("GET", "/runs", "a")).status).toBe(404);
  expect((await ask("POST", "/runs/r1/unpark", "a")).status).toBe(404);
  const given = { run: (id: string) => runs.run(id) };
  expect(refusal(() => runsFetch(given as never))).toMatchObject({ code: "option.invalid" });
});
