import type { ConfettiPayload } from "@agent-backends/contract";

/** Shows the confetti that a payload describes; nothing where the user wants less motion. */
export async function celebrate(payload: ConfettiPayload): Promise<void> {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const { default: confetti } = await import("canvas-confetti");
  const canvas = document.createElement("canvas");
  canvas.className = "confetti";
  canvas.setAttribute("aria-hidden", "true");
  document.body.append(canvas);
  // A worker would have to come from a blob, which the page's policy does not let run.
  const fire = confetti.create(canvas, { resize: true, useWorker: false });
  const { colors, particleCount, spread, startVelocity, origin, shapes, ticks } = payload;
  await fire({ colors, particleCount, spread, startVelocity, origin, shapes, ticks });
  canvas.remove();
}
