import { CopyButton } from "../design/CopyButton.tsx";
import { Icon } from "../design/Icon.tsx";
import type { ServiceProblem } from "./check-service.ts";

const places: Record<NonNullable<ServiceProblem["place"]>, string> = {
  address: "In the address",
  key: "In the key",
  service: "At the service",
  configuration: "In the service's settings",
  network: "In the network",
  provider: "At the provider",
};

/** What is wrong with a service, where that is to be mended, and the lines that do it. */
export function Problem({ problem: { text, place, fix } }: { problem: ServiceProblem }) {
  return (
    <div className="notice problem">
      <Icon name="warning" />
      <div className="stack problem-text">
        {place && <strong>{places[place]}</strong>}
        <span>{text}</span>
        {fix !== undefined && <FixLines lines={fix} />}
      </div>
    </div>
  );
}

/** Lines for `.env` or the shell, to copy. */
export function FixLines({ lines }: { lines: string }) {
  return (
    <span className="fix">
      <code>{lines}</code>
      <CopyButton iconOnly label={`Copy ${lines.split("=", 1)[0]}`} text={() => lines} />
    </span>
  );
}
