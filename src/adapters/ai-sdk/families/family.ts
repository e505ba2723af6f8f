/**
 * Finds the family of a provider (`openai-chat`, `anthropic`, …) from the client's and the model's name. The
 * family decides which rules a request has to obey.
 */

/** The families, by the interface that their servers speak. */
export const FAMILIES = [
  "openai-chat",
  "openai-responses",
  "anthropic",
  "google",
  "bedrock",
  "mistral",
  "openai-compatible",
] as const;

/** A family of providers that take the same requests. */
export type Family = (typeof FAMILIES)[number];

/** The provider, model and rules that a request is for. */
export interface Target {
  readonly family: Family;
  /** The provider as its client names it: `openai.responses`. */
  readonly provider: string;
  readonly modelId: string;
  /** The client sends a schema of the answer to its server. */
  readonly structuredOutputs: boolean;
  /** The client has a form for a provider's own parts, and for files of a model's reasoning. */
  readonly ownParts: boolean;
}

/** Clients of one interface, by the name that they give their provider. */
const byProvider: readonly (readonly [RegExp, Family])[] = [
  [/^(?:openai|azure|azure-openai)\.responses$/, "openai-responses"],
  [/^(?:openai|azure|azure-openai)\.(?:chat|completion)$/, "openai-chat"],
  [/(?:^|\.)anthropic(?:\.messages)?$/, "anthropic"],
  [/^(?:google|vertex|google-vertex)(?:\.|$)/, "google"],
  [/^(?:amazon-)?bedrock(?:\.|$)/, "bedrock"],
  [/^mistral(?:\.|$)/, "mistral"],
];

/** Makers of models, as a gateway's model ids begin: `anthropic/claude-sonnet-4.5`. */
const byMaker: { readonly [maker: string]: Family } = {
  openai: "openai-responses",
  anthropic: "anthropic",
  google: "google",
  amazon: "bedrock",
  mistral: "mistral",
};

/**
 * The family of a model. The SDK's gateway takes the SDK's own prompts and passes them to the client
 * of the model's maker, so its models are of that family. An unknown provider is OpenAI-compatible.
 */
export function familyOf(provider: string, modelId: string): Family {
  if (provider === "gateway") {
    const maker = modelId.split("/", 1)[0] as string;
    return Object.hasOwn(byMaker, maker) ? (byMaker[maker] as Family) : "openai-compatible";
  }
  return byProvider.find(([pattern]) => pattern.test(provider))?.[1] ?? "openai-compatible";
}

/** Clients that send a schema of the answer, of those that speak OpenAI's chat. */
const SCHEMA_SENDERS = /^(?:groq|xai)(?:\.|$)/;

/** Returns the target of a model's requests. */
export function targetOf(
  model: {
    readonly provider: string;
    readonly modelId: string;
    readonly specificationVersion: string;
    readonly supportsStructuredOutputs?: unknown;
  },
  family: Family = familyOf(model.provider, model.modelId),
): Target {
  const { provider, modelId } = model;
  return {
    family,
    provider,
    modelId,
    structuredOutputs:
      family !== "openai-compatible" ||
      model.supportsStructuredOutputs === true ||
      SCHEMA_SENDERS.test(provider),
    ownParts: model.specificationVersion === "v4",
  };
}

/** The name by which what a model made is known as its own: `openai.responses:gpt-5-mini`. */
export function originOf({ provider, modelId }: Pick<Target, "provider" | "modelId">): string {
  return `${provider}:${modelId}`;
}

/** Under which name a provider reads its options: `anthropic` of `vertex.anthropic.messages`. */
export function optionsName(provider: string): string {
  return (
    ["anthropic", "azure"].find((each) => provider.includes(each)) ??
    (provider.split(".")[0] as string)
  );
}

const NINE_LETTERS =
  /(?:^|[/.:-])(?:mistral|ministral|magistral|mixtral|codestral|devstral|pixtral)/i;

/** Returns true for models of Mistral, whoever serves them: they take ids of nine letters alone. */
export function isMistralModel({ family, modelId }: Target): boolean {
  return family === "mistral" || NINE_LETTERS.test(modelId);
}

/**
 * Returns true for models of Google before Gemini 3: they take media beside their results alone, and
 * tools or a schema of the answer, not both.
 */
export function isBeforeGemini3({ modelId }: Target): boolean {
  return !/gemini-(?:[3-9]|\d\d)/.test(modelId);
}
