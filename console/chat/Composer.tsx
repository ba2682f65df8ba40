import type { ClipboardEvent, FormEvent, KeyboardEvent, RefObject } from "react";
import { useLayoutEffect, useRef } from "react";
import { Button } from "../design/Button.tsx";
import { Icon } from "../design/Icon.tsx";
import { sendsMessage } from "./sends-message.ts";

/**
 * The field for writing a message. Enter sends it, Shift+Enter starts a new line. Send keeps its position when Stop appears and
 * disappears, so that a click meant for one never hits the other.
 */
export function Composer({
  placeholder,
  running,
  draft,
  input,
  canSend,
  onDraft,
  onPaste,
  onSend,
  onStop,
  onAttach,
  accept,
}: {
  placeholder: string;
  running: boolean;
  draft: string;
  input: RefObject<HTMLTextAreaElement | null>;
  canSend: boolean;
  onDraft: (text: string) => void;
  onPaste: (event: ClipboardEvent) => void;
  onSend: () => void;
  onStop: () => void;
  onAttach?: (files: File[]) => void;
  /** Media types of the files that can be attached. By default all. */
  accept?: string;
}) {
  const stopHasFocus = useRef(false);
  useLayoutEffect(() => {
    // The browser would move the focus from a removed button to the body.
    if (!running && stopHasFocus.current) input.current?.focus();
    stopHasFocus.current = false;
  }, [running, input]);
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (canSend) onSend();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!sendsMessage(event)) return;
    event.preventDefault();
    // A repeating key was pressed elsewhere, for example on Stop.
    if (!event.repeat) send();
  };
  return (
    <form className="composer" onSubmit={send}>
      {onAttach && <AttachButton accept={accept} onFiles={onAttach} />}
      <textarea
        ref={input}
        aria-label="Message"
        rows={1}
        placeholder={placeholder}
        value={draft}
        onChange={(event) => onDraft(event.target.value)}
        onPaste={onPaste}
        onKeyDown={onKeyDown}
      />
      {running && (
        <Button
          icon="stop"
          title="Stop the answer (Escape)"
          onFocus={() => {
            stopHasFocus.current = true;
          }}
          onBlur={() => {
            stopHasFocus.current = false;
          }}
          onClick={() => {
            onStop();
            input.current?.focus();
          }}
        >
          <span className="composer-label">Stop</span>
        </Button>
      )}
      <Button
        type="submit"
        look="primary"
        icon="send"
        disabled={!canSend}
        title={running ? "Sent when the answer is complete" : undefined}
      >
        <span className="composer-label">Send</span>
      </Button>
    </form>
  );
}

function AttachButton({ accept, onFiles }: { accept: string | undefined; onFiles: (files: File[]) => void }) {
  return (
    <label className="button button-quiet button-icon attach-button" title="Attach files">
      <Icon name="attach" />
      <input
        type="file"
        multiple
        accept={accept}
        className="visually-hidden"
        aria-label="Attach files"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // Reset the value, so that choosing the same file again is also a change.
          event.target.value = "";
          if (files.length > 0) onFiles(files);
        }}
      />
    </label>
  );
}
