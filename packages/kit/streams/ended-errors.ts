import { problems } from "@agent-backends/contract";

/** The shutdown grace period has ended. Clients see the message. */
export class ShuttingDownError extends Error {
  override readonly name = "ShuttingDownError";
  constructor() {
    super(problems.shuttingDown().message);
  }
}

/** The client closed its connection. This isn't an error to log. */
export class ClientGoneError extends Error {
  override readonly name = "ClientGoneError";
  constructor() {
    super("The client closed the connection.");
  }
}
