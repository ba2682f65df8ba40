import type { ReactNode } from "react";
import { useEffect, useRef, useState } from "react";
import { Button } from "../design/Button.tsx";
import { WirePanel } from "../wire/WirePanel.tsx";
import { AnswerStatus } from "./AnswerStatus.tsx";
import { Composer } from "./Composer.tsx";
import type { ChatSession, Prepare } from "./chat-session.ts";
import { Message } from "./Message.tsx";
import type { AssistantMessage } from "./messages.ts";
import { useChat } from "./use-chat.ts";
import { useStickToEnd } from "./use-stick-to-end.ts";
import { WaitingList } from "./WaitingList.tsx";

const widePx = 1180;

/** A conversation with an agent, what is on the wire beside it. */
export function ChatFrame({
  title,
  session,
  prepare,
  placeholder,
  controls,
  empty,
  details,
}: {
  title: string;
  session: ChatSession;
  prepare: Prepare;
  placeholder: string;
  /** What can be set, beside the title. */
  controls?: ReactNode;
  /** Shown before the first message. */
  empty: (ask: (text: string) => void) => ReactNode;
  /** An answer as this agent's view shows it. */
  details: (answer: AssistantMessage) => ReactNode;
}) {
  const { messages, running, draft, waiting, wire } = useChat(session);
  const [wireOpen, setWireOpen] = useState(() => innerWidth >= widePx);
  const scroller = useRef<HTMLElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  useStopOnEscape(running, session);
  const { sticks, stick } = useStickToEnd(scroller, messages);
  const send = (text: string) => {
    stick();
    session.send(text, prepare);
  };
  const retry = running ? undefined : () => session.retry(prepare);

  return (
    <div className={wireOpen ? "chat chat-with-wire" : "chat"}>
      <div className="chat-main">
        <div className="chat-head">
          <h1>{title}</h1>
          {controls}
          <div className="row push">
            {messages.length > 0 && (
              <Button look="quiet" small icon="plus" iconOnly title="New chat" onClick={() => session.clear()}>
                New chat
              </Button>
            )}
            <Button small icon="wire" aria-expanded={wireOpen} onClick={() => setWireOpen(!wireOpen)}>
              Wire
            </Button>
          </div>
        </div>
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
                  {...(index === messages.length - 1 && retry && { retry })}
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
          <WaitingList
            messages={waiting}
            onSend={(id) => session.sendWaiting(id)}
            onEdit={(id) => {
              session.editWaiting(id);
              input.current?.focus();
            }}
            onRemove={(id) => {
              session.removeWaiting(id);
              input.current?.focus();
            }}
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
          />
        </div>
      </div>
      {wireOpen && <WirePanel wire={wire} onClose={() => setWireOpen(false)} />}
    </div>
  );
}

/** Escape stops the answer, unless a dialog or a list takes it. */
function useStopOnEscape(running: boolean, session: ChatSession): void {
  useEffect(() => {
    if (!running) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      session.stop();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [running, session]);
}
