// Files that are open for a moment side by side: so many, and the others wait for their turn.
import { expect, it } from "vitest";
import { withFile } from "../../../../src/adapters/file-journal/open-files.js";

it("are forty-eight at a time, also behind those that failed", async () => {
  let open = 0;
  let most = 0;
  const work = (fails: boolean) =>
    withFile(async () => {
      open += 1;
      most = Math.max(most, open);
      await Promise.resolve();
      open -= 1;
      if (fails) throw new Error("EIO");
      return "done";
    });
  const all = await Promise.allSettled(Array.from({ length: 200 }, (_, i) => work(i % 2 === 0)));
  expect(all.map(({ status }) => status)).toEqual(
    Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? "rejected" : "fulfilled")),
  );
  expect([open, most]).toEqual([0, 48]);
});
