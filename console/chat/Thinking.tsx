/** Stands where an answer will be. */
export function Thinking() {
  return (
    <div className="thinking" aria-hidden="true">
      <span className="skeleton" />
      <span className="skeleton skeleton-short" />
    </div>
  );
}
