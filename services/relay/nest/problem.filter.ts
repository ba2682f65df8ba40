import { ProblemError } from "@agent-backends/contract";
import { toProblem } from "@agent-backends/kit";
import type { ArgumentsHost, CallHandler, ExceptionFilter, ExecutionContext, NestInterceptor } from "@nestjs/common";
import { Catch, Inject, NotFoundException } from "@nestjs/common";
import type { Request, Response } from "express";
import type { Observable } from "rxjs";
import { catchError, throwError } from "rxjs";
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

/** Makes problems of all that the routes throw, so that a filter can tell it from what guards throw. */
export class ProblemInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(catchError((error) => throwError(() => toProblem(error))));
  }
}
