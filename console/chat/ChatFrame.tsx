import type { ClipboardEvent, DragEvent, ReactNode } from "react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { tabStorage } from "../browser-storage.ts";
import { findFileProblem, readImage } from "../conversations/attached-images.ts";
import type { ConversationStore } from "../conversations/conversation-store.ts";
import type { AssistantMessage } from "../conversations/messages.ts";
import { Button } from "../design/Button.tsx";
import { useStickToEnd } from "../design/use-stick-to-end.ts";
import { loadMarkdown, useMarkdown } from "../markdown/AnswerText.tsx";
import { useStore } from "../store.ts";
import { WirePanel } from "../wire/WirePanel.tsx";
import type { Attach } from "./ChatFoot.tsx";
import { ChatFoot } from "./ChatFoot.tsx";
import { ChatHead } from "./ChatHead.tsx";
import type { ChatSession } from "./chat-session.ts";
import { Message } from "./Message.tsx";
import { describeSize } from "./message-size.ts";
import type { Prepare } from "./protocol.ts";

/** Properties of every agent's view. */
export interface ChatOfView {
  session: ChatSession;
  store: ConversationStore;
  list: ReactNode;
}

/** A conversation with an agent, with the wire panel next to it. */
export function ChatFrame({
  title,
  session,
  store,
  list,
  prepare,
  placeholder,
  controls,
  onAttach,
  takesImages = false,
  renderEmpty,
  renderAnswer,
}: ChatOfView & {
  title: string;
  prepare: Prepare;
  placeholder: string;
  /** The view's settings, next to the title. */
  controls?: ReactNode;
  /** Stores files for the next question. Undefined if the agent doesn't accept files. */
  onAttach?: (files: File[]) => void;
  /** Whether images can be sent with a question. */
  takesImages?: boolean;
  /** Rendered before the first message. */
  renderEmpty: (ask: (text: string) => void) => ReactNode;
  renderAnswer: (answer: AssistantMessage) => ReactNode;
}) {
  const { messages, running, draft, wire } = useStore(session);
  const [wireOpen, setWireOpen] = useWireOpen();
  const scroller = useRef<HTMLElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const wireButton = useRef<HTMLButtonElement>(null);
  const needsMarkdown = messages.length > 0 || draft !== "";
  useEffect(() => {
    if (needsMarkdown) loadMarkdown();
  }, [needsMarkdown]);
  const markdown = useMarkdown();
  const content = useMemo(() => (messages.length > 0 ? { messages, markdown } : undefined), [messages, markdown]);
  const { sticks, stick } = useStickToEnd(scroller, content, true);
  useStopOnEscape(running, session);
  const attach = useAttach(session, prepare, onAttach, takesImages);
  const drop = useFileDrop(attach.onFiles);
  // The callbacks below are passed to memoized messages, so they must not change with `prepare`.
  const latestPrepare = useRef(prepare);
  useEffect(() => {
    latestPrepare.current = prepare;
  });
  useEffect(() => void session.resume(latestPrepare.current), [session]);
  useEffect(() => {
    // After a click on "New chat", the user wants to write.
    if (document.activeElement?.matches(".conversations > a")) input.current?.focus({ preventScroll: true });
  }, []);
  const edit = useCallback(
    (id: string, text: string) => {
      session.edit(id, text, latestPrepare.current);
      input.current?.focus();
    },
    [session],
  );
  const describeEdit = useCallback(
    (id: string, text: string) => {
      const { messages } = session.snapshot();
      const before = messages.slice(
        0,
        messages.findIndex((message) => message.id === id),
      );
      return describeSize(text, before, latestPrepare.current);
    },
    [session],
  );
  const retry = useCallback(() => session.retry(latestPrepare.current), [session]);
  // "Go on." names no subject, so the librarian searches for the previous question.
  const goOn = useCallback(() => session.send("Go on.", latestPrepare.current), [session]);
  const closeWire = () => {
    wireButton.current?.focus();
    setWireOpen(false);
  };
  const send = (text: string) => {
    stick();
    attach.clear();
    session.send(text, prepare);
  };

  return (
    <div className={wireOpen ? "chat chat-with-wire" : "chat"}>
      <div className={drop.isOver ? "chat-main chat-main-drop" : "chat-main"} {...drop.handlers}>
        <ChatHead
          title={title}
          session={session}
          store={store}
          list={list}
          controls={controls}
          wireOpen={wireOpen}
          wireButton={wireButton}
          onWire={() => setWireOpen(!wireOpen)}
        />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <section className="chat-scroller" ref={scroller} tabIndex={0} aria-label="Conversation">
          {messages.length === 0 ? (
            <div className="chat-column chat-empty">{renderEmpty(send)}</div>
          ) : (
            <ol className="chat-column">
              {messages.map((message, index) => (
                <Message
                  key={message.id}
                  message={message}
                  renderAnswer={renderAnswer}
                  describeEdit={describeEdit}
                  {...(!running && { onEdit: edit })}
                  {...(index === messages.length - 1 && !running && { onRetry: retry, onContinue: goOn })}
                />
              ))}
            </ol>
          )}
        </section>
        <div className="chat-foot chat-column">
          {!sticks && (
            <Button
              className="jump"
              small
              icon="down"
              onClick={() => {
                // The button disappears. From the conversation, keys scroll on.
                scroller.current?.focus();
                stick();
              }}
            >
              Latest
            </Button>
          )}
          <ChatFoot
            session={session}
            store={store}
            input={input}
            prepare={prepare}
            placeholder={placeholder}
            onSend={send}
            attach={attach}
          />
        </div>
      </div>
      {wireOpen && <WirePanel wire={wire} onClose={closeWire} />}
    </div>
  );
}

