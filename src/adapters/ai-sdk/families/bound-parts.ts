/**
 * Rules on parts of an answer that only the model which made them can read: signed or sealed thinking, item
 * ids, a provider's own tools. Each such part is marked with its model, and sent to no other. A part without
 * a mark, from another program, is recognised by the provider's name in its options.
 */
import type { AssistantPart, ProviderOptions } from "../../../core/kernel/vocabulary/index.js";
import { FAMILIES, type Family, optionsName, originOf, type Target } from "./family.js";
import {
  firstFault,
  mapMessages,
  mapParts,
  mapResults,
  partsOf,
  type Request,
  type Rule,
} from "./rule.js";

/** The name in a part's options under which its origin stands. It is never sent. */
const MARK = "reckoner";

type Options = { readonly providerOptions?: ProviderOptions };

/** Parts that only their own model can read. */
const isSealed = ({ type }: AssistantPart): boolean =>
  type === "reasoning" || type === "reasoning-file" || type === "custom";

/** Parts of a tool that the provider carries out. */
const isServerTool = (part: AssistantPart): boolean =>
  part.type === "tool-result" || (part.type === "tool-call" && part.providerExecuted === true);

/** An answer's parts, with the model that made them noted on those that are bound to it. */
export function markOrigin(
  content: readonly AssistantPart[],
  origin: string,
): readonly AssistantPart[] {
  return content.map((part) => {
    const { providerOptions } = part as Options;
    const bound = isSealed(part) || isServerTool(part) || providerOptions !== undefined;
    if (!bound || part.type === "source") return part;
    return { ...part, providerOptions: { ...providerOptions, [MARK]: { from: origin } } };
  });
}

function originIn(part: AssistantPart): string | undefined {
  const from = part.providerOptions?.[MARK]?.from;
  return typeof from === "string" ? from : undefined;
}

/** Names under which a family's clients put what is bound to their provider. */
const keys: { readonly [F in Family]: readonly string[] } = {
  "openai-chat": ["openai", "azure"],
  "openai-responses": ["openai", "azure"],
  anthropic: ["anthropic"],
  google: ["google", "vertex", "googleVertex"],
  bedrock: ["bedrock", "amazonBedrock"],
  mistral: ["mistral"],
  "openai-compatible": [],
};

const ownKeys = ({ family, provider }: Target) => [...keys[family], optionsName(provider)];

function hasOwnKey(part: AssistantPart, target: Target): boolean {
  const { providerOptions = {} } = part as Options;
  const named = part.type === "custom" ? [part.kind.split(".", 1)[0] as string] : [];
  return [...named, ...Object.keys(providerOptions)].some((key) => ownKeys(target).includes(key));
}

/** Returns true for a part that the target made itself, as far as that is known. */
function isOwn(part: AssistantPart, target: Target): boolean {
  const origin = originIn(part);
  if (origin === undefined) return hasOwnKey(part, target);
  if (origin === originOf(target)) return true;
  // Unsigned thoughts go back to the server that sent them, whichever of its models is asked.
  const unsigned = target.family === "openai-compatible" && part.type === "reasoning";
  return unsigned && origin.startsWith(`${target.provider}:`);
}

/** Returns the reason why a model's sealed part cannot go back to it; `undefined` where it can. */
function unsendable(part: AssistantPart, target: Target): string | undefined {
  const hasForm = part.type === "reasoning" || target.ownParts;
  if (target.family === "openai-chat" || !hasForm) return "has no place in its requests";
  if (!isOwn(part, target)) return "is not its own";
  if (target.family !== "anthropic" || part.type !== "reasoning") return undefined;
  const { signature, redactedData } = part.providerOptions?.anthropic ?? {};
  return signature || redactedData ? undefined : "has no signature";
}

function lostOf(part: AssistantPart, why: string, target: Target): string {
  const what = part.type === "custom" ? `A provider's own part (${part.kind})` : "Reasoning";
  return `${what} of ${originIn(part) ?? "an unknown model"} is not sent to ${originOf(target)}: it ${why}.`;
}

