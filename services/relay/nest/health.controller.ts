import { problems } from "@agent-backends/contract";
import { All, Controller, Get, Inject, Req, UseFilters } from "@nestjs/common";
import type { Request } from "express";
import type { Relay } from "../core/relay.ts";
import { ProblemFilter } from "./problem.filter.ts";
import { RELAY } from "./relay.token.ts";

@Controller()
@UseFilters(ProblemFilter)
export class HealthController {
  readonly #relay: Relay;

  constructor(@Inject(RELAY) relay: Relay) {
    this.#relay = relay;
  }

  @Get("health")
  health(): object {
    return this.#relay.health();
  }

  @Get("ready")
  ready(@Req() request: Request): Promise<object> {
    return this.#relay.lifecycle.readiness(request);
  }

  @All(["health", "ready"])
  other(@Req() request: Request): never {
    throw problems.methodNotAllowed(request.method, ["GET", "HEAD"]);
  }
}
