// A run is awaited as a promise is: with `await`, `then`, `catch` and `finally`.
import { expect, it } from "vitest";
import { agent } from "../../../../src/index.js";
import { type End, run, scriptedModel } from "../../../../src/runtime/index.js";

const greeter = agent({ name: "greeter" });
const started = () => run(greeter, "hello", { model: scriptedModel(["hi"]) });
const refused = () => run(greeter, "hello", { concurrency: "many" } as never);

it("gives its end to whoever waits, and once to whoever is told when it is over", async () => {
  const told: string[] = [];
  const end: End = await started().finally(() => told.push("over"));
  expect([end.status, told]).toEqual(["done", ["over"]]);
  expect((await started().catch(() => "refused")) as End).toMatchObject({ status: "done" });
});

it("can be caught where it is refused", async () => {
  const told: string[] = [];
  const caught = await refused().catch((thrown: { code: string }) => thrown.code);
  const late = await refused()
    .finally(() => told.push("over"))
    .catch((thrown: { code: string }) => thrown.code);
  expect([caught, late, told]).toEqual(["option.invalid", "option.invalid", ["over"]]);
});
