import type { ConfettiPayload } from "@agent-backends/contract";
import { confettiRequest, listingLimits } from "@agent-backends/contract";
import { z } from "zod";
import { oneLine } from "../render/text.ts";
import { findColors, findParticleCount } from "../routing/findings/counts.ts";
import type { ActionContext, ToolCall, Wanted } from "./action.ts";
import { clamp, defineAction } from "./action.ts";

const defaultColors = ["#ff4d4d", "#ffb84d", "#ffe74d", "#4dd97a", "#4da6ff", "#b84dff"];
const defaultParticleCount = 200;
const { particles } = listingLimits;

/** Shows confetti on the user's screen. */
export const confetti = defineAction({
  name: "confetti",
  kind: "effect",
  ability: "celebrate",
  command: /^[/!](?:confetti|celebrate|party)\b/,
  concept: "confetti",
  readParameters(chart) {
    const colors = findColors(chart);
    return { colors: colors.length > 0 ? colors : undefined, particleCount: findParticleCount(chart) };
  },
  tool: {
    title: "Confetti",
    description: "The payload with which a client shows confetti, to celebrate a launch.",
    input: z.object({
      colors: z
        .unknown()
        .optional()
        .meta({
          type: "array",
          items: { type: "string" },
          description: "Hex colours such as #ff4d4d; none: a rainbow.",
        }),
      particleCount: z
        .number()
        .optional()
        .describe(`${particles.min} to ${particles.max}; default ${defaultParticleCount}.`),
      reason: z.string().optional().describe("What is celebrated."),
    }),
    request: confettiRequest,
    example: { colors: ["#ff4d4d"], particleCount: 50, reason: "Our launch" },
    openWorld: false,
    call: createConfettiCall,
  },
  plan: ({ message, colors, particleCount }, context) =>
    createConfettiCall(
      {
        colors: colors?.slice(0, listingLimits.colors),
        particleCount,
        reason: oneLine(message, listingLimits.reasonLength),
      },
      context,
    ),
});

type Request = Pick<Wanted, "colors" | "particleCount"> & { reason?: string | undefined };

function createConfettiCall({ colors, particleCount, reason }: Request, { now }: ActionContext): ToolCall {
  return {
    tool: "confetti",
    args: {
      ...(colors && { colors }),
      ...(particleCount !== undefined && { particleCount }),
      ...(reason !== undefined && { reason }),
    },
    known: () => undefined,
    run: async () => createPayload({ colors, particleCount, reason }, new Date(now())),
    introduce: () => "",
    ground: (payload) => ({
      task: "The user's screen shows confetti now, as the payload below says. Celebrate with them in one or two sentences.",
      facts: payload,
    }),
  };
}

function createPayload({ colors, particleCount = defaultParticleCount, reason }: Request, now: Date): ConfettiPayload {
  return {
    action: "CONFETTI",
    ...(reason && { reason }),
    colors: colors?.length ? [...colors] : [...defaultColors],
    particleCount: clamp(particleCount, particles),
    spread: 90,
    startVelocity: 45,
    origin: { x: 0.5, y: 0.5 },
    shapes: ["square", "circle"],
    ticks: 200,
    disableSound: true,
    timestamp: now.toISOString(),
  };
}
