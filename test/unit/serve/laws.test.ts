// The store in memory obeys the laws of stores of hosts, and a host over it those of the verbs of one run.

import { virtualClock } from "reckoner";
import { memoryHostStore, type RunHost } from "reckoner/serve";
import { hostLaws, runHostLaws } from "reckoner/testing";
import { describe, it } from "vitest";
import { memoryHost } from "../../support/serve.js";

describe("the store in memory", () => {
  const make = () => {
    const clock = virtualClock(1_000_000);
    return { store: memoryHostStore({ clock }), pass: (ms: number) => clock.advance(ms) };
  };
  for (const law of hostLaws(make)) it(law.name, law.check);
});

describe("a run of a host in memory", () => {
  let made = memoryHost();
  /** Each verb in virtual time. */
  const inTime = (run: RunHost): RunHost =>
    Object.fromEntries(
      Object.entries(run).map(([name, verb]) => [
        name,
        (...given: never[]) => made.at((verb as (...all: never[]) => Promise<unknown>)(...given)),
      ]),
    ) as never;
  const make = async () => {
    await made.at(made.host.drain());
    made = memoryHost();
    return inTime(made.host.run("r1"));
  };
  for (const law of runHostLaws(make, (holds) => made.until(holds))) it(law.name, law.check);
});
