import { services } from "@agent-backends/contract/services";
import { useCallback, useState } from "react";
import type { ChatOfView } from "../chat/ChatFrame.tsx";
import { ChatFrame } from "../chat/ChatFrame.tsx";
import { EmptyChat } from "../chat/EmptyChat.tsx";
import type { Prepare } from "../chat/protocol.ts";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import { relayAt } from "../connections/clients.ts";
import { buildKeyHeaders } from "../connections/connections.ts";
import type { AssistantMessage } from "../conversations/messages.ts";
import { Button } from "../design/Button.tsx";
import { Segments } from "../design/Segments.tsx";
import { useStore } from "../store.ts";
import { RelayAnswer } from "./RelayAnswer.tsx";
import { buildRunInput } from "./run-input.ts";
import { ToolsDialog } from "./ToolsDialog.tsx";

const examples = ["Hello! Who are you?", "Write a Markdown table of three HTTP status codes"];
const implementations = [
  { value: "relay" as const, label: "Express" },
  { value: "relayNest" as const, label: "Nest" },
];
const profiles = [
  { value: "contract" as const, label: "Plain" },
  { value: "ag-ui" as const, label: "AG-UI 1.0" },
];

export function RelayView(chat: ChatOfView) {
  const { session } = chat;
  const { connections } = useConnections();
  const [implementation, setImplementation] = useState<"relay" | "relayNest">("relay");
  // The plain profile has no reasoning, and doesn't report that an answer was cut off.
  const [profile, setProfile] = useState<"contract" | "ag-ui">("ag-ui");
  const { tools } = useStore(session);
  const [isEditing, setIsEditing] = useState(false);
  const connection = connections[implementation];
  const prepare = useCallback<Prepare>(
    (messages, ids) => {
      const body = buildRunInput(messages, ids, { tools, isWholeProtocol: profile === "ag-ui" });
      const relay = relayAt(connection);
      return {
        url: `${connection.baseUrl}${services.relay.streamingPath}?profile=${profile}`,
        headers: buildKeyHeaders(connection),
        body,
        open: (options) => relay.stream(body, { profile, ...options }),
        keptRun: {
          open: (options) => relay.resume(ids.runId, { profile, ...options }),
          stop: () => relay.stop(ids.runId),
        },
      };
    },
    [connection, tools, profile],
  );
  const renderAnswer = useCallback(
    (answer: AssistantMessage) => (
      <RelayAnswer answer={answer} onResult={(callId, result) => session.giveResult(callId, result, prepare)} />
    ),
    [session, prepare],
  );
  return (
    <>
      <ChatFrame
        title="Relay"
        {...chat}
        prepare={prepare}
        placeholder="Talk to the model"
        takesImages
        controls={
          <div className="row">
            <Segments
              label="Implementation"
              value={implementation}
              options={implementations}
              onChange={setImplementation}
            />
            <Segments label="Events" value={profile} options={profiles} onChange={setProfile} />
            <Button small icon="tool" onClick={() => setIsEditing(true)}>
              {tools.length === 0 ? "Tools" : `Tools (${tools.length})`}
            </Button>
          </div>
        }
        renderEmpty={(ask) => (
          <EmptyChat icon="relay" title="Talk to the model" examples={examples} onAsk={ask}>
            <p>
              The relay forwards the conversation to the provider and streams AG-UI events back. Give the model tools,
              and watch their calls arrive.
            </p>
          </EmptyChat>
        )}
        renderAnswer={renderAnswer}
      />
      {isEditing && (
        <ToolsDialog tools={tools} onTools={(chosen) => session.setTools(chosen)} onClose={() => setIsEditing(false)} />
      )}
    </>
  );
}
