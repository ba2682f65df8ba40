import { createServer } from "node:http";
import { BackwardCompatibility_0_0_45, HttpAgent } from "@ag-ui/client";
import { CopilotRuntime } from "@copilotkit/runtime/v2";
import { createCopilotNodeListener } from "@copilotkit/runtime/v2/node";
import { map } from "rxjs";

// Such as https://your-host/agent?profile=ag-ui-0
const agent = new HttpAgent({ url: process.env.AGENT_URL });

// Shows the model's reasoning, which browsers take as REASONING_* events only.
agent.use(
  (input, next) =>
    next
      .run(input)
      .pipe(map((event) => (event.type === "REASONING_MESSAGE_START" ? { ...event, role: "reasoning" } : event))),
  new BackwardCompatibility_0_0_45(),
);

const runtime = new CopilotRuntime({ agents: { default: agent } });
createServer(createCopilotNodeListener({ runtime, basePath: "/api/copilotkit" })).listen(process.env.PORT);
