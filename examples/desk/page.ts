/** The customer's page: React, the AI SDK's useChat, and nothing of its own but how it looks. */
import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport, type UIMessage } from "ai";
import { createElement as h, useEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { type PageData, type PageTools, refusalIn, sendAgain, shown } from "reckoner/page";
import type { Desk } from "./agent.js";

type Message = UIMessage<unknown, PageData, PageTools<Desk>>;

if (location.hash === "") location.hash = crypto.randomUUID();
const id = location.hash.slice(1);
const transport = new DefaultChatTransport<Message>({
  api: "/api/chat",
  fetch: sendAgain(), // while nobody is there to hear it
  // It also follows what a clerk decides.
  prepareReconnectToStreamRequest: ({ api }) => ({ api: `${api}/${id}/stream?follow=true` }),
});

const load = async (): Promise<Message[]> => {
  const response = await fetch(`/api/chat/${id}`);
  return response.ok ? (await response.json()).messages : [];
};

const textIn = (message: Message) =>
  message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");

const waits = (message: Message | undefined) =>
  message?.parts.some((part) => "state" in part && part.state === "approval-requested") === true;

function Part({ part }: { part: Message["parts"][number] }) {
  switch (part.type) {
    case "text":
      return h("p", null, part.text);
    case "tool-find_order":
      return h("div", { className: "call" }, `looks up order ${part.input?.order}`);
    case "tool-refund": {
      const label = {
        "input-streaming": "a refund …",
        "input-available": `a refund of ${part.input?.euros} euros is paid …`,
        "approval-requested": `a refund of ${part.input?.euros} euros waits for a colleague`,
        "approval-responded": "decided",
        "output-available": `paid back: ${part.output}`,
        "output-error": part.errorText,
        "output-denied": "the refund was refused",
      }[part.state];
      return h("div", { className: "call" }, label);
    }
    case "data-reckoner-waiting":
      return h("div", { className: "call" }, `Please wait: ${part.data.message}`);
    case "data-reckoner-failed":
      return h("div", { className: "call" }, `It failed: ${part.data.message}`);
    default:
      return null;
  }
}

function Page({ messages: loaded }: { messages: Message[] }) {
  const chat = useChat<Message>({ id, messages: loaded, transport, resume: true });
  const { messages, setMessages, status, sendMessage, regenerate, resumeStream, stop, error } =
    chat;
  const refused = refusalIn(error);
  const now = useRef(status);
  now.current = status;
  const [text, setText] = useState("");
  const [edits, setEdits] = useState<string>();
  const isWaiting = waits(messages.at(-1));
  const isBusy = status !== "ready" && status !== "error";
  useEffect(() => {
    // A stream that broke, or one that ended where somebody else decides, goes on.
    if (refused || (status !== "error" && !(status === "ready" && isWaiting))) return;
    const timer = setInterval(() => void resumeStream(), 1_000);
    return () => clearInterval(timer);
  }, [status, isWaiting, refused, resumeStream]);
  useEffect(() => {
    if (status !== "ready" && !refused) return;
    // Was the stream broken, or has another tab said something? What was refused goes back to where it was written.
    void load().then((all) => {
      const last = messages.at(-1);
      const isKnown = last === undefined || all.some((each) => each.id === last.id);
      if (now.current !== status || !(isKnown || refused)) return;
      if (refused && last?.role === "user") setText(textIn(last));
      setMessages(all);
    });
  }, [status]);
  const send = async (event: { preventDefault(): void }) => {
    event.preventDefault();
    // What is said meanwhile waits for its turn, and what streams in goes on; but not what is taken back.
    if (edits !== undefined) await stop();
    void sendMessage({ text, ...(edits === undefined ? {} : { messageId: edits }) });
    setText("");
    setEdits(undefined);
  };
  const halt = () => fetch(`/api/runs/${id}/interrupt`, { method: "POST" });
  return h(
    "main",
    null,
    messages.map((message) => {
      const parts = shown(message).parts.map((part, key) => h(Part, { key, part }));
      if (message.role !== "user") return h("div", { key: message.id, className: "agent" }, parts);
      const edit = () => {
        setEdits(message.id);
        setText(textIn(message));
      };
      const button = h("button", { type: "button", onClick: edit }, "Edit");
      return h("div", { key: message.id, className: "user" }, parts, button);
    }),
    h(
      "p",
      { className: "status" },
      refused ? `not sent: ${refused.message}` : isWaiting ? "waiting" : status,
    ),
    h(
      "form",
      { onSubmit: send },
      h("input", {
        value: text,
        placeholder: "I want my money back.",
        onInput: (event: { currentTarget: { value: string } }) =>
          setText(event.currentTarget.value),
      } as never),
      h("button", { type: "submit" }, edits === undefined ? "Send" : "Say this instead"),
      isBusy && !isWaiting ? h("button", { type: "button", onClick: halt }, "Stop") : null,
      isBusy ? null : h("button", { type: "button", onClick: () => void regenerate() }, "Again"),
    ),
  );
}

createRoot(document.getElementById("root") as HTMLElement).render(
  h(Page, { messages: await load() }),
);
