// A bare fastify route that parses the same body and responds with the same payload. Measures the cost of the framework itself.
//   node bench/listing/bare.ts <payload.json>      PORT
import { readFileSync } from "node:fs";
import Fastify from "fastify";

const payload: unknown = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const app = Fastify();
app.post("/tools/top", async () => payload);
await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });
