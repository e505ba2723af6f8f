// A page of the AI SDK over `host.fetch`, wherever a Request is one: a turn that streams, an approval, a reload.
import { describe, expect, it } from "vitest";
import { loadMessages, majors, openPage } from "../support/page-chat.js";
import { platforms } from "./fetch-platforms.mjs";

/** However busy the machine is. */
const LATE = { timeout: 120_000 };
const ai = majors["7"] as (typeof majors)[string];

/** The requests of a page, sent over the network. */
const sentTo = (url: string) => ({
  fetch: (request: Request) =>
    fetch(new Request(request.url.replace("http://desk.example", `${url}/api`), request)),
});

describe.each(Object.entries(platforms))("on %s", (_name, start) => {
  it("a page chats, approves, is loaded anew, and is told what is refused", async () => {
    const { url, stop } = await start();
    try {
      const own = sentTo(url);
      const page = openPage(ai, own, { id: "r1" });
      await page.sendMessage({ text: "My money, please. 💶" });
      expect(page.error).toBeUndefined();
      const brief = () =>
        page.lastMessage?.parts.map((part) => ("text" in part ? part.text : part.type));
      expect(brief()).toEqual(["step-start", "One moment, ﬁrst: 🫖.", "tool-refund"]);
      const loaded = await loadMessages(own, "r1");
      expect(loaded).toEqual(JSON.parse(JSON.stringify(page.messages)));
      const again = openPage(ai, own, { id: "r1", messages: loaded });
      const call = again.lastMessage?.parts.at(-1) as { approval?: { id: string } } | undefined;
      await again.addToolApprovalResponse({ id: call?.approval?.id as string, approved: true });
      await expect.poll(() => JSON.stringify(again.lastMessage), LATE).toContain("It is done.");
      await page.resumeStream();
      expect(brief()?.at(-1)).toBe("It is done.");
      expect(JSON.stringify(page.messages)).toContain("paid back");
      const odd = await fetch(`${url}/api/chat`, { method: "POST", body: "{" });
      expect(odd.status).toBe(400);
      expect((await fetch(`${url}/api/none`)).status).toBe(404);
    } finally {
      await stop();
    }
  });
});
