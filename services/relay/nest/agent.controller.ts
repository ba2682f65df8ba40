import { All, Controller, HttpCode, Inject, Post, Req, Res } from "@nestjs/common";
import type { Request, Response } from "express";
import type { Relay } from "../core/relay.ts";
import { methodNotAllowed } from "../http/refuse.ts";
import { streamRun } from "../http/stream-run.ts";
import { RELAY } from "./relay.token.ts";

@Controller("agent")
export class AgentController {
  readonly #relay: Relay;

  constructor(@Inject(RELAY) relay: Relay) {
    this.#relay = relay;
  }

  /** With `@Res()` nest leaves the response alone: no interceptor can rewrite the stream. */
  @Post()
  @HttpCode(200)
  run(@Req() request: Request, @Res() response: Response): void {
    streamRun(this.#relay, this.#relay.readInput(request.body), response);
  }

  @All()
  other(@Req() request: Request): never {
    throw methodNotAllowed(request.method, ["POST"]);
  }
}
