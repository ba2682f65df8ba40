import type { Limit } from "@agent-backends/contract";

const head = `# Limits

What bounds requests, answers and work. Made from the table in \`packages/contract/limit-table.ts\` by \`npm run docs:limits\`;
a test checks that it is current.

A number under *beyond* is the status of the problem that is answered; 429 and 503 carry \`Retry-After\`. Streams and ingests
that already run are never touched by a limit that refuses new ones. A variable in the last column changes the limit of a
service. Requests per minute are counted in each process, or, with \`RATE_LIMIT_URL=redis://…\`, in Redis for all processes of a
service together; while Redis does not answer, each process counts alone. The address of a client is that of its
connection; behind proxies of your own set \`TRUSTED_PROXIES\` to how many they are, and the address is read from
\`X-Forwarded-For\`. A key may have a rate of its own: see [security](security.md).

| services | limit | value | beyond | variable |
|---|---|---|---|---|
`;

const spaced = (value: number) => String(value).replace(/\B(?=(\d{3})+$)/g, " ");

function shown({ value, unit }: Limit): string {
  if (typeof value === "object") {
    return `${value.min}…${spaced(value.max)}${value.default === undefined ? "" : `, default ${value.default}`}`;
  }
  if (unit === "bytes") return value >= 2 ** 20 ? `${value / 2 ** 20} MiB` : `${value / 2 ** 10} KiB`;
  if (unit === "ms") return `${spaced(value / 1_000)} s`;
  return [spaced(value), unit].filter(Boolean).join(" ");
}

/** `docs/limits.md`. */
export function limitsDocument(table: readonly Limit[]): string {
  const rows = table.map((limit) => {
    const variable = limit.variable === undefined ? "" : `\`${limit.variable}\``;
    return `| ${[limit.service, limit.what, shown(limit), limit.beyond, variable].join(" | ")} |\n`;
  });
  return head + rows.join("");
}
