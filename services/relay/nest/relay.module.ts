import type { DynamicModule, MiddlewareConsumer, NestModule } from "@nestjs/common";
import { Inject, Module, RequestMethod } from "@nestjs/common";
import { APP_FILTER } from "@nestjs/core";
import type { NextFunction, Request, Response } from "express";
import type { Relay } from "../core/relay.ts";
import { jsonBody } from "../http/json-body.ts";
import { AgentController } from "./agent.controller.ts";
import { HealthController } from "./health.controller.ts";
import { ProblemFilter } from "./problem.filter.ts";
import { RELAY } from "./relay.token.ts";

/** The relay as a NestJS module. */
@Module({})
export class RelayModule implements NestModule {
  readonly #relay: Relay;

  constructor(@Inject(RELAY) relay: Relay) {
    this.#relay = relay;
  }

  static forRelay(relay: Relay): DynamicModule {
    return {
      module: RelayModule,
      controllers: [AgentController, HealthController],
      providers: [
        { provide: RELAY, useValue: relay },
        { provide: APP_FILTER, useClass: ProblemFilter },
      ],
    };
  }

  configure(consumer: MiddlewareConsumer): void {
    const refuseWhileDraining = (request: Request, response: Response, next: NextFunction) => {
      if (!this.#relay.lifecycle.refuse(request, response)) next();
    };
    consumer.apply(refuseWhileDraining).exclude("health", "ready").forRoutes("*splat");
    consumer.apply(jsonBody).forRoutes({ path: "agent", method: RequestMethod.POST });
  }
}
