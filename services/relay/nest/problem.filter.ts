import { ProblemError } from "@agent-backends/contract";
import { toProblem } from "@agent-backends/kit";
import type { ArgumentsHost, ExceptionFilter } from "@nestjs/common";
import { Catch, Inject, NotFoundException } from "@nestjs/common";
import type { Request, Response } from "express";
import { Relay } from "../core/relay.ts";
import { refuse, toAddressProblem } from "../http/refuse.ts";

/** Responds to every error with problem details. */
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

/** Handles errors of the relay's routes. Errors of the application's guards and pipes are up to the application. */
@Catch(ProblemError)
export class RelayProblemFilter extends ProblemFilter {}

/**
 * Converts an error of a route to a problem, so that a filter can distinguish it from errors of guards. An interceptor could do the same
 * for all routes, but Nest's interceptors cost each request about 60 µs of CPU time.
 */
export function throwProblem(error: unknown): never {
  throw toProblem(error);
}
