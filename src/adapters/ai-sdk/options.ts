/** The options of `aiSdk`. */
import type { EffectError } from "../../core/kernel/index.js";

/** Options of `aiSdk`. */
export interface AiSdkOptions {
  /**
   * Stream the answer: text, reasoning and tool input go to observers as they come. The answer is
   * the same. Default false.
   */
  readonly stream?: boolean | undefined;
  /** What people call the model. Default: the SDK's provider and model id, `openai.chat:gpt-4o`. */
  readonly name?: string | undefined;
  /**
   * Whether an error says that the provider refused a tool call which the model made. It is asked
   * where we do not know it; such an error has the code `llm.rejectedCall`.
   */
  readonly isRejectedCall?: ((error: EffectError) => boolean) | undefined;
  /** What errors repeat of credentials is masked. Default true. */
  readonly maskCredentials?: boolean | undefined;
}
