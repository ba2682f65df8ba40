import { services } from "@agent-backends/contract/services";
import type { FormEvent } from "react";
import { useState } from "react";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import type { ServiceName } from "../connections/connections.ts";
import { findKeySharers, keyHeaders, parseBaseUrl } from "../connections/connections.ts";
import { Button } from "../design/Button.tsx";
import { Dialog } from "../design/Dialog.tsx";
import { Field } from "../design/Field.tsx";
import { Segments } from "../design/Segments.tsx";

const listFormat = new Intl.ListFormat("en");

/** Changes a service's address and key. Changing the address clears the key, so that it is never sent to another host. */
export function ConnectionDialog({ name, onClose }: { name: ServiceName; onClose: () => void }) {
  const { connections, deployment, connect } = useConnections();
  const current = connections[name];
  const [address, setAddress] = useState(current.baseUrl);
  const [key, setKey] = useState(current.key);
  const [keyHeader, setKeyHeader] = useState(current.keyHeader);
  const [isShared, setIsShared] = useState(true);
  const baseUrl = parseBaseUrl(address);
  const hasKey = key !== "" || current.key !== "";
  const sharers = baseUrl && hasKey ? findKeySharers(name, baseUrl, connections, deployment.addresses ?? {}) : [];
  const changeAddress = (text: string) => {
    setAddress(text);
    if (key === current.key) setKey("");
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!baseUrl) return;
    const credentials = { key: key.trim(), keyHeader };
    const shared = isShared ? sharers.map((other) => [other, { ...connections[other], ...credentials }]) : [];
    connect({ [name]: { baseUrl, ...credentials }, ...Object.fromEntries(shared) });
    onClose();
  };
  return (
    <Dialog title={`${services[name].title}: address and key`} onClose={onClose}>
      <form className="stack" onSubmit={save}>
        <Field label="Base URL">
          <input
            className="input"
            data-autofocus
            inputMode="url"
            spellCheck={false}
            value={address}
            aria-invalid={!baseUrl}
            onChange={(event) => changeAddress(event.target.value)}
          />
        </Field>
        {!baseUrl && <p className="field-problem small">Write an address such as https://agents.example.com</p>}
        <Field label="Key, if the service asks for one">
          <input
            className="input"
            type="password"
            autoComplete="off"
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        </Field>
        <Segments
          label="How the key is sent"
          value={keyHeader}
          options={keyHeaders.map((value) => ({ value, label: value.replace("Authorization: ", "") }))}
          onChange={setKeyHeader}
        />
        {sharers.length > 0 && (
          <label className="row small check nowrap">
            <input type="checkbox" checked={isShared} onChange={(event) => setIsShared(event.target.checked)} />
            Also use this key for {listFormat.format(sharers.map((other) => services[other].title))}
          </label>
        )}
        <p className="muted small">
          The address becomes part of this page's address, so you can bookmark it. The key stays in the page's memory: a
          reload removes it.
        </p>
        <div className="row">
          <Button type="submit" look="primary" disabled={!baseUrl}>
            Use this address
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
