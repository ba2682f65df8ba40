import { setTimeout as delay } from "node:timers/promises";
import { knowledgeLimits } from "@agent-backends/contract";
import type { Logger } from "@agent-backends/kit";
import PQueue from "p-queue";
import type { PoolClient, QueryResultRow } from "pg";
import { escapeIdentifier, Pool } from "pg";
import { StoreUnreachableError, UnusableStoreError } from "../../errors.ts";
import type { PostgresAddress } from "./address.ts";
import { explainRefusal, isConflict, isConnectionError, isRefusedConnection } from "./connection-errors.ts";
import type { Installation } from "./migrations.ts";
import { migrate } from "./migrations.ts";

/** Initial delay before reconnecting. Doubles on each attempt. */
const initialRetryDelayMs = 50;
const maxRetryDelayMs = 1_600;

/** Runs statements of one transaction. Statements that don't wait for each other are sent together. */
export type Query = <Row extends QueryResultRow>(
  text: string,
  values?: readonly unknown[],
) => Promise<{ rows: Row[]; count: number }>;

interface TransactionOptions {
  /** Whether all statements see one state of the database. None of them may write then. */
  isSnapshot?: boolean;
  /** 0 means no limit. */
  statementTimeoutMs?: number;
  /** Further settings, valid until the end of the transaction. */
  settings?: Readonly<Record<string, string>>;
}

/**
 * The connections to PostgreSQL. Nothing on the server outlives a transaction: no named statement, session setting, session lock or
 * temporary table. So it works behind PgBouncer in transaction mode.
 */
export class Database {
  readonly connections: number;
  readonly #address: PostgresAddress;
  readonly #pool: Pool;
  /** Calls wait for a connection here, because the pool counts waiting as part of the time to connect. */
  readonly #queue: PQueue;
  #installation: Promise<Installation> | undefined;

  constructor(
    address: PostgresAddress,
    { logger, connections = knowledgeLimits.databaseConnections }: { logger: Logger; connections?: number | undefined },
  ) {
    this.connections = connections;
    this.#address = address;
    this.#queue = new PQueue({ concurrency: connections });
    this.#pool = new Pool({
      ...address.connection,
      max: connections,
      connectionTimeoutMillis: knowledgeLimits.databaseConnectMs,
      application_name: "agent-backends knowledge",
      pipeline: true,
    });
    // If a connection is lost while it is used, its statements fail. Without a listener, the process would end.
    this.#pool.on("connect", (client) => client.on("error", () => undefined));
    // A connection that is lost while idle. The pool replaces it.
    this.#pool.on("error", (error) => logger.warn({ err: error }, `a connection to ${address.label} was lost`));
  }

  /** What is installed in the database. Migrates the database on first use. @throws UnusableStoreError */
  install(): Promise<Installation> {
    this.#installation ??= this.#retry(() => migrate(this.#pool, this.#address.schema)).catch((error) => {
      this.#installation = undefined;
      throw error;
    });
    return this.#installation;
  }

  /** Opens a connection, without waiting for a server that is down. @throws UnusableStoreError */
  async check(): Promise<void> {
    try {
      await this.#use((client) => client.query("SELECT"));
      await this.install();
    } catch (error) {
      const reason = explainRefusal(error instanceof StoreUnreachableError ? error.cause : error);
      if (reason === undefined) throw error;
      throw new UnusableStoreError(`PostgreSQL ${reason}.`, { cause: error });
    }
  }

  /** A qualified name in the store's schema, for a statement outside a transaction. */
  qualify(name: string): string {
    return `${escapeIdentifier(this.#address.schema)}.${escapeIdentifier(name)}`;
  }

  /**
   * Runs a transaction, and retries it if the connection is lost or another transaction conflicts. `work` must be safe to repeat: the
   * connection may be lost after the commit.
   */
  async transaction<Result>(
    work: (query: Query, attempt: number) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    const begin = await this.#toBegin(options);
    return this.#retry((attempt) =>
      this.#use((client) => runTransaction(client, begin, (query) => work(query, attempt))),
    );
  }

  /** Runs a transaction with one statement, which takes one round trip. */
  readonly query: Query = async (text, values) => {
    const begin = await this.#toBegin({});
    const run = async (client: PoolClient) => {
      const [, { rows, rowCount }] = await Promise.all([
        client.query(begin),
        client.query(text, values && [...values]),
        // Rolls back if the statement has failed.
        client.query("COMMIT"),
      ]);
      return { rows, count: rowCount ?? 0 };
    };
    return this.#retry(() => this.#use(run));
  };

  /** Runs a statement that can't be part of a transaction, such as VACUUM. */
  async execute(statement: string): Promise<void> {
    await this.install();
    await this.#use((client) => client.query(statement));
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
  }

  async #toBegin({
    isSnapshot = false,
    statementTimeoutMs = knowledgeLimits.databaseStatementMs,
    settings = {},
  }: TransactionOptions): Promise<string> {
    const { vectorSchema } = await this.install();
    const path = [...new Set([this.#address.schema, vectorSchema, "public"])].map(escapeIdentifier).join(", ");
    const all = { search_path: path, statement_timeout: statementTimeoutMs, ...settings };
    const begin = isSnapshot ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" : "BEGIN";
    return [begin, ...Object.entries(all).map(([name, value]) => `SET LOCAL ${name} = ${value}`)].join("; ");
  }

  #use<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    return this.#queue.add(() => this.#useConnection(work));
  }

  async #useConnection<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect();
    let failure: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      if (isConnectionError(error)) failure = error as Error;
      throw error;
    } finally {
      // The pool closes a connection that is released with an error.
      client.release(failure);
    }
  }

  async #retry<Result>(work: (attempt: number) => Promise<Result>): Promise<Result> {
    const start = performance.now();
    let retryDelayMs = initialRetryDelayMs;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work(attempt);
      } catch (error) {
        const isAway = isConnectionError(error);
        const isOver = performance.now() - start + retryDelayMs > knowledgeLimits.databaseRetryMs;
        if ((isAway && isOver) || isRefusedConnection(error)) throw new StoreUnreachableError(error);
        if (isOver || !(isAway || isConflict(error))) throw error;
        await delay(retryDelayMs);
        retryDelayMs = Math.min(maxRetryDelayMs, 2 * retryDelayMs);
      }
    }
  }
}

async function runTransaction<Result>(
  client: PoolClient,
  begin: string,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  const query: Query = async (text, values) => {
    const { rows, rowCount } = await client.query(text, values && [...values]);
    return { rows, count: rowCount ?? 0 };
  };
  // Don't await: it is sent together with the first statement.
  const begun = client.query(begin);
  begun.catch(() => undefined);
  try {
    const result = await work(query);
    await begun;
    const { command } = await client.query("COMMIT");
    if (command !== "COMMIT") throw new Error("PostgreSQL rolled a transaction back whose statements all succeeded.");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}
