export function Brand() {
  return (
    <p className="brand">
      <img src="/icon.svg" alt="" width="28" height="28" />
      <span>Agent Backends</span>
    </p>
  );
}
