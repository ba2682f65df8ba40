import { Button } from "../design/Button.tsx";
import { Dialog } from "../design/Dialog.tsx";
import type { Connections, ServiceName } from "./connections.ts";
import { serviceTitles } from "./connections.ts";

/** Asks before the page of a link sends anything to hosts that the link has chosen. */
export function ForeignAddresses({
  connections,
  names,
  onAccept,
  onDecline,
}: {
  connections: Connections;
  names: readonly ServiceName[];
  onAccept: () => void;
  onDecline: () => void;
}) {
  return (
    <Dialog title="Connect to other hosts?" onClose={onDecline}>
      <div className="stack">
        <p>This link sends what you ask and upload to:</p>
        <ul>
          {names.map((name) => (
            <li key={name}>
              {serviceTitles[name]}: <strong>{connections[name].baseUrl}</strong>
            </li>
          ))}
        </ul>
        <p>Connect only if you trust whoever runs these hosts.</p>
        <div className="row">
          <Button look="primary" onClick={onDecline}>
            Stay with my services
          </Button>
          <Button onClick={onAccept}>Connect</Button>
        </div>
      </div>
    </Dialog>
  );
}
