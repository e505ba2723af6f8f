// A tool's result as deep as JSON may be, and one deeper: a result, or that call's failure, and never
// the end of the run.
import { expect, it } from "vitest";
import { agent } from "../../../../src/core/agent/index.js";
import { type Json, MAX_DEPTH } from "../../../../src/core/kernel/values/index.js";
import { contextUpdate, tool, withUpdate } from "../../../../src/core/kernel/vocabulary/index.js";
import { replay, run, scriptedModel } from "../../../../src/runtime/index.js";

function nested(depth: number): Json {
  let value: Json = 1;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}

async function calls(work: () => unknown) {
  const deep = agent({ name: "deep", tools: [tool({ name: "t", execute: work })] });
  const model = scriptedModel([{ calls: [{ name: "t" }] }, "done"]);
  const end = await run(deep, "go", { model });
  return { end, report: await replay(deep, end.journal) };
}

for (let depth = MAX_DEPTH - 3; depth <= MAX_DEPTH + 1; depth++) {
  it(`a result ${depth} deep`, async () => {
    const { end, report } = await calls(() => nested(depth));
    expect(end.status).toBe("done");
    expect(report.status).toBe("identical");
  });

  it(`an update ${depth} deep`, async () => {
    const { end, report } = await calls(() =>
      withUpdate(1, contextUpdate().set("deep", nested(depth))),
    );
    expect(end.status).toBe("done");
    expect(report.status).toBe("identical");
  });
}
