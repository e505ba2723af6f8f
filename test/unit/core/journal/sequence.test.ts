// A journal whose chain is right and whose events are not in their order is refused by whoever folds it.
import { expect, it } from "vitest";
import { openOf } from "../../../../src/core/journal/decode-line.js";
import { encodeLine } from "../../../../src/core/journal/index.js";
import { fold, replay, resume } from "../../../../src/runtime/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { obedient, Recording } from "../../../support/recorded.js";
import { rejection } from "../../../support/thrown.js";

it.each([
  ["a later", 9],
  ["an earlier", 0],
])("an event with %s number", async (_name, seq) => {
  const run = new Recording();
  for (let i = 0; i < 3; i++) run.step({ type: "set", fields: { i } });
  let previous = "";
  const texts = run.texts.map((text) => {
    const open = openOf(text).replace('"seq":2', `"seq":${seq}`);
    const line = encodeLine(open, previous);
    previous = line.hash;
    return `${line.text}\n`;
  });
  const journal = () => textJournal(texts.join(""));
  for (const reads of [
    replay,
    fold,
    (...[of, port]: Parameters<typeof fold>) => resume(of, port),
  ]) {
    const error = await rejection(Promise.resolve(reads(obedient, journal())));
    expect(error).toMatchObject({ code: "journal.format", place: "line 4" });
  }
});

it.each([
  ["another event", '{"type":"set","at":0}'],
  ["a start at another time", '{"type":"start","at":1}'],
])("%s for the start of the header", async (_name, event) => {
  let previous = "";
  const texts = new Recording().texts.map((text) => {
    const line = encodeLine(openOf(text).replace('{"type":"start","at":0}', event), previous);
    previous = line.hash;
    return `${line.text}\n`;
  });
  for (const reads of [
    replay,
    fold,
    (...[of, port]: Parameters<typeof fold>) => resume(of, port),
  ]) {
    const error = await rejection(Promise.resolve(reads(obedient, textJournal(texts.join("")))));
    expect(error).toMatchObject({ code: "journal.format", place: "event 0" });
  }
});
