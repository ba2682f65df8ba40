import { problems } from "@agent-backends/contract";
import { All, Controller, Get, HttpCode, Inject, Param, Post, Req, Res, UseFilters } from "@nestjs/common";
import type { Request, Response } from "express";
import { Relay } from "../core/relay.ts";
import { answerRunRequest, getAgentMethods } from "../http/stored-run.ts";
import { answerRun } from "../http/stream-run.ts";
import { RelayProblemFilter, throwProblem } from "./problem.filter.ts";

@Controller()
@UseFilters(RelayProblemFilter)
export class RelayController {
  readonly #relay: Relay;

  constructor(@Inject(Relay) relay: Relay) {
    this.#relay = relay;
  }

  /** With `@Res()` Nest doesn't touch the response: no interceptor can rewrite the stream. */
  @Post("agent")
  @HttpCode(200)
  run(@Req() request: Request, @Res() response: Response): Promise<void> {
    return answerRun(this.#relay, request, response).catch(throwProblem);
  }

  @Get("agent")
  findRun(@Req() request: Request, @Res() response: Response): Promise<void> {
    return answerRunRequest(this.#relay, request, response).catch(throwProblem);
  }

  @All("agent/runs/:runId")
  answerRun(@Req() request: Request, @Res() response: Response, @Param("runId") runId: string): Promise<void> {
    return answerRunRequest(this.#relay, request, response, runId).catch(throwProblem);
  }

  @Get("agent/capabilities")
  capabilities(): object {
    return this.#relay.capabilities();
  }

  @Get("health")
  health(): object {
    return this.#relay.health();
  }

  @Get("ready")
  ready(@Req() request: Request): Promise<object> {
    return this.#relay.lifecycle.readiness(request).catch(throwProblem);
  }

  @All("agent")
  refuseAgent(@Req() request: Request): never {
    throw problems.methodNotAllowed(request.method, getAgentMethods(this.#relay));
  }

  @All(["agent/capabilities", "health", "ready"])
  refuseOther(@Req() request: Request): never {
    throw problems.methodNotAllowed(request.method, ["GET", "HEAD"]);
  }
}
