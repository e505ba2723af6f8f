// The moving line: drawn over itself, erased when something else is said.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Spinner } from "../../../src/cli/spinner.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("is drawn over itself with the text that it has, and erased at the end", () => {
  const written: string[] = [];
  const stream = { columns: 30, write: (text: string) => written.push(text) };
  const spinner = new Spinner(stream as never);
  spinner.stop();
  expect(written).toEqual([]);
  spinner.show("thinking");
  spinner.show("acting");
  vi.advanceTimersByTime(160);
  spinner.show("x".repeat(40));
  vi.advanceTimersByTime(80);
  spinner.stop();
  spinner.stop();
  vi.advanceTimersByTime(800);
  const erase = "\r\u001b[2K";
  expect(written).toEqual([
    `${erase}⠋ thinking`,
    `${erase}⠙ acting`,
    `${erase}⠹ acting`,
    `${erase}⠸ …${"x".repeat(25)}`,
    erase,
  ]);
});
