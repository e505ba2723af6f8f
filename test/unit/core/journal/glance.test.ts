// An event's line is read as far as a step needs: what stands behind the event is compared as a string,
// and read where it is another text, or where somebody asks for it.
import { describe, expect, it } from "vitest";
import { headerIn, LineDecoder } from "../../../../src/core/journal/decode-line.js";
import { encodeLine, Replay } from "../../../../src/core/journal/index.js";
import { obedient, Recording } from "../../../support/recorded.js";
import { refusal } from "../../../support/thrown.js";

const header = {
  type: "header",
  reasoner: { id: obedient.id, version: obedient.version },
  fingerprint: obedient.fingerprint,
  runId: "r",
  at: 0,
  input: "go",
} as never;

/** A recording's lines, the last one changed, its hash made anew. */
function lines(fields: object, change: (text: string) => string = (text) => text) {
  const run = new Recording();
  run.step({ type: "set", fields } as never);
  const decoder = new LineDecoder();
  return run.texts.map((text, i) => {
    const isLast = i === run.texts.length - 1;
    const changed = isLast ? change(text) : text;
    const whole = encodeLine(changed.slice(0, changed.lastIndexOf(',"hash":"')), "");
    return decoder.decode({ ...whole, number: i + 1 });
  });
}

function lastStep(given: ReturnType<typeof lines>) {
  const replay = new Replay(obedient, { header, from: undefined });
  return given.map((line) => replay.take(line)).at(-1);
}

describe("an event's line", () => {
  it("is read as far as its event, and whole where somebody asks", () => {
    const [first, ...events] = lines({ n: 1 });
    expect(headerIn(first as never)).toMatchObject({ runId: "r" });
    const last = events.at(-1);
    expect(headerIn(last as never)).toBeUndefined();
    expect(Object.keys(last?.glance ?? {})).toEqual(["seq", "event"]);
    expect(last?.line).toMatchObject({ ...last?.glance, value: "a", set: { n: 1 } });
    expect(lastStep([first as never, ...events])?.same).toBe(true);
    // Also where the event has a field that is named like what stands behind it.
    expect(lines({ n: 1, value: 2 }).at(-1)?.glance?.event).toMatchObject({ fields: { value: 2 } });
  });

  it("is read whole where its event cannot be told from what stands behind it", () => {
    const named = { n: { a: {}, value: 1 }, m: [{ b: [], value: [{}] }] };
    for (const fields of [named, { n: Array.from({ length: 20 }, () => ({ c: {}, value: {} })) }]) {
      const given = lines(fields);
      expect(given.at(-1)?.line).toMatchObject({ event: { type: "set", fields } });
      expect(lastStep(given)?.same).toBe(true);
    }
  });

  it.each([
    ["starts that are none", (text: string) => text.replace(',"value"', ',"starts":["t"],"value"')],
    ["no event", (text: string) => text.replace(/"event":\{.*?\}\}/, '"event":{"a":{}}')],
    ["no number", (text: string) => text.replace(/"seq":\d+/, '"seq":{}')],
    ["an event that is not JSON", (text: string) => text.replace('"fields":', '"fields"')],
    ["an event that no journal holds", (text: string) => text.replace('"n"', '"__proto__"')],
  ])("is refused as it is read where it has %s", (_name, change) => {
    expect(refusal(() => lines({ n: {} }, change)).code).toMatch(/^journal\.(format|hostile)$/);
  });

  it("is read whole where more than starts stands before its value", () => {
    const given = lines({ n: 1 }, (text) => text.replace(',"value"', ',"odd":1,"value"'));
    expect(given.at(-1)).toMatchObject({ glance: undefined, line: { odd: 1 } });
  });

  it.each([
    ["something that was ignored", ',"ignored":"stale"'],
    ["directives", ',"value":"b","do":[{"type":"tool","id":"t"}]'],
    ["an end", ',"value":"b","end":{"status":"done"}'],
    ["another event", ',"value":"a","event":{"type":"message","content":"x","at":1}'],
  ])("is refused by a replay where it says %s that its step did not come to", (_name, more) => {
    for (const begin of ["", '"values":{},']) {
      const given = lines({ n: 1 }, (text) =>
        text.replace("{", `{${begin}`).replace(',"value":', `${more},"value":`),
      );
      // Who comes by another event this way finds that its step differs.
      if (begin !== "" && more.includes("message")) {
        expect(lastStep(given)?.same).toBe(false);
        continue;
      }
      const fault = { code: "journal.format", place: `line ${given.length}` };
      const { message, ...refused } = refusal(() => lastStep(given));
      expect(refused).toMatchObject(fault);
      expect(message).toContain("records more of its step");
    }
  });

  it.each([
    ["directives that are none", (text: string) => text.replace(',"set"', ',"do":[1],"set"')],
    ["a set that is none", (text: string) => text.replace(/"set":\{.*?\}/, '"set":7')],
    [
      "directives in lines that are not there",
      (text: string) => text.replace(',"set"', ',"do":"#x","set"'),
    ],
    [
      "more than the proof behind its event",
      (text: string) => text.replace(',"value":', ',"value":}{,"value":'),
    ],
    ["a rest that is not JSON", (text: string) => text.replace(',"set":', ',"set"')],
  ])("is refused where it has %s: by who asks, and by a replay", (_name, change) => {
    const given = lines({ n: 1 }, change);
    const fault = { code: "journal.format", place: `line ${given.length}` };
    expect(refusal(() => given.at(-1)?.line)).toMatchObject(fault);
    expect(refusal(() => lastStep(given))).toMatchObject(fault);
  });
});
