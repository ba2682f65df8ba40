import type { DynamicModule, OnModuleDestroy } from "@nestjs/common";
import { Inject, Module } from "@nestjs/common";
import type { RelayOptions } from "../core/create-relay.ts";
import { relayOf } from "../core/create-relay.ts";
import type { Relay } from "../core/relay.ts";
import { AgentController } from "./agent.controller.ts";
import { HealthController } from "./health.controller.ts";
import { RELAY } from "./relay.token.ts";

/**
 * `POST /agent`, `GET /health` and `GET /ready` for any NestJS application on Express. It answers errors of these routes
 * itself; whatever interceptors, filters and middleware the application has, the stream is neither changed, compressed
 * nor held back.
 */
@Module({})
export class RelayModule implements OnModuleDestroy {
  readonly #relay: Relay;

  constructor(@Inject(RELAY) relay: Relay) {
    this.#relay = relay;
  }

  /** @param source options, or a relay that was made before */
  static forRoot(source: Relay | RelayOptions): DynamicModule {
    return {
      module: RelayModule,
      controllers: [AgentController, HealthController],
      providers: [{ provide: RELAY, useValue: relayOf(source) }],
    };
  }

  /** Ends what still runs when the application closes. */
  onModuleDestroy(): Promise<void> {
    return this.#relay.close();
  }
}
