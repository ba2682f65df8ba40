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
