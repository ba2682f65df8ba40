/** A number that is read when somebody asks: a gauge, or a counter that goes on for as long as the process lives. */
export interface Reading {
  kind: "gauge" | "counter";
  /** In the convention of Prometheus, with its unit. */
  name: string;
  help: string;
  /** The name of the one label that tells values apart. */
  label?: string;
  read(): Promise<number | Record<string, number>> | number | Record<string, number>;
}

/** An answered request, as metrics know it. */
export interface AnsweredRequest {
  route: string;
  method: string;
  status: number;
  outcome: string;
  durationMs: number;
  firstTokenMs: number | undefined;
}

/** Where measures are counted. */
export interface Meters {
  answered(request: AnsweredRequest): void;
  tokens(tokens: { input?: number | undefined; output?: number | undefined }): void;
  providerError(kind: string): void;
  ingestStage(stage: string, durationMs: number): void;
}
