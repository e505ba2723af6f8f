/**
 * Provider options of a request: the settings' own, and one default of ours. OpenAI's Responses API
 * stores what is said and has it referred to by id; a journal that is resumed elsewhere, or later
 * than the provider keeps it, must not depend on that.
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
