import { relayRouter } from "@agent-backends/relay/express";
import express from "express";

const { LLM_API_KEY, LLM_BASE_URL, PORT = 3000 } = process.env;

// Your application, as it is.
const app = express();
app.get("/", (_request, response) => void response.send("Hello"));

// The relay. Middleware before it decides who may call.
app.use("/chat", relayRouter({ apiKey: LLM_API_KEY, baseUrl: LLM_BASE_URL, model: "gpt-4o-mini" }));

app.listen(Number(PORT));
