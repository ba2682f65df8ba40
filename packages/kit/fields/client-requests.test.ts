import {
  generateRequestSchema,
  listingAgentRequest,
  runInputSchema,
  streamRequestSchema,
} from "@agent-backends/contract";
import { expect, it } from "vitest";
import { findUnknownFields } from "./unknown-fields.ts";

/** Fields whose values don't matter. */
const fields = (names: string) => Object.fromEntries(names.split(" ").map((name) => [name, ""]));

/** Each field at the place where its client sends it. */
const requests = {
  "AG-UI 1.1": {
    ...fields("threadId runId rootRunId parentRunId forwardedProps metadata state"),
    protocolVersion: "1.1",
    resume: [{ interruptId: "", payload: "", metadata: "", status: "resolved" }],
    context: [{ description: "", value: "" }],
    tools: [fields("name description parameters metadata")],
    messages: [
      {
        ...fields("id name activityType encryptedValue error metadata subagentRunId toolCallId"),
        role: "assistant",
        toolCalls: [
          { id: "", encryptedValue: "", metadata: "", type: "function", function: { name: "", arguments: "" } },
        ],
        content: [
          {
            id: "",
            metadata: "",
            text: "",
            type: "image",
            source: { value: "", mimeType: "", provider: "", type: "url" },
          },
        ],
      },
    ],
  },
  "AG-UI 0.0": {
    state: "",
    forwardedProps: "",
    parentRunId: "",
    messages: [{ id: "", role: "user", content: [{ ...fields("id mimeType url data filename"), type: "binary" }] }],
  },
  CopilotKit: {
    ...fields("agentId agentName actions config cloud metaEvents nodeName properties requestType"),
    frontend: { url: "" },
    messages: [
      {
        ...fields(
          "id content name agentName createdAt generativeUI generativeUIPosition image parentMessageId rawData subComponent textMessage runId running active",
        ),
        role: "assistant",
        status: {},
        toolCalls: [{ id: "", encryptedValue: "", type: "function", function: { name: "", arguments: "" } }],
      },
    ],
    tools: [{ ...fields("name description parameters followUp metadata"), available: "enabled" }],
  },
  "the AI SDK": {
    ...fields("id data body messageId model trigger system webSearch"),
    messages: [
      {
        ...fields(
          "id content annotations createdAt data experimental_attachments metadata providerOptions reasoning revisionId toolInvocations ui",
        ),
        role: "user",
        parts: [{ text: "", state: "", providerMetadata: "", type: "text" }],
      },
      {
        role: "user",
        content: [
          { text: "", type: "text" },
          { image: "", mediaType: "", providerOptions: "", type: "image" },
          { ...fields("data filename mediaType mimeType"), type: "file" },
          { ...fields("toolCallId toolName args input"), type: "tool-call" },
          { ...fields("toolCallId toolName output result isError"), type: "tool-result" },
        ],
      },
    ],
  },
  "OpenAI's clients": {
    ...fields(
      "audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata modalities model n parallel_tool_calls prediction presence_penalty prompt_cache_key reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options temperature tool_choice top_logprobs top_p user verbosity web_search_options",
    ),
    messages: [
      {
        role: "user",
        content: [
          { image_url: "", type: "image_url" },
          { input_audio: "", type: "input_audio" },
          { file: "", type: "file" },
        ],
      },
      {
        ...fields("content name refusal annotations audio function_call reasoning_content"),
        role: "assistant",
        tool_calls: null,
      },
    ],
  },
  "chat platforms": {
    ...fields(
      "agent_id app_id assistant_id attachments bot_id chatId chat_id config conversationId conversation_id features files history input language locale params platform session session_id settings source stream_mode tenant_id timestamp timezone title tool_ids tool_servers turn_id user_id user_message variables workspace_id",
    ),
    type: "",
    messages: [
      {
        ...fields(
          "_id __v additional_kwargs attachments author children context files isCreatedByUser kind message_id metadata model models parent parentId response_metadata sender text thread_id timestamp usage_metadata user username",
        ),
        type: "human",
      },
    ],
  },
};

const schemas = { generateRequestSchema, listingAgentRequest, runInputSchema, streamRequestSchema };

it.each(
  Object.entries(requests).flatMap(([client, body]) =>
    Object.entries(schemas).map(([name, schema]) => [name, client, schema, body] as const),
  ),
)("%s takes all fields of %s", (name, client, schema, body) => {
  const { refused } = findUnknownFields(schema, body);
  // Only the relay knows runs in camel case.
  const expected =
    name.startsWith("generate") || !client.startsWith("AG-UI")
      ? []
      : refused.filter(({ pointer }) => /^\/(threadId|runId)$/.test(pointer));
  expect(refused).toEqual(expected);
});
