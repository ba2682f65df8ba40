import { useEffect, useState } from "react";
import { Button } from "./Button.tsx";

const shownMs = 1_600;

/** Copies a text that is made when it is asked for. */
export function CopyButton({ label, text, iconOnly }: { label: string; text: () => string; iconOnly?: boolean }) {
  const [outcome, setOutcome] = useState<"copied" | "refused">();
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () =>
    navigator.clipboard.writeText(text()).then(
      () => setOutcome("copied"),
      () => setOutcome("refused"),
    );
  return (
    <>
      <Button
        small
        look={iconOnly ? "quiet" : "plain"}
        icon={outcome === "copied" ? "check" : "copy"}
        onClick={copy}
        {...(iconOnly && { iconOnly, title: label })}
      >
        {label}
      </Button>
      <span role="status" className="visually-hidden">
        {outcome === "copied" ? "Copied" : outcome === "refused" ? "The browser did not let the page copy" : ""}
      </span>
    </>
  );
}
