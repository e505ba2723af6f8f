// A line of an event stream that comes in many pieces costs what it is long, not each piece the whole.
import "../../../support/work.js";

import { expect, it } from "vitest";
import { tapped } from "../../../../src/adapters/ai-sdk/wire.js";
import { expectFlat } from "../../../support/work.js";

it("a line in many pieces is put together once", async () => {
  const piece = new TextEncoder().encode("x".repeat(4096));
  const prepare = (count: number) => async () => {
    let left = count;
    const body = new ReadableStream({
      pull(controller) {
        if (left-- > 0) controller.enqueue(piece);
        else controller.close();
      },
    });
    const headers = { "content-type": "text/event-stream" };
    const fetch = async () => new Response(body, { headers });
    const { model } = tapped({ config: { fetch } } as never);
    const { config } = model as unknown as { config: { fetch: typeof globalThis.fetch } };
    const answer = await config.fetch("https://a.test/");
    let bytes = 0;
    for await (const chunk of answer.body as ReadableStream<Uint8Array>) bytes += chunk.length;
    expect(bytes).toBe(count * piece.length);
  };
  await expectFlat(prepare, 50, 400);
});
