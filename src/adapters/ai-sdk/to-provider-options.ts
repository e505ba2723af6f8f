/**
 * Makes the provider options of a request: those of the settings, and `store: false` for OpenAI's
 * Responses API. That API stores conversations and refers to them by id, on which a journal must
 * not depend.
 */
import type { ProviderOptions } from "../../core/kernel/index.js";

type SdkProviderOptions = Record<string, Record<string, never>>;

/**
 * @param provider the model's provider as the SDK names it: "openai.responses"
 * @param options the settings' provider options; a `store` in them is left as it is
 */
export function toProviderOptions(
  provider: string,
  options: ProviderOptions = {},
): SdkProviderOptions {
  if (!provider.endsWith(".responses")) return options as SdkProviderOptions;
  // Azure's options may stand under either name; its own would hide the other.
  const name =
    provider.startsWith("azure") && !("openai" in options && !("azure" in options))
      ? "azure"
      : "openai";
  return { ...options, [name]: { store: false, ...options[name] } } as SdkProviderOptions;
}
