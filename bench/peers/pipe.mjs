// The minimum cost of a relay on node:http: bytes in, bytes out, without parsing.
import { Agent, createServer, request as send } from "node:http";

const provider = new URL(process.env.LLM_BASE_URL);
const agent = new Agent({ keepAlive: true });

createServer((request, response) => {
  const { hostname, port } = provider;
  const upstream = send({ hostname, port, agent, method: request.method, path: request.url, headers: request.headers });
  upstream.on("response", (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  upstream.on("error", () => response.destroy());
  response.on("close", () => response.writableFinished || upstream.destroy());
  request.pipe(upstream);
}).listen(Number(process.env.PORT), "127.0.0.1");
