import type {
  ProviderBoundMessage,
  RelayProfile,
  RunContent,
  RunContentPart,
  RunInput,
} from "@agent-backends/contract";
import { isForProvider } from "@agent-backends/contract";
import type { ProviderRequest } from "@agent-backends/llm";

/**
 * Builds the streaming `POST /chat/completions` request for a run. The `contract` profile sends only messages and tools. The
 * others also send images, and the run's context as a system message. `ag-ui` has an event for usage, so it asks for usage too.
 * If the provider refuses that, the request is repeated without it.
 */
export function buildProviderRequest(
  input: RunInput,
  options: { model: string; profile: RelayProfile },
): ProviderRequest {
  const whole = options.profile !== "contract";
  const messages = input.messages.filter(isForProvider).map((message) => providerMessage(message, whole));
  const tools = (input.tools ?? []).map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters },
  }));
  const plain = {
    model: options.model,
    messages: whole ? withContext(messages, input.context ?? []) : messages,
    ...(tools.length > 0 && { tools }),
    stream: true,
  };
  if (options.profile !== "ag-ui") return { body: JSON.stringify(plain) };
  return {
    body: JSON.stringify({ ...plain, stream_options: { include_usage: true } }),
    fallbacks: [{ refused: /stream_options|include_usage/, body: () => JSON.stringify(plain), isLearned: true }],
  };
}

function providerMessage(message: ProviderBoundMessage, whole: boolean): { role: string } {
  const content = whole && message.role === "user" ? contentParts(message.content) : text(message.content);
  switch (message.role) {
    case "assistant": {
      const toolCalls = (message.toolCalls ?? []).map(({ id, function: called }) => ({
        id,
        type: "function",
        function: { name: called.name, arguments: called.arguments },
      }));
      return { role: "assistant", content, ...(toolCalls.length > 0 && { tool_calls: toolCalls }) } as { role: string };
    }
    case "tool":
      return { role: "tool", content, tool_call_id: message.toolCallId } as { role: string };
    case "developer":
      // Few providers know this role. Those that do treat a system message the same.
      return { role: whole ? "system" : "developer", content } as { role: string };
    default:
      return { role: message.role, content } as { role: string };
  }
}

function text(content: RunContent): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => (part.type === "text" ? (part.text ?? "") : "")).join("");
}

/** Text parts are joined unless there is an image, because not every provider accepts content in parts. */
function contentParts(content: RunContent): string | object[] {
  if (!Array.isArray(content) || content.every((part) => imageUrl(part) === undefined)) return text(content);
  return content.flatMap((part): object[] => {
    if (part.type === "text") return [{ type: "text", text: part.text ?? "" }];
    const url = imageUrl(part);
    return url === undefined ? [] : [{ type: "image_url", image_url: { url } }];
  });
}

/** The URL of an image part. AG-UI 0.0.x clients send images as `binary` parts with an image's media type. */
function imageUrl({ type, source, mimeType, url, data }: RunContentPart): string | undefined {
  if (type === "image" && source?.type === "url") return source.value;
  if (type === "image" && source?.type === "data") return dataUrl(source.value, source.mimeType);
  if (type !== "binary" || !mimeType?.startsWith("image/")) return undefined;
  return url || (data ? dataUrl(data, mimeType) : undefined);
}

const dataUrl = (base64: string, mimeType = "image/png") => `data:${mimeType};base64,${base64}`;

/** Adds the context after the leading system messages, so that the application's own instructions come first. */
function withContext(messages: { role: string }[], context: readonly { description: string; value: string }[]) {
  if (context.length === 0) return messages;
  const lines = context.map(({ description, value }) => `- ${description}: ${value}`);
  const message = { role: "system", content: `Context of this conversation:\n${lines.join("\n")}` };
  const firstOther = messages.findIndex(({ role }) => role !== "system");
  const at = firstOther === -1 ? messages.length : firstOther;
  return [...messages.slice(0, at), message, ...messages.slice(at)];
}
