/**
 * A model and its answer as providers speak of them: in the interface of this major of the AI SDK,
 * or in that of the one before, which `ai` still takes.
 */
import type {
  LanguageModelV2,
  LanguageModelV2FinishReason,
  LanguageModelV2Usage,
  LanguageModelV3,
  LanguageModelV3GenerateResult,
} from "@ai-sdk/provider";

/** A model as its provider made it. */
export type SpecModel = LanguageModelV3 | LanguageModelV2;

/** What a model answered, as its provider says it; models of the older interface say it shorter. */
export interface Answer
  extends Pick<
    LanguageModelV3GenerateResult,
    "content" | "response" | "warnings" | "providerMetadata"
  > {
  readonly finishReason:
    | LanguageModelV3GenerateResult["finishReason"]
    | LanguageModelV2FinishReason;
  readonly usage: LanguageModelV3GenerateResult["usage"] | LanguageModelV2Usage;
}
