export type RelayProfile = "contract" | "ag-ui-0" | "ag-ui";

/** The forms in which a relay's events come, and for whom each is. The address names any but the default. */
export const relayProfiles: { value: RelayProfile; label: string; query: string; about: string }[] = [
  {
    value: "contract",
    label: "Default",
    query: "",
    about: "For chat platforms that read plain events, and for AG-UI 1.0 clients, which declare what they need.",
  },
  {
    value: "ag-ui-0",
    label: "AG-UI 0.0.x",
    query: "?profile=ag-ui-0",
    about: "For CopilotKit and other clients built on @ag-ui/client 0.0.x.",
  },
  {
    value: "ag-ui",
    label: "AG-UI 1.0",
    query: "?profile=ag-ui",
    about: "For AG-UI 1.0 clients that don't declare a protocolVersion.",
  },
];
