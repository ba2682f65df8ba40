import type { KeyboardEventHandler, ReactNode } from "react";
import { useEffect, useId, useRef } from "react";
import { Button } from "./Button.tsx";

/**
 * A dialog over the page, open as long as it is rendered. Escape, the backdrop and its button close it. It opens with the
 * focus in its field marked `data-autofocus`, whose text is selected.
 */
export function Dialog({
  title,
  about,
  foot,
  onClose,
  onKeyDown,
  children,
}: {
  title: string;
  about?: ReactNode;
  /** What stays in sight below the part that scrolls. */
  foot?: ReactNode;
  onClose: () => void;
  onKeyDown?: KeyboardEventHandler;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    // React's autoFocus comes before the dialog is open, and showModal then focuses the first button.
    const field = opened?.querySelector<HTMLInputElement>("input[data-autofocus]");
    field?.focus();
    field?.select();
    return () => opened?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={titleId}
      // React may close and open it again at once; it is closed for good when it stays so.
      onClose={() => dialog.current?.open || onClose()}
      onKeyDown={onKeyDown}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="dialog-head">
        <div className="stack">
          <h2 id={titleId}>{title}</h2>
          {about}
        </div>
        <Button look="quiet" icon="close" iconOnly onClick={onClose}>
          Close
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="dialog-body" tabIndex={0} aria-labelledby={titleId}>
        {children}
      </section>
      {foot && <div className="dialog-foot">{foot}</div>}
    </dialog>
  );
}
