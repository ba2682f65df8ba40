// The AI SDK as documented for a Node.js server: `streamText` piped to the response.
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { pipeUIMessageStreamToResponse, streamText, toUIMessageStream } from "ai";

const { PORT, LLM_API_KEY, LLM_BASE_URL, RELAY_MODEL } = process.env;
const provider = createOpenAICompatible({ name: "provider", apiKey: LLM_API_KEY, baseURL: LLM_BASE_URL });

createServer(async (request, response) => {
  const { messages } = await json(request);
  const result = streamText({
    model: provider(RELAY_MODEL),
    instructions: messages.find(({ role }) => role === "system")?.content,
    messages: messages.filter(({ role }) => role !== "system").map(({ role, content }) => ({ role, content })),
    onError: () => {},
  });
  await pipeUIMessageStreamToResponse({ response, stream: toUIMessageStream({ stream: result.stream }) });
}).listen(Number(PORT), "127.0.0.1");
