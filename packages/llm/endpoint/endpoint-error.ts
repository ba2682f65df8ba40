/** A failure that the endpoint answers in OpenAI's error JSON: `{"error": {message, type, param, code}}`. */
export class EndpointError extends Error {
  override readonly name = "EndpointError";
  readonly status: number;
  readonly param: string | null;
  readonly code: string | null;

  constructor(status: number, message: string, options: { param?: string; code?: string } = {}) {
    super(message);
    this.status = status;
    this.param = options.param ?? null;
    this.code = options.code ?? null;
  }

  toJSON(): { error: { message: string; type: string; param: string | null; code: string | null } } {
    const type = this.status < 500 ? "invalid_request_error" : "server_error";
    return { error: { message: this.message, type, param: this.param, code: this.code } };
  }
}
