import { problems } from "@agent-backends/contract";
import { All, Controller, HttpCode, Inject, Post, Req, Res, UseFilters } from "@nestjs/common";
import type { Request, Response } from "express";
import type { Relay } from "../core/relay.ts";
import { takeBody } from "../http/json-body.ts";
import { streamRun } from "../http/stream-run.ts";
import { ProblemFilter } from "./problem.filter.ts";
import { RELAY } from "./relay.token.ts";

@Controller("agent")
@UseFilters(ProblemFilter)
export class AgentController {
  readonly #relay: Relay;

  constructor(@Inject(RELAY) relay: Relay) {
    this.#relay = relay;
  }

  /** With `@Res()` nest leaves the response alone: no interceptor can rewrite the stream. */
  @Post()
  @HttpCode(200)
  async run(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (this.#relay.lifecycle.refuse(request, response)) return;
    streamRun(this.#relay, this.#relay.readInput(await takeBody(request)), response);
  }

  @All()
  other(@Req() request: Request): never {
    throw problems.methodNotAllowed(request.method, ["POST"]);
  }
}
