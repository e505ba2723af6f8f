/**
 * Says which fields messages and their parts (text, file, tool call, tool result …) must have, as shapes
 * for the validation of inputs, events and transcripts.
 */
import {
  findFault,
  listOf,
  misfit,
  NAME,
  OBJECT,
  open,
  optionsOf,
  type Shape,
  SOMETHING,
  TEXT,
  tagged,
  whole,
} from "./shapes.js";

const ABSENT: Shape = [
  (value) => value === undefined,
  "left out, since blob says where the content lies",
];
const AMOUNT: Shape = [
  (value) => Number.isFinite(value) && Number(value) >= 0,
  "a number, 0 or more",
];

/** A file whose content lies elsewhere. */
const BLOB: Shape = open(
  {
    blob: NAME,
    data: ABSENT,
    mediaType: TEXT,
    size: whole(0),
    measures: optionsOf({ width: AMOUNT, height: AMOUNT, pages: AMOUNT, seconds: AMOUNT }),
  },
  "blob",
  "mediaType",
  "size",
);
const DATA: Shape = open({ data: TEXT, mediaType: TEXT }, "data", "mediaType");
const FILE: Shape = [
  OBJECT[0],
  "an object",
  (part: object) => findFault(part, isBlob(part) ? BLOB : DATA),
];
/** A model's own file has its content with it. */
const MADE: Shape = open(
  { data: TEXT, mediaType: TEXT, blob: [() => false, "left out; a model's file has data"] },
  "data",
  "mediaType",
);
const WORDS: Shape = open({ text: TEXT }, "text");
const IMAGE: Shape = open({ image: TEXT }, "image");
const CALL = { toolCallId: TEXT, toolName: TEXT };
const RESULT: Shape = open(
  { ...CALL, output: open({ type: TEXT }, "type") },
  "toolCallId",
  "toolName",
  "output",
);

/** Parts of a kind that we do not know are a provider's own, and let through. */
const OTHER: Shape = OBJECT;
const commonParts = { text: WORDS, reasoning: WORDS, "tool-result": RESULT };

/** The parts of a message that a user writes: texts, images, files. */
const SAID: Shape = listOf(tagged("type", { text: WORDS, image: IMAGE, file: FILE }), 1);
/** The parts of a transcript, from wherever it comes. */
export const PARTS: Shape = listOf(
  tagged(
    "type",
    {
      ...commonParts,
      file: [
        OBJECT[0],
        "an object",
        (part: object) => (isBlob(part) ? findFault(part, BLOB) : undefined),
      ],
      "tool-call": open({ ...CALL, input: SOMETHING }, "toolCallId", "toolName", "input"),
    },
    OTHER,
  ),
);

/** A model's answer: what it makes beside words has no other form in JSON. A call without arguments is what it said. */
export const ANSWER: Shape = listOf(
  tagged(
    "type",
    {
      ...commonParts,
      "tool-call": open(CALL, "toolCallId", "toolName"),
      file: MADE,
      "reasoning-file": MADE,
      source: open({ sourceType: TEXT, id: TEXT }, "sourceType", "id"),
      custom: open({ kind: TEXT }, "kind"),
    },
    OTHER,
  ),
);

/** The parts of a tool's result that the model reads. */
export const TOOL_CONTENT: Shape = listOf(
  tagged("type", {
    text: WORDS,
    image: IMAGE,
    file: FILE,
    custom: open({ providerOptions: OBJECT }, "providerOptions"),
  }),
);

/** A text or parts. */
function spoken(parts: Shape): Shape {
  return [
    (value) => typeof value === "string" || Array.isArray(value),
    "a string or a list of parts",
    (value: unknown) => (typeof value === "string" ? undefined : findFault(value, parts)),
  ];
}

/** The parts of what a user says. */
export const USER_CONTENT: Shape = spoken(SAID);
/** A message of a transcript. */
export const MESSAGE: Shape = tagged("role", {
  system: open({ content: TEXT }, "content"),
  user: open({ content: USER_CONTENT }, "content"),
  assistant: open({ content: spoken(PARTS) }, "content"),
  tool: open({ content: PARTS }, "content"),
});

/** Returns true if a part of a message is a file that lies elsewhere. */
export function isBlob(part: object): boolean {
  const { type, blob } = part as { readonly type?: unknown; readonly blob?: unknown };
  return type === "file" && blob !== undefined;
}

/**
 * Describes the fault of a value that should be a message; `undefined` where it is one.
 * @param name of the value, as the fault begins
 */
export function messageFault(value: unknown, name = "the message"): string | undefined {
  return misfit(value, MESSAGE, name);
}
