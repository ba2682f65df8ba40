/** A connection was not made in time. */
export class ConnectTimeoutError extends Error {
  override readonly name = "ConnectTimeoutError";
}
