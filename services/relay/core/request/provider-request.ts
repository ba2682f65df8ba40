import type { RelayProfile, RunInput } from "@agent-backends/contract";
import type { RunWarning } from "@agent-backends/kit/ag-ui";
import { describeContext } from "@agent-backends/kit/ag-ui";
import type { BodyFallback, ProviderRequest } from "@agent-backends/llm";
import { fallBackOnDemand, toJsonBody } from "@agent-backends/llm";
import type { ModelIdentity } from "../artefact.ts";
import type { ProviderMessage } from "./provider-messages.ts";
import { ProviderMessages } from "./provider-messages.ts";

export interface RequestOptions {
  /** The provider's name of the model. */
  model: string;
  identity: ModelIdentity;
  profile: RelayProfile;
  /** Request the provider's token count, whatever the profile. */
  asksUsage?: boolean | undefined;
  /** Called for everything that is left out, including later, when the provider refuses a part of the request. */
  onWarning(warning: RunWarning): void;
}

/** Error messages of a provider that doesn't accept a part of the request. */
const refusedParts = {
  usage: /stream_options|include_usage/,
  media: /image|audio|file|media|modal|vision|content/i,
  reasoning: /reasoning|thinking|thought|extra_content|signature/i,
  names: /\bname\b/,
};

const nothingToResume: RunWarning = {
  code: "resume_ignored",
  pointer: "/resume",
  detail: "this agent never interrupts a run, so there is nothing to resume; only the messages are sent to the model",
};

/**
 * Builds the streaming `POST /chat/completions` request for a run. The `contract` profile sends messages and tools. The others also send
 * names, and the run's context as a system message. `ag-ui` has an event for usage, so it also requests the usage. If the provider refuses
 * the usage, media, reasoning or names, the request is repeated without them. If it requires signatures or reasoning that the client hasn't
 * kept, the request is repeated with placeholders.
 */
export function buildProviderRequest(input: RunInput, options: RequestOptions): ProviderRequest {
  const { profile } = options;
  const isContract = profile === "contract";
  const allowedContent = {
    usage: profile === "ag-ui" || options.asksUsage === true,
    media: true,
    reasoning: true,
    names: !isContract,
  };
  const requiredContent = { signatures: false, reasoningContent: false };
  const tools = (input.tools ?? []).map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters },
  }));
  const convert = (onWarning: RequestOptions["onWarning"]) =>
    new ProviderMessages(input.messages, {
      model: options.identity,
      allowedContent,
      requiredContent,
      // Few providers know this role. Those that do treat it like a system message.
      developerRole: isContract ? "developer" : "system",
      onWarning,
    });
  const serialise = ({ messages }: ProviderMessages) =>
    toJsonBody({
      model: options.model,
      messages: isContract ? messages : withContext(messages, input.context),
      ...(tools.length > 0 && { tools }),
      stream: true,
      ...(allowedContent.usage && { stream_options: { include_usage: true } }),
    });
  const first = convert(options.onWarning);
  if (input.resume && input.resume.length > 0) options.onWarning(nothingToResume);
  const fallBackWithout = (part: keyof typeof allowedContent): BodyFallback => ({
    refused: refusedParts[part],
    // Media, reasoning and names may be refused because of their content in this conversation.
    isLearned: part === "usage",
    body() {
      allowedContent[part] = false;
      if (part !== "usage") {
        const detail = `the model provider refused the ${part} of this conversation, so the model answers without them`;
        options.onWarning({ code: `${part}_refused`, pointer: "/messages", detail });
      }
      return serialise(convert(() => undefined));
    },
  });
  const hasCalls = first.messages.some(({ tool_calls }) => tool_calls !== undefined);
  const missing = hasCalls ? fallBackOnDemand(requiredContent, () => serialise(convert(() => undefined))) : [];
  const parts = [
    ...(allowedContent.usage ? ["usage" as const] : []),
    ...(["media", "reasoning", "names"] as const).filter((part) => first.contains[part]),
  ];
  return { body: serialise(first), bodyFallbacks: [...missing, ...parts.map(fallBackWithout)] };
}

/** Adds the context after the leading system messages, so that the application's own instructions come first. */
function withContext(messages: ProviderMessage[], context: RunInput["context"]) {
  const firstOther = messages.findIndex(({ role }) => role !== "system");
  const at = firstOther === -1 ? messages.length : firstOther;
  return [...messages.slice(0, at), ...describeContext(context), ...messages.slice(at)];
}
