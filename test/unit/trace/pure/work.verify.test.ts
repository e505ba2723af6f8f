// What traces cost: each event is looked at so often, however many there are. Work is counted, not timed.
import "../../../support/work.js";

import { expect, it } from "vitest";
import { criticalPath, Trace, type TraceEvent } from "../../../../src/trace/pure/index.js";
import { event } from "../../../support/traced.js";
import { expectFlat } from "../../../support/work.js";

it("a path of many stretches looks for what ran beside each of them once", async () => {
  const chain = (count: number): readonly TraceEvent[] => {
    const ids = ["r#@0", ...Array.from({ length: count }, (_, i) => `r#t${i}`)];
    return ids.map((id, at) => {
      const parentEvent = ids[at - 1];
      if (parentEvent === undefined) return event(id, { type: "input", at, endSeq: 0 });
      return event(id, { at, endSeq: at, durationMs: 1, parentEvent });
    });
  };
  await expectFlat(
    (count) => {
      const trace = new Trace(chain(count));
      return () => expect(criticalPath(trace, "r")?.segments).toHaveLength(count);
    },
    50,
    800,
  );
});

it("a path of many children goes through the events of each once", async () => {
  await expectFlat(
    (count) => {
      const ids = Array.from({ length: count }, (_, i) => `c${i}`);
      const delegations = ids.map((runId, at) => {
        const before = at === 0 ? "r#@0" : `r#${ids[at - 1]}`;
        const more = { endSeq: at + 1, durationMs: 1, parentEvent: before, fields: { runId } };
        return event(`r#${runId}`, { type: "delegation", at, seq: at + 1, ...more });
      });
      const children = ids.map((runId, at) => event(`${runId}#t`, { runId, at, endSeq: 1 }));
      const start = event("r#@0", { type: "input", at: 0, endSeq: 0 });
      const trace = new Trace([start, ...delegations, ...children]);
      return () => expect(criticalPath(trace, "r")?.segments).toHaveLength(count);
    },
    50,
    800,
  );
});

it("circles, however many, are cut one by one", async () => {
  await expectFlat(
    (count) => {
      const events = Array.from({ length: count }, (_, i) => [
        event(`r#a${i}`, { parentEvent: `r#b${i}` }),
        event(`r#b${i}`, { parentEvent: `r#a${i}` }),
      ]).flat();
      return () => expect(new Trace(events).defects).toHaveLength(count);
    },
    50,
    800,
  );
});
