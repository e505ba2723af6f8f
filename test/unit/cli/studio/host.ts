/** A host with a run that waits for a person, and the studio's door to it. */
import { virtualClock } from "reckoner";
import { type HostRunsOptions, host, memoryHostStore } from "reckoner/serve";
import { onTestFinished } from "vitest";
import { hostJournals } from "../../../../src/cli/studio/host-journals.js";
import { BEGUN, payer, script } from "../../studio/support.js";

export async function aHost(more: Partial<HostRunsOptions> = {}) {
  const own = host({
    reasoners: [payer()],
    model: script(),
    store: memoryHostStore(),
    clock: virtualClock(BEGUN),
    authorize: (request) =>
      request.headers.get("x-person") === null
        ? undefined
        : { person: request.headers.get("x-person") as string },
    ...more,
  });
  const { url, close } = await own.listen();
  onTestFinished(async () => {
    await close();
    await own.drain();
  });
  const run = own.run("r1");
  await run.start(
    { reasoner: "payer", input: { prompt: "Order A-17 arrived broken." }, person: "ada" },
    { by: "ada" },
  );
  for await (const seen of own.watch("r1"))
    if ("text" in seen && seen.text.includes('"type":"approval"')) break;
  return { url, journals: hostJournals(`${url}/`, [["x-person", "ada"]]), close };
}
