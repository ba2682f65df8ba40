import type { TraceHeaders } from "./request-headers.ts";

/** A metric that is read on demand: a gauge, or a counter since the start of the process. */
export interface Reading {
  kind: "gauge" | "counter";
  /** Named as Prometheus recommends, with its unit. */
  name: string;
  help: string;
  /** The name of its only label. */
  label?: string;
  /** What the values of several workers are together. Default: their sum. */
  together?: "sum" | "max";
  read(): Promise<number | Record<string, number>> | number | Record<string, number>;
}

/** What the metrics record about an answered request. */
export interface AnsweredRequest {
  route: string;
  method: string;
  status: number;
  outcome: string;
  durationMs: number;
  firstTokenMs: number | undefined;
}

/** Receives the measurements. */
export interface Meters {
  answered(request: AnsweredRequest): void;
  tokens(tokens: { input?: number | undefined; output?: number | undefined }): void;
  providerError(kind: string): void;
  ingestStage(stage: string, durationMs: number): void;
}

export interface RequestSpan {
  startCall(operation: "chat" | "embeddings", model: string): CallSpan;
  end(answer: { status: number; outcome: string }): void;
}

export interface CallSpan {
  /** Propagates the trace to the provider. */
  readonly headers: TraceHeaders;
  firstToken(): void;
  answeredBy(provider: string): void;
  usage(tokens: { input?: number | undefined; output?: number | undefined }): void;
  end(errorKind?: string): void;
}
