import type { DynamicModule, OnModuleDestroy } from "@nestjs/common";
import { Inject, Module } from "@nestjs/common";
import type { RelayOptions } from "../core/options.ts";
import { Relay } from "../core/relay.ts";
import { RelayController } from "./relay.controller.ts";

/**
 * Adds `POST /agent`, `GET /agent/capabilities`, `GET /health` and `GET /ready` to any NestJS application on Express, and
 * `/agent/runs/{runId}` if runs can be resumed. Handles the errors of these routes itself, and leaves those of guards to the application.
 * Interceptors, filters and middleware can't change, compress or delay the stream.
 */
@Module({})
export class RelayModule implements OnModuleDestroy {
  readonly #relay: Relay;

  constructor(@Inject(Relay) relay: Relay) {
    this.#relay = relay;
  }

  /** @param source options, or a relay created with `createRelay` */
  static forRoot(source: Relay | RelayOptions): DynamicModule {
    const relay = source instanceof Relay ? source : new Relay(source);
    return {
      module: RelayModule,
      controllers: [RelayController],
      providers: [{ provide: Relay, useValue: relay }],
    };
  }

  /** Closes the relay with the application. */
  onModuleDestroy(): Promise<void> {
    return this.#relay.close();
  }
}
