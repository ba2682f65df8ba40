import { createRelay, relayRouter } from "@agent-backends/relay/express";
import express from "express";

const { LLM_API_KEY, LLM_BASE_URL, PORT = 3000 } = process.env;

// Your application, as it is.
const app = express();
app.get("/", (_request, response) => void response.send("Hello"));

// The relay. Middleware before it decides who may call.
const relay = createRelay({ apiKey: LLM_API_KEY, baseUrl: LLM_BASE_URL, model: "gpt-4o-mini" });
app.use("/chat", relayRouter(relay));

const server = app.listen(Number(PORT));

// Lets running answers end.
process.once("SIGTERM", async () => {
  await relay.close();
  server.close();
});