/** Escape stops the answer, unless it closes a dialog or a menu. */
function useStopOnEscape(running: boolean, session: ChatSession): void {
  useEffect(() => {
    if (!running) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const isTaken = event.defaultPrevented || document.querySelector("dialog[open], :popover-open");
      if (event.key === "Escape" && !isTaken) session.stop();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [running, session]);
}

/** Minimum window width for showing the wire panel next to the conversation. Must match chat.css. */
const wideQuery = "(min-width: 1180px)";
const wireStorageKey = "wire";

/** Whether the wire panel is open. In a wide window it is open by default, unless the user has closed it in this tab. */
function useWireOpen(): [boolean, (isOpen: boolean) => void] {
  const [isOpen, setIsOpen] = useState(
    () => matchMedia(wideQuery).matches && tabStorage.read(wireStorageKey) !== "closed",
  );
  const change = (next: boolean) => {
    tabStorage.write(wireStorageKey, next ? "open" : "closed");
    setIsOpen(next);
  };
  return [isOpen, change];
}

/** Attaches files as the agent takes them: by its own way, as images of the next question, or not at all, with a message. */
function useAttach(
  session: ChatSession,
  prepare: Prepare,
  onFiles: ((files: File[]) => void) | undefined,
  takesImages: boolean,
): Attach {
  const [problem, setProblem] = useState<string>();
  const clear = () => setProblem(undefined);
  if (onFiles) return { accepts: "files", onFiles, problem: undefined, clear };
  const takeImages = async (files: File[]) => {
    const found = findFileProblem(files, takesImages);
    setProblem(found);
    if (found !== undefined) return;
    try {
      const added = await Promise.all(files.map(readImage));
      const { messages, draft, images } = session.snapshot();
      const all = [...images, ...added];
      // Measured here rather than on each key press, which would take a tenth of a second.
      const size = describeSize(draft, messages, prepare, all);
      if (size?.isTooLong) setProblem(size.note);
      else session.setImages(all);
    } catch {
      setProblem("The browser could not read these images.");
    }
  };
  return { accepts: takesImages ? "images" : "nothing", onFiles: (files) => void takeImages(files), problem, clear };
}

/** Handlers for files that are dropped on an element or pasted into it. */
function useFileDrop(onFiles: (files: File[]) => void) {
  const [isOver, setIsOver] = useState(false);
  const take = (event: DragEvent | ClipboardEvent, data: DataTransfer) => {
    if (data.files.length === 0) return;
    event.preventDefault();
    onFiles([...data.files]);
  };
  const onDrag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setIsOver(event.type === "dragover");
  };
  const onDrop = (event: DragEvent) => {
    setIsOver(false);
    take(event, event.dataTransfer);
  };
  const onPaste = (event: ClipboardEvent) => {
    // Spreadsheets copy cells as text and also as a picture of them.
    if (event.clipboardData.getData("text/plain") === "") take(event, event.clipboardData);
  };
  return { isOver, handlers: { onDragOver: onDrag, onDragLeave: onDrag, onDrop, onPaste } };
}
