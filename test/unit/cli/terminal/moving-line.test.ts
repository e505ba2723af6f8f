// The moving line: written over itself, erased when something else is said, and shown on terminals alone.
import { expect, it } from "vitest";
import { MovingLine } from "../../../../src/cli/terminal/moving-line.js";

const erase = "\r\u001b[2K";

function lineOn(terminal: object): { line: MovingLine; written: string[] } {
  const written: string[] = [];
  const write = (text: string) => written.push(text);
  return { line: new MovingLine({ ...terminal, write } as never), written };
}

it("is written over itself with the text that it has, and erased at the end", () => {
  const { line, written } = lineOn({ isTTY: true, columns: 30 });
  line.stop();
  expect(written).toEqual([]);
  line.show("thinking");
  line.show("acting");
  line.show("acting");
  line.show("x".repeat(40));
  line.show("\u001b[31m");
  line.stop();
  line.stop();
  expect(written).toEqual([
    `${erase}thinking`,
    `${erase}acting`,
    `${erase}…${"x".repeat(27)}`,
    `${erase}\\x1b[31m`,
    erase,
  ]);
});

it.each([{}, { isTTY: false, columns: 80 }, { isTTY: true, columns: 0 }])(
  "is not on %j",
  (none) => {
    const { line, written } = lineOn(none);
    line.show("thinking");
    line.stop();
    expect(written).toEqual([]);
  },
);
