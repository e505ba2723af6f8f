/**
 * Rules on the settings of a model request: stop sequences, `topK`, and if the provider stores the answer.
 */
import type { LlmSettings } from "../../../core/kernel/vocabulary/index.js";
import { FAMILIES, originOf, type Target } from "./family.js";
import type { Request, Rule } from "./rule.js";

const stops = ({ settings }: Request): readonly string[] | undefined => settings?.stopSequences;

/** A request with other settings; without the names whose values are `undefined`. */
export function withSettings(request: Request, change: LlmSettings): Request {
  const all = Object.entries({ ...request.settings, ...change });
  return {
    ...request,
    settings: Object.fromEntries(all.filter(([, value]) => value !== undefined)) as LlmSettings,
  };
}

/** An empty list of stop sequences. */
export const EMPTY_STOP: Rule = {
  name: "stop.empty",
  families: FAMILIES,
  demands: "A list of stop sequences has at least one",
  source: "OpenAI StopConfiguration",
  sure: "A",
  fault: (request) =>
    stops(request)?.length === 0 ? "the list of stop sequences is empty" : undefined,
  mend: (request) => ({ request: withSettings(request, { stopSequences: undefined }) }),
};

const MOST_STOPS = 4;

/** More stop sequences than OpenAI's chat takes. */
export const MOST_STOPS_RULE: Rule = {
  name: "stop.most",
  families: ["openai-chat"],
  demands: "There are at most four stop sequences",
  source: "OpenAI StopConfiguration",
  sure: "A",
  fault: (request) =>
    (stops(request)?.length ?? 0) > MOST_STOPS
      ? "there are more than four stop sequences"
      : undefined,
  mend: (request, target) => ({
    request: withSettings(request, { stopSequences: stops(request)?.slice(0, MOST_STOPS) }),
    lost: [`${originOf(target)} takes four stop sequences; those behind are left out.`],
  }),
};

/** Stop sequences with models that take none. */
export const NO_STOP: Rule = {
  name: "stop.none",
  families: ["openai-chat"],
  demands: "o3 and o4-mini take no stop sequences",
  source: "OpenAI StopConfiguration",
  sure: "A",
  only: ({ modelId }) => /^(?:o3|o4-mini)\b/.test(modelId),
  fault: (request) =>
    stops(request) === undefined ? undefined : "the model takes no stop sequences",
  mend: (request, target) => ({
    request: withSettings(request, { stopSequences: undefined }),
    lost: [`${originOf(target)} takes no stop sequences; they are left out.`],
  }),
};

/** `topK`, which Bedrock's interface has no place for: each maker's models read it under another name. */
export const NO_TOP_K: Rule = {
  name: "settings.top-k",
  families: ["bedrock"],
  demands: "There is no topK in inferenceConfig",
  source: "pydantic-ai models/bedrock; @ai-sdk/amazon-bedrock puts it there",
  sure: "A",
  fault: ({ settings }) => (settings?.topK === undefined ? undefined : "there is a topK"),
  mend: (request, target) => ({
    request: withSettings(request, { topK: undefined }),
    lost: [
      `${originOf(target)} takes no topK; it is left out. Pass it as providerOptions.bedrock.additionalModelRequestFields.`,
    ],
  }),
};

/**
 * Under which name a client of OpenAI's Responses API reads its options. Azure's may stand under either;
 * its own would hide the other.
 */
export function storeName({ settings }: Request, { provider }: Target): "azure" | "openai" {
  const { openai, azure } = settings?.providerOptions ?? {};
  return provider.startsWith("azure") && !(openai !== undefined && azure === undefined)
    ? "azure"
    : "openai";
}

/** Returns true if a hosted tool asks before it runs: the answer refers to the question, which must be stored. */
const asksApproval = ({ tools = [] }: Request): boolean =>
  tools.some(({ provider }) => {
    const { requireApproval = "never" } = provider?.args ?? {};
    return provider?.id === "openai.mcp" && requireApproval !== "never";
  });

/**
 * Conversations that the provider would store and have referred to by id. A journal must be able to go
 * on without them, so whole items are sent.
 */
export const STORE: Rule = {
  name: "store.said",
  families: ["openai-responses"],
  demands: "A request says whether it is stored: items that are not stored are sent whole",
  source: "OpenAI CreateResponse, llama_index#20333",
  sure: "A",
  fault: (request, target) =>
    request.settings?.providerOptions?.[storeName(request, target)]?.store === undefined
      ? "it is not said whether the request is stored"
      : undefined,
  mend(request, target) {
    const name = storeName(request, target);
    const all = request.settings?.providerOptions;
    const providerOptions = { ...all, [name]: { store: asksApproval(request), ...all?.[name] } };
    return { request: withSettings(request, { providerOptions }) };
  },
};
