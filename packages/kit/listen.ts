import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ConfigurationError } from "./environment-files.ts";

/** Higher than Node's default of 511, so that a burst of clients is not refused. */
const listenBacklog = 4096;

/** Starts listening. Resolves with the base URL: `http://host:port`. */
export function listen(server: Server, options: { host: string; port: number }): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ ...options, backlog: listenBacklog }, () => {
      server.off("error", reject);
      const { address, family, port } = server.address() as AddressInfo;
      resolve(`http://${family === "IPv6" ? `[${address}]` : address}:${port}`);
    });
  });
}

/**
 * Listens on the host and port of two variables.
 *
 * @throws ConfigurationError if the port can't be used
 */
export async function listenAt<PortVariable extends "PORT" | "METRICS_PORT">(
  server: Server,
  configuration: { HOST: string; METRICS_HOST: string } & Record<PortVariable, number>,
  portVariable: PortVariable,
): Promise<string> {
  const hostVariable = portVariable === "PORT" ? "HOST" : "METRICS_HOST";
  const [host, port] = [configuration[hostVariable], configuration[portVariable]];
  try {
    return await listen(server, { host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN") {
      throw new ConfigurationError([
        `${hostVariable} ${host} can't be used (${code}): set it to an address of this machine, such as 127.0.0.1, or to 0.0.0.0 for all of them`,
      ]);
    }
    if (code !== "EADDRINUSE" && code !== "EACCES") throw error;
    throw new ConfigurationError([
      `${portVariable} ${port} on ${hostVariable} ${host} can't be used (${code}): set ${portVariable} or ${hostVariable} to one that is free`,
    ]);
  }
}
