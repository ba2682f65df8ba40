import type { ClipboardEvent, DragEvent, ReactNode } from "react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { ConversationStore } from "../conversations/conversation-store.ts";
import type { AssistantMessage } from "../conversations/messages.ts";
import { Button } from "../design/Button.tsx";
import { useStickToEnd } from "../design/use-stick-to-end.ts";
import { loadMarkdown, useMarkdown } from "../markdown/AnswerText.tsx";
import { WirePanel } from "../wire/WirePanel.tsx";
import { AnswerStatus, Attachments, ChatNotices, WaitingList } from "./ChatFoot.tsx";
import { ChatHead } from "./ChatHead.tsx";
import { Composer } from "./Composer.tsx";
import type { ChatSession } from "./chat-session.ts";
import { Message } from "./Message.tsx";
import type { Prepare } from "./protocol.ts";
import { useChat } from "./use-chat.ts";

/** What every agent's view is given. */
export interface ChatOfView {
  session: ChatSession;
  store: ConversationStore;
  /** The agent's other conversations. */
  list: ReactNode;
}

/** A conversation with an agent, what is on the wire beside it. */
export function ChatFrame({
  title,
  session,
  store,
  list,
  prepare,
  placeholder,
  controls,
  onAttach,
  empty,
  details,
}: ChatOfView & {
  title: string;
  prepare: Prepare;
  placeholder: string;
  /** What can be set, beside the title. */
  controls?: ReactNode;
  /** Stores files for the next question; absent where the agent takes none. */
  onAttach?: (files: File[]) => void;
  /** Shown before the first message. */
  empty: (ask: (text: string) => void) => ReactNode;
  /** An answer as this agent's view shows it. */
  details: (answer: AssistantMessage) => ReactNode;
}) {
  const { messages, running, draft, waiting, uploads, wire } = useChat(session);
  const [wireOpen, setWireOpen] = useWireOpen();
  const scroller = useRef<HTMLElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const willShowAnswers = messages.length > 0 || draft !== "";
  useEffect(() => {
    if (willShowAnswers) loadMarkdown();
  }, [willShowAnswers]);
  const markdown = useMarkdown();
  const content = useMemo(() => (messages.length > 0 ? { messages, markdown } : undefined), [messages, markdown]);
  const { sticks, stick } = useStickToEnd(scroller, content, true);
  useStopOnEscape(running, session);
  const drop = useFileDrop(onAttach);
  const latestPrepare = useRef(prepare);
  useEffect(() => {
    latestPrepare.current = prepare;
  });
  useEffect(() => {
    // Whoever begins a new chat wants to write.
    if (document.activeElement?.matches(".conversations > a")) input.current?.focus({ preventScroll: true });
  }, []);
  const edit = useCallback(
    (id: string, text: string) => {
      session.edit(id, text, latestPrepare.current);
      input.current?.focus();
    },
    [session],
  );
  const retry = useCallback(() => session.retry(latestPrepare.current), [session]);
  const send = (text: string) => {
    stick();
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
          onWire={() => setWireOpen(!wireOpen)}
        />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <section className="chat-scroller" ref={scroller} tabIndex={0} aria-label="Conversation">
          {messages.length === 0 ? (
            <div className="chat-column chat-empty">{empty(send)}</div>
          ) : (
            <ol className="chat-column">
              {messages.map((message, index) => (
                <Message
                  key={message.id}
                  message={message}
                  details={details}
                  {...(!running && { onEdit: edit })}
                  {...(index === messages.length - 1 && !running && { retry })}
                />
              ))}
            </ol>
          )}
        </section>
        <div className="chat-foot chat-column">
          {!sticks && (
            <Button className="jump" small icon="down" onClick={stick}>
              Latest
            </Button>
          )}
          <AnswerStatus messages={messages} />
          <ChatNotices session={session} store={store} />
          <WaitingList
            messages={waiting}
            onSend={(id) => session.sendWaiting(id, prepare)}
            onEdit={(id) => {
              session.editWaiting(id);
              input.current?.focus();
            }}
            onRemove={(id) => {
              session.removeWaiting(id);
              input.current?.focus();
            }}
          />
          <Attachments
            uploads={uploads}
            onRetry={(id) => session.uploads.retry(id)}
            onCancel={(id) => session.uploads.cancel(id)}
            onClear={() => session.uploads.clear()}
          />
          <Composer
            placeholder={placeholder}
            running={running}
            draft={draft}
            input={input}
            canSend={session.canSend(draft)}
            onDraft={(text) => session.setDraft(text)}
            onSend={() => {
              send(draft);
              session.setDraft("");
            }}
            onStop={() => session.stop()}
            {...(onAttach && { onAttach })}
          />
        </div>
      </div>
      {wireOpen && <WirePanel wire={wire} onClose={() => setWireOpen(false)} />}
    </div>
  );
}

/** Escape stops the answer, unless something that is open takes it. */
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

/** From this width on the panel has a place beside the conversation. */
const wide = "(min-width: 1180px)";

const key = "wire";

/** Whether the wire panel is open: as the user left it in this tab, at first where the window is wide. */
function useWireOpen(): [boolean, (isOpen: boolean) => void] {
  const [isOpen, setIsOpen] = useState(() => {
    const isWide = matchMedia(wide).matches;
    return isWide && sessionStorage.getItem(key) !== "closed";
  });
  return [
    isOpen,
    (next) => {
      sessionStorage.setItem(key, next ? "open" : "closed");
      setIsOpen(next);
    },
  ];
}

/** Handlers that take files which are dropped onto an element or pasted into it. */
function useFileDrop(onFiles: ((files: File[]) => void) | undefined) {
  const [isOver, setIsOver] = useState(false);
  if (!onFiles) return { isOver: false, handlers: {} };
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
  const onPaste = (event: ClipboardEvent) => take(event, event.clipboardData);
  return { isOver, handlers: { onDragOver: onDrag, onDragLeave: onDrag, onDrop, onPaste } };
}
