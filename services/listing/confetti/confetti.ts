import type { ConfettiPayload } from "@agent-backends/contract";
import { listingLimits } from "@agent-backends/contract";

const defaultColors = ["#ff4d4d", "#ffb84d", "#ffe74d", "#4dd97a", "#4da6ff", "#b84dff"];
const defaultParticleCount = 200;

/**
 * What a client's animation is given for one celebration.
 *
 * @param request.colors hex colours; none: a rainbow
 * @param request.particleCount clamped to 20…1000; default 200
 */
export function createConfetti(
  request: { colors?: readonly string[]; particleCount?: number; reason?: string },
  now: Date,
): ConfettiPayload {
  const { min, max } = listingLimits.particles;
  return {
    action: "CONFETTI",
    ...(request.reason && { reason: request.reason }),
    colors: request.colors?.length ? [...request.colors] : [...defaultColors],
    particleCount: Math.min(max, Math.max(min, request.particleCount ?? defaultParticleCount)),
    spread: 90,
    startVelocity: 45,
    origin: { x: 0.5, y: 0.5 },
    shapes: ["square", "circle"],
    ticks: 200,
    disableSound: true,
    timestamp: now.toISOString(),
  };
}
