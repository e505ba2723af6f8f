/**
 * Says of each type of event which fields it must have, as the shape that `parseEvent` validates an event
 * by before a run takes it, whether it comes from an effect, a caller or a journal.
 */
import { UPDATE_OPERATIONS } from "./context-update.js";
import { ANSWER, PARTS, TOOL_CONTENT, USER_CONTENT } from "./part-shapes.js";
import {
  FLAG,
  listOf,
  NAME,
  OBJECT,
  open,
  optionsOf,
  recordOf,
  type Shape,
  SOMETHING,
  TEXT,
  whole,
} from "./shapes.js";

const settled = {
  origin: optionsOf({ by: TEXT, role: TEXT }, "by"),
  usage: OBJECT,
  spent: listOf(open({ model: TEXT, usage: OBJECT }, "model", "usage")),
};
const error = open({ code: TEXT, message: TEXT }, "code", "message");
const FAILED = open({ ...settled, error }, "error");

const message = { content: USER_CONTENT };
const id = { id: NAME };

/** The shape of each event of the kernel's, beside its type, its time, and the id of what it settles. */
export const EVENTS: { readonly [type: string]: Shape | undefined } = Object.assign(
  Object.create(null) as object,
  {
    "llm.succeeded": open({ ...settled, content: ANSWER }, "content"),
    "llm.failed": FAILED,
    "tool.succeeded": open(
      { ...settled, output: SOMETHING, content: TOOL_CONTENT, update: UPDATE_OPERATIONS },
      "output",
    ),
    "tool.failed": open({ ...settled, error, content: TOOL_CONTENT }, "error"),
    "read.succeeded": open({ ...settled, value: SOMETHING }, "value"),
    "read.failed": FAILED,
    "write.succeeded": open(settled),
    "write.failed": FAILED,
    "run.succeeded": open({ ...settled, output: SOMETHING }, "output"),
    "run.failed": FAILED,
    "timer.fired": open(settled),
    "approval.decided": open({ ...settled, approve: FLAG, reason: TEXT }, "approve"),
    message: open({ ...message, ...id }, "content"),
    "message.edited": open({ ...message, ...id }, "id", "content"),
    "message.removed": open(id, "id"),
    "message.moved": open({ ...id, to: whole(0) }, "id", "to"),
    interrupt: open(
      {
        partial: recordOf(open({ content: PARTS, usage: OBJECT }, "content", "usage")),
        reason: TEXT,
      },
      "partial",
    ),
    cancel: open({ reason: TEXT }),
  },
);
