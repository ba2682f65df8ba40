import { ProblemError } from "@agent-backends/contract";
import { toProblem } from "@agent-backends/kit";
import type { ArgumentsHost, ExceptionFilter } from "@nestjs/common";
import { Catch, Inject, NotFoundException } from "@nestjs/common";
import type { Request, Response } from "express";
import { Relay } from "../core/relay.ts";
import { refuse, toAddressProblem } from "../http/refuse.ts";

/** Answers every error as problem details. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  readonly #relay: Relay;

  constructor(@Inject(Relay) relay: Relay) {
    this.#relay = relay;
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const shown = error instanceof NotFoundException ? toAddressProblem(http.getRequest<Request>()) : error;
    refuse(http.getResponse<Response>(), shown, this.#relay.logger);
  }
}

/** Answers what the relay's routes throw. What the application's guards and pipes throw is up to the application. */
@Catch(ProblemError)
export class RelayProblemFilter extends ProblemFilter {}

/**
 * Makes a problem of what a route throws, so that a filter can tell it from what guards throw. An interceptor could do the same
 * for all routes, but Nest's way through one costs each request about 60 µs of CPU time.
 */
export function throwProblem(error: unknown): never {
  throw toProblem(error);
}
