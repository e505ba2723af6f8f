/**
 * Downloads files that a provider does not fetch from their URLs itself. `ai` does the download: it
 * limits the size, checks redirects, and refuses addresses of the local network.
 */
import type { Message, ToolContentPart, UserPart } from "../../core/kernel/vocabulary/index.js";
import type { FileData, SupportedUrls } from "./specification.js";
import { type FetchedFile, type Files, urlOf } from "./to-file-part.js";

/** The part of the module `ai/internal` that is used, of 6 and of 7 alike. */
export interface AiInternal {
  convertToLanguageModelPrompt(options: {
    prompt: { messages: object[] };
    supportedUrls: SupportedUrls;
    download: undefined;
    abortSignal: AbortSignal;
  }): Promise<readonly object[]>;
}

/**
 * Fetches what a transcript refers to and the provider does not fetch. Where it refers to nothing,
 * `ai` is not loaded.
 * @throws what `ai` throws where a file cannot be had, or `ai` itself
 */
export async function fetchFiles(
  messages: readonly Message[],
  supportedUrls: SupportedUrls,
  load: () => Promise<AiInternal>,
  abortSignal: AbortSignal,
): Promise<Files> {
  const wanted = new Map<string, { readonly url: URL; readonly mediaType: string }>();
  for (const part of messages.flatMap(partsOf)) {
    if ((part.type !== "image" && part.type !== "file") || "blob" in part) continue;
    const url = urlOf(part.type === "image" ? part.image : part.data);
    if (url === undefined || url.protocol === "data:") continue;
    wanted.set(url.href, { url, mediaType: part.mediaType ?? "image/*" });
  }
  const files = new Map<string, FetchedFile>();
  if (wanted.size === 0) return files;
  const asked = [...wanted.values()];
  const content = asked.map(({ url, mediaType }) => ({ type: "file", data: url, mediaType }));
  const [message] = await (await load()).convertToLanguageModelPrompt({
    prompt: { messages: [{ role: "user", content }] },
    supportedUrls,
    download: undefined,
    abortSignal,
  });
  const { content: got } = message as {
    readonly content: readonly { readonly data: FileData; readonly mediaType?: string }[];
  };
  got.forEach(({ data, mediaType }, i) => {
    const held = typeof data === "object" && "data" in data ? data.data : data;
    // Files that the provider fetches itself are left to it.
    if (typeof held !== "string" && !(held instanceof Uint8Array)) return;
    files.set((asked[i] as { readonly url: URL }).url.href, { data: held, mediaType });
  });
  return files;
}

/** The parts of a message that may be files which somebody has to fetch. */
function partsOf(message: Message): readonly (UserPart | ToolContentPart)[] {
  if (typeof message.content === "string") return [];
  if (message.role === "user") return message.content;
  return message.content.flatMap((part): readonly ToolContentPart[] => {
    if (part.type !== "tool-result") return [];
    const { output } = part;
    return output.type === "content" || output.type === "error-content" ? output.value : [];
  });
}
