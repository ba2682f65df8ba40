import { useEffect, useState } from "react";
import { Button, IconButton } from "./Button.tsx";

/** Time that the button shows its confirmation, in milliseconds. */
const confirmationMs = 1_600;

/** Copies a text that is built on click. */
export function CopyButton({ label, text, iconOnly }: { label: string; text: () => string; iconOnly?: boolean }) {
  const [outcome, setOutcome] = useState<"copied" | "refused">();
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(undefined), confirmationMs);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () =>
    navigator.clipboard.writeText(text()).then(
      () => setOutcome("copied"),
      () => setOutcome("refused"),
    );
  const icon = outcome === "copied" ? "check" : outcome === "refused" ? "warning" : "copy";
  return (
    <>
      {iconOnly ? (
        <IconButton icon={icon} label={label} onClick={copy} />
      ) : (
        <Button small icon={icon} onClick={copy}>
          {label}
        </Button>
      )}
      <span role="status" className="visually-hidden">
        {outcome === "copied" ? "Copied" : outcome === "refused" ? "The browser did not let the page copy" : ""}
      </span>
    </>
  );
}
