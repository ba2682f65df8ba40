/** An answer is not HTTP/1.1, or says about its own length what can't be. */
export class HttpSyntaxError extends Error {
  override readonly name = "HttpSyntaxError";
}
