/** What a model port of the AI SDK may be told. */

/** Options of `aiSdk`. */
export interface AiSdkOptions {
  /**
   * Stream the answer: text, reasoning and tool input go to observers as they come. The answer is
   * the same. Default false.
   */
  readonly stream?: boolean;
  /** What people call the model. Default: the SDK's provider and model id, `openai.chat:gpt-4o`. */
  readonly name?: string;
}
