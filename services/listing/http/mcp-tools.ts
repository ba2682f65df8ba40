import { listingLimits } from "@agent-backends/contract";
import { parseInput } from "@agent-backends/kit";
import type { McpTool } from "@agent-backends/kit/mcp";
import { z } from "zod";
import type { ActionContext } from "../actions/action.ts";
import { actions } from "../actions/index.ts";

/** The agent's actions as MCP tools. Inputs follow the same rules as the bodies of `/tools/*`. */
export function createMcpTools(
  context: ActionContext,
  /** The model's advice on a launch. */
  advise: (message: string, signal: AbortSignal) => Promise<string>,
): McpTool[] {
  const tools = actions.flatMap(({ name, tool }): McpTool[] => {
    if (tool === undefined) return [];
    const { title, description, input, openWorld, request } = tool;
    return [
      {
        name,
        title,
        description,
        input,
        openWorld,
        scope: "read",
        async run(given, signal) {
          const call = tool.call(parseInput(request, given), context);
          const data = await call.run(signal);
          return { text: call.introduce(data).trim() || JSON.stringify(data), data };
        },
      },
    ];
  });
  return [...tools, createAdviceTool(advise)];
}

function createAdviceTool(advise: (message: string, signal: AbortSignal) => Promise<string>): McpTool {
  return {
    name: "advice",
    title: "Launch advice",
    description: "Advice on preparing, timing and running the launch of a product.",
    input: z.object({ message: z.string().describe("The question, with what is known of the product.") }),
    openWorld: true,
    scope: "ask",
    run: async (input, signal) => ({ text: await advise(parseInput(adviceRequest, input).message, signal) }),
  };
}

const adviceRequest = z.object({
  message: z
    .string("must be a text")
    .trim()
    .min(1, "must not be blank")
    .max(listingLimits.adviceLength, `must have at most ${listingLimits.adviceLength} characters`),
});
