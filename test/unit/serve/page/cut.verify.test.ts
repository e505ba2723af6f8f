// A page whose stream is cut at any event shows the same in the end as one that was never cut: loaded anew, or
// resumed as it is, in both majors of the AI SDK.

import { shown } from "reckoner/page";
import { describe, expect, it } from "vitest";
import { Connection, cutHost } from "../../../support/cut-page.js";
import { isLong } from "../../../support/is-long.js";
import { loadMessages, majors, openPage, type Page } from "../../../support/page-chat.js";

/** Says one thing, and answers all that is asked. @param cut the events that come before the connection breaks */
async function play(
  ai: (typeof majors)[string],
  cut: number | undefined,
  { reloads = false, wraps = false }: { readonly reloads?: boolean; readonly wraps?: boolean },
) {
  const own = cutHost();
  const connection = new Connection(own, cut);
  const open = (messages: Page["messages"]) =>
    openPage(ai, own, { id: "r1", messages, fetch: connection.fetch, sends: false, wraps });
  let page = open([]);
  try {
    await page.sendMessage({ text: "I want my money back." });
    for (let n = 0; n < 20; n++) {
      if (page.status === "error") {
        if (reloads) page = open(await loadMessages(own, "r1"));
        await page.resumeStream();
      } else if (!(await answer(page))) break;
    }
    expect(page.error).toBeUndefined();
    const seen = JSON.stringify(page.messages.map((each) => shown(each)));
    const loaded = (await loadMessages(own, "r1")).map((each) => shown(each));
    return { seen: JSON.parse(seen), loaded, events: connection.events, raw: page.messages };
  } finally {
    await own.drain();
  }
}

/** @returns false where nothing is asked */
async function answer(page: Page): Promise<boolean> {
  for (const part of page.lastMessage?.parts ?? []) {
    const { state, approval, type, toolCallId } = part as never as {
      state?: string;
      type: string;
      toolCallId: string;
      approval?: { id: string };
    };
    if (state === "approval-requested") {
      const approved = type === "tool-refund";
      await page.addToolApprovalResponse({ id: approval?.id as string, approved });
    } else if (type === "tool-seat" && state === "input-available") {
      await page.addToolOutput({ tool: "seat" as never, toolCallId, output: { row: 7 } as never });
    } else continue;
    await page.sendMessage();
    return true;
  }
  return false;
}

/** All cuts are made by `npm run verify -- --long`; else each way of each major makes a sixth, and all together each one. */
const STRIDE = isLong ? 1 : 6;

describe.each(Object.entries(majors))("with the AI SDK %s", (major, ai) => {
  it("sees all of the turn where nothing is cut", async () => {
    const { seen, loaded, raw } = await play(ai, undefined, {});
    expect(seen).toEqual(loaded);
    const types = raw.flatMap(({ parts }) => parts.map(({ type }) => type));
    expect(types.filter((type) => type === "data-reckoner-withdrawn").length).toBeGreaterThan(0);
    const last = seen.at(-1).parts.map(({ type, state }: Record<string, string>) => [type, state]);
    expect(last).toEqual([
      ...[
        ["step-start", undefined],
        ["reasoning", "done"],
        ["text", "done"],
      ],
      ...[
        ["tool-look", "output-available"],
        ["tool-note", "output-available"],
      ],
      ...[
        ["tool-fail", "output-error"],
        ["step-start", undefined],
        ["text", "done"],
      ],
      ...[
        ["tool-refund", "output-available"],
        ["tool-pay", "output-denied"],
      ],
      ...[
        ["tool-seat", "output-available"],
        ["step-start", undefined],
        ["text", "done"],
      ],
    ]);
  });

  it.each([
    ["loaded anew", { reloads: true }, 0],
    ["resumed as it is", {}, 1],
    ["resumed by a chat that knows of no replay", { wraps: true }, 2],
  ])("shows the same, wherever it was cut, %s", async (_how, way, first) => {
    const { seen, events } = await play(ai, undefined, {});
    expect(events).toBeGreaterThan(30);
    const cuts = Array.from({ length: events }, (_, cut) => cut).filter(
      (cut) => cut % STRIDE === (first + 3 * Object.keys(majors).indexOf(major)) % STRIDE,
    );
    while (cuts.length > 0) {
      await Promise.all(
        cuts.splice(0, 12).map(async (cut) => {
          const own = await play(ai, cut, way);
          expect(own.seen, `cut behind ${cut} events`).toEqual(seen);
          expect(own.loaded, `cut behind ${cut} events`).toEqual(seen);
        }),
      );
    }
  });
});