/** A part without the mark of who made it; the same where it has none. */
const withoutMark = <Part extends AssistantPart>(part: Part): Part => {
  if (originIn(part) === undefined) return part;
  const { providerOptions, ...rest } = part as Part & Options;
  const { [MARK]: _mark, ...others } = providerOptions ?? {};
  return (Object.keys(others).length === 0 ? rest : { ...rest, providerOptions: others }) as Part;
};

/** A request as it is sent: without the marks. */
export function unmarked(request: Request): Request {
  return mapMessages(request, (message) =>
    message.role === "tool" ? mapResults(message, withoutMark) : mapParts(message, withoutMark),
  );
}

/** Returns true if a part has in its options what another model than the target put there. */
const isForeign = (part: AssistantPart, target: Target): boolean =>
  originIn(part) !== undefined && !isOwn(part, target);

/** A part without its options where another model put something there. */
function unbound<Part extends AssistantPart>(part: Part, target: Target): Part {
  if (!isForeign(part, target)) return part;
  const { providerOptions: _theirs, ...rest } = part as Part & Options;
  return rest as Part;
}

function boundFault(part: AssistantPart, target: Target): string | undefined {
  if (part.type === "source") return "has a source";
  // A provider's own tools have a rule of their own.
  if (isForeign(part, target) && !isServerTool(part)) return `has options of ${originIn(part)}`;
  const why = isSealed(part) ? unsendable(part, target) : undefined;
  return why === undefined ? undefined : `has a ${part.type} part that ${why}`;
}

/** Thinking, items and ids go to the model that made them; of other models text and calls stay. */
export const BOUND: Rule = {
  name: "parts.bound",
  families: FAMILIES,
  demands:
    "Signed or sealed thinking, item ids and a provider's own parts go only to the model that made them",
  source:
    "anthropic-sdk-python#1598, openai-agents-python#1611, pi-mono packages/ai, pydantic-ai models",
  sure: "A",
  fault: (request, target) =>
    firstFault(request, (message) => {
      if (message.role === "tool")
        return message.content.some((part) => isForeign(part, target))
          ? "has a result with options of another model"
          : undefined;
      for (const part of partsOf(message)) {
        const fault = boundFault(part, target);
        if (fault !== undefined) return fault;
      }
      return undefined;
    }),
  mend(request, target) {
    const lost: string[] = [];
    const mended = mapMessages(request, (message) => {
      // A result has the options of its call.
      if (message.role === "tool") return mapResults(message, (part) => unbound(part, target));
      return mapParts(message, (part) => {
        // Requests have no place for sources: what a provider has to see of them again stands in the
        // options of the texts that cite them, and in its tools' results.
        if (part.type === "source") return [];
        const why = isSealed(part) ? unsendable(part, target) : undefined;
        if (why === undefined) return isServerTool(part) ? part : unbound(part, target);
        // A thought without words loses nothing where it cannot be read.
        if (part.type !== "reasoning" || part.text.trim() !== "")
          lost.push(lostOf(part, why, target));
        return [];
      });
    });
    return { request: mended, lost };
  },
};

/** Families that have tools of their own in a transcript. */
const WITH_SERVER_TOOLS: readonly Family[] = ["openai-responses", "anthropic", "google"];

/** Returns true where a call of a provider's own tool, or its result, can go back. */
function canGoBack(part: AssistantPart, request: Request, target: Target): boolean {
  const { toolName } = part as { readonly toolName: string };
  const declared = request.tools?.some(
    ({ name, provider }) =>
      name === toolName && ownKeys(target).includes(provider?.id.split(".", 1)[0] as string),
  );
  const origin = originIn(part);
  const own = origin?.startsWith(`${target.provider}:`) ?? false;
  const unknown = origin === undefined && WITH_SERVER_TOOLS.includes(target.family);
  if (target.family !== "anthropic") return own || (unknown && declared === true);
  const isMcp = part.providerOptions?.anthropic?.type === "mcp-tool-use";
  return (own || unknown) && (declared === true || isMcp);
}

