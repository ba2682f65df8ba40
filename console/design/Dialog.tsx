import type { KeyboardEventHandler, ReactNode } from "react";
import { useEffect, useId, useRef } from "react";
import { IconButton } from "./Button.tsx";

/**
 * A modal dialog that is open while it is rendered. Escape, the backdrop and its button close it. The input marked `data-autofocus`
 * gets the focus, with its text selected.
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
  /** Stays visible below the scrolling body. */
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
    // React's autoFocus runs before the dialog opens; showModal then focuses the first button instead.
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
      // StrictMode closes and reopens the dialog at once. Ignore the close event if it is open again.
      onClose={() => dialog.current?.open || onClose()}
      onKeyDown={onKeyDown}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="dialog-head">
        <div className="stack">
          <h2 id={titleId}>{title}</h2>
          {about}
        </div>
        <IconButton small={false} icon="close" label="Close" onClick={onClose} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="dialog-body" tabIndex={0} aria-labelledby={titleId}>
        {children}
      </section>
      {foot && <div className="row nowrap dialog-foot">{foot}</div>}
    </dialog>
  );
}
