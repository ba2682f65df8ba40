/** The three registrations for `npm start`. In production the address is your host's, and a key is among the headers. */
export const presets: Record<string, Record<string, string>> = {
  knowledge: {
    identifier: "knowledge",
    url: "http://127.0.0.1:8001/stream",
    toolParams: '{"namespace": "default"}',
    message: "When are refunds paid?",
  },
  listing: {
    identifier: "listing",
    url: "http://127.0.0.1:8002/agent",
    toolParams: '{"tz": "Europe/Berlin"}',
    message: "What are the top launches?",
  },
  relay: { identifier: "relay", url: "http://127.0.0.1:8000/agent", toolParams: "{}", message: "Hello!" },
};