/** The ids of a provider's own calls that cannot go back. */
function foreignCalls(request: Request, target: Target): ReadonlySet<string> {
  const foreign = new Set<string>();
  const seenIds = new Set<string>();
  for (const part of request.messages.flatMap(partsOf)) {
    if (part.type !== "tool-call" && part.type !== "tool-result") continue;
    // A result goes where its call goes.
    if (!isServerTool(part) || seenIds.has(part.toolCallId)) continue;
    seenIds.add(part.toolCallId);
    if (!canGoBack(part, request, target)) foreign.add(part.toolCallId);
  }
  return foreign;
}

const isAmong = (foreign: ReadonlySet<string>) => (part: AssistantPart) =>
  isServerTool(part) && foreign.has((part as { readonly toolCallId: string }).toolCallId);

/** Calls of a provider's own tools, with their results, go to a request of that provider alone. */
export const SERVER_TOOLS: Rule = {
  name: "parts.server-tools",
  families: FAMILIES,
  demands:
    "Calls and results of a provider's own tools go only to that provider, and to Anthropic only beside the tool's declaration",
  source: "pi-mono packages/ai, @ai-sdk/anthropic, pydantic-ai models",
  sure: "A",
  prefix:
    "A request that no longer declares the tool, as the last one without tools, loses the pair.",
  fault(request, target) {
    const foreign = foreignCalls(request, target);
    return firstFault(request, (message) =>
      partsOf(message).some(isAmong(foreign))
        ? "has a call of another provider's own tool"
        : undefined,
    );
  },
  mend(request, target) {
    const isForeign = isAmong(foreignCalls(request, target));
    const lost = request.messages
      .flatMap(partsOf)
      .filter(isForeign)
      .map((part) => (part as { readonly toolName: string }).toolName);
    return {
      request: mapMessages(request, (message) =>
        mapParts(message, (part) => (isForeign(part) ? [] : part)),
      ),
      lost: [...new Set(lost)].map(
        (name) =>
          `Calls and results of ${name}, another provider's own tool or one that is not offered, are not sent to ${originOf(target)}.`,
      ),
    };
  },
};

/** Returns true if the present turn of a transcript began with calls and without thinking. */
function callsWithoutThinking({ messages }: Request): boolean {
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const first = messages.slice(asked + 1).find(({ role }) => role === "assistant");
  const parts = first === undefined ? [] : partsOf(first);
  return parts.some(({ type }) => type === "tool-call") && parts[0]?.type !== "reasoning";
}

const thinkingOf = ({ settings }: Request) =>
  (settings?.providerOptions?.anthropic?.thinking as { readonly type?: string } | undefined)?.type;

/** A turn that another model began is ended without thinking. */
export const THINKING_OFF: Rule = {
  name: "thinking.begun-elsewhere",
  families: ["anthropic"],
  demands: "With budget thinking on, a turn that has calls begins with thinking",
  source: "Roo-Code#10351, Antigravity-Manager#139",
  sure: "B",
  prefix: "Thinking is a setting; only the requests of a turn that another model began lack it.",
  fault: (request) =>
    thinkingOf(request) === "enabled" && callsWithoutThinking(request)
      ? "thinking is on, and the turn began with calls and without thinking"
      : undefined,
  mend(request, target) {
    const { settings } = request;
    const options = settings?.providerOptions;
    const anthropic = { ...options?.anthropic, thinking: { type: "disabled" } };
    return {
      request: {
        ...request,
        settings: { ...settings, providerOptions: { ...options, anthropic } },
      },
      lost: [
        `${originOf(target)} does not think in the rest of a turn that began with calls and without its thinking.`,
      ],
    };
  },
};
