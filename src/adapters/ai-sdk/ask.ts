/**
 * One question to a model, through the interface that its provider implements. The SDK converts the
 * messages (and downloads what the provider cannot fetch). Its `generateText` and `streamText` are
 * not used: on the way back they print warnings to the console, replace malformed arguments by `{}`,
 * answer unknown tools themselves, throw where a required tool was not called, and leave side
 * promises behind.
 */
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3ToolChoice,
} from "@ai-sdk/provider";
import type { ModelCall, ModelRequest } from "../../runtime/index.js";
import type { Answer, SpecModel } from "./answer.js";
import { collectStream } from "./collect-stream.js";
import { toMessages } from "./to-messages.js";
import { toProviderOptions } from "./to-provider-options.js";

/** What is used of the module `ai/internal`. */
export type AiSdk = Pick<typeof import("ai/internal"), "convertToLanguageModelPrompt">;

type ResponseFormat = NonNullable<LanguageModelV3CallOptions["responseFormat"]>;

/**
 * Asks a model once and gives its answer as it came.
 * @throws whatever the SDK or the provider throws
 */
export async function ask(
  sdk: AiSdk,
  spec: SpecModel,
  request: ModelRequest,
  stream: boolean,
  call: ModelCall,
): Promise<Answer> {
  // As the SDK does it: of what differs, only the answer matters here, and it is read as either.
  const model = spec as LanguageModelV3;
  const { providerOptions, stopSequences, ...settings } = request.settings ?? {};
  const options: LanguageModelV3CallOptions = {
    ...settings,
    ...(stopSequences === undefined ? {} : { stopSequences: [...stopSequences] }),
    prompt: await sdk.convertToLanguageModelPrompt({
      prompt: {
        messages: toMessages(request.messages),
        ...(request.system === undefined ? {} : { system: request.system }),
      },
      supportedUrls: await model.supportedUrls,
      download: undefined,
      abortSignal: call.signal,
    }),
    ...toolsOf(request),
    ...(request.responseFormat === undefined
      ? {}
      : { responseFormat: request.responseFormat as ResponseFormat }),
    providerOptions: toProviderOptions(model.provider, providerOptions),
    abortSignal: call.signal,
  };
  return stream ? collectStream(await model.doStream(options), call) : model.doGenerate(options);
}

function toolsOf({
  tools = [],
  toolChoice = "auto",
}: ModelRequest): Pick<LanguageModelV3CallOptions, "tools" | "toolChoice"> {
  if (tools.length === 0) return {};
  const choice: LanguageModelV3ToolChoice =
    typeof toolChoice === "string"
      ? { type: toolChoice }
      : { type: "tool", toolName: toolChoice.tool };
  return {
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: "function",
      name,
      ...(description === "" ? {} : { description }),
      inputSchema,
    })),
    toolChoice: choice,
  };
}
