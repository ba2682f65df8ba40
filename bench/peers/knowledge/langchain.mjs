// Stores a text with LangChain.js and prints its number of chunks, the chunks per second, and the CPU time per chunk.   node
// langchain.mjs lancedb|memory <warm-up file> <file>
import { readFile } from "node:fs/promises";
import { MemoryVectorStore } from "@langchain/classic/vectorstores/memory";
import { LanceDB } from "@langchain/community/vectorstores/lancedb";
import { OpenAIEmbeddings } from "@langchain/openai";
import { RecursiveCharacterTextSplitter } from "@langchain/textsplitters";

const { LLM_BASE_URL, STORE } = process.env;
const [kind, warmUp, file] = process.argv.slice(2);
const embeddings = new OpenAIEmbeddings({
  apiKey: "sk-benchmark",
  model: "text-embedding-3-small",
  encodingFormat: "base64",
  configuration: { baseURL: LLM_BASE_URL },
});
// Same chunk length as the service.
const splitter = new RecursiveCharacterTextSplitter({ chunkSize: 1600, chunkOverlap: 0 });

async function store(path, tableName) {
  const documents = await splitter.createDocuments([await readFile(path, "utf8")]);
  if (kind === "memory") await MemoryVectorStore.fromDocuments(documents, embeddings);
  else await LanceDB.fromDocuments(documents, embeddings, { uri: STORE, tableName });
  return documents.length;
}

await store(warmUp, "warm_up");
const usedBefore = process.cpuUsage();
const begun = performance.now();
const chunks = await store(file, "texts");
const perSecond = (chunks / (performance.now() - begun)) * 1000;
const { user, system } = process.cpuUsage(usedBefore);
process.stdout.write(JSON.stringify({ chunks, perSecond, cpuMicros: (user + system) / chunks }));
