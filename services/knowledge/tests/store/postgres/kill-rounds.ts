import type { PostgresServer } from "@agent-backends/testing";
import { startPostgresServer } from "@agent-backends/testing";
import type { KillTarget } from "../../kill-rounds.ts";
import { killRounds } from "../../kill-rounds.ts";

/** Kills the server in each round, and in every third round also the service. */
export const killServer = (server: PostgresServer, isPooled: boolean): KillTarget => ({
  location: isPooled ? server.pooledUrl : server.url,
  async kill(service, start, round) {
    await server.kill();
    const isAlone = round % 3 !== 0;
    if (!isAlone) await service.end("SIGKILL");
    await server.start();
    return isAlone ? service : start();
  },
});

// `node services/knowledge/tests/store/postgres/kill-rounds.ts 20`, after a build.
if (import.meta.main) {
  for (const isPooled of [false, true]) {
    const server = await startPostgresServer();
    const tell = (line: string) => process.stdout.write(`${isPooled ? "PgBouncer" : "direct"}: ${line}\n`);
    const report = await killRounds(Number(process.argv[2] ?? 12), tell, killServer(server, isPooled));
    await server.stop();
    process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
    if (report.faults.length > 0) process.exitCode = 1;
  }
}
