import type { RequestRecord } from "./request-record.ts";
import type { TraceHeaders } from "./trace-context.ts";

/** The part of a trace that is one request. */
export interface RequestSpan {
  startCall(operation: "chat" | "embeddings", model: string): CallSpan;
  end(answer: { status: number; outcome: string }): void;
}

/** The part of a trace that is one call of the provider. */
export interface CallSpan {
  /** What tells the provider of it. */
  readonly headers: TraceHeaders;
  firstToken(): void;
  usage(tokens: { input?: number | undefined; output?: number | undefined }): void;
  end(errorKind?: string): void;
}

export interface Tracing {
  startRequest(record: RequestRecord): RequestSpan;
  /** Sends what was not sent yet. */
  close(): Promise<void>;
}
