/** Fields that are told elsewhere on the card. */
const leftOut = new Set(["status", "service", "timestamp", "actions"]);

const worded = (value: unknown): string => {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" || typeof value === "number" ? String(value) : JSON.stringify(value);
};

/** What a service says about itself, field by field. */
export function Facts({ facts }: { facts: Record<string, unknown> }) {
  const shown = Object.entries(facts).filter(([name]) => !leftOut.has(name));
  if (shown.length === 0) return null;
  return (
    <dl className="facts small">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name.replaceAll("_", " ")}</dt>
          <dd>{worded(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
