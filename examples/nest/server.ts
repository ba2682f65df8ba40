import "reflect-metadata";
import { RelayModule } from "@agent-backends/relay/nest";
import { Controller, Get, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";

const { LLM_API_KEY, LLM_BASE_URL, PORT = 3000 } = process.env;

// Your application, as it is.
@Controller()
class AppController {
  @Get()
  hello() {
    return "Hello";
  }
}

@Module({
  controllers: [AppController],
  // The relay. Guards and middleware of yours decide who may call.
  imports: [RelayModule.forRoot({ apiKey: LLM_API_KEY, baseUrl: LLM_BASE_URL, model: "gpt-4o-mini" })],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { bodyParser: false });
// On SIGTERM, lets running answers end.
app.enableShutdownHooks();
await app.setGlobalPrefix("chat").listen(PORT);
