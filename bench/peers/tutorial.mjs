// The relay as tutorials write it: Express, the openai SDK, `for await`, and one write per event.
import { randomUUID } from "node:crypto";
import express from "express";
import OpenAI from "openai";

const { PORT, LLM_API_KEY, LLM_BASE_URL, RELAY_MODEL } = process.env;
const openai = new OpenAI({ apiKey: LLM_API_KEY, baseURL: LLM_BASE_URL });
const app = express();
app.use(express.json());

app.post("/agent", async (request, response) => {
  const { threadId, runId, messages, tools = [] } = request.body;
  response.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-cache",
    Connection: "keep-alive",
    "X-Accel-Buffering": "no",
  });
  const send = (event) => response.write(`data: ${JSON.stringify(event)}\n\n`);
  const messageId = randomUUID();
  try {
    send({ type: "RUN_STARTED", threadId, runId });
    const stream = await openai.chat.completions.create({
      model: RELAY_MODEL,
      stream: true,
      messages: messages.map(({ role, content, toolCalls, toolCallId }) => ({
        role,
        content: content ?? "",
        ...(toolCalls && { tool_calls: toolCalls }),
        ...(toolCallId && { tool_call_id: toolCallId }),
      })),
      ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: "function", function: tool })) }),
    });
    let started = false;
    let toolCallId;
    for await (const chunk of stream) {
      const delta = chunk.choices[0]?.delta;
      if (delta?.content) {
        if (!started) send({ type: "TEXT_MESSAGE_START", messageId, role: "assistant" });
        started = true;
        send({ type: "TEXT_MESSAGE_CONTENT", messageId, delta: delta.content });
      }
      for (const call of delta?.tool_calls ?? []) {
        if (call.id) toolCallId = call.id;
        const { name, arguments: args } = call.function ?? {};
        if (name) send({ type: "TOOL_CALL_START", toolCallId, toolCallName: name, parentMessageId: messageId });
        if (args) send({ type: "TOOL_CALL_ARGS", toolCallId, delta: args });
      }
    }
    if (started) send({ type: "TEXT_MESSAGE_END", messageId });
    send({ type: "RUN_FINISHED", threadId, runId });
  } catch (error) {
    send({ type: "RUN_ERROR", message: error.message });
  }
  response.end();
});

app.listen(Number(PORT), "127.0.0.1");
