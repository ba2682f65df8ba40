/** Stands where a text will be. */
export function Skeleton() {
  return (
    <div className="skeleton-text" aria-hidden="true">
      <span className="skeleton" />
      <span className="skeleton skeleton-short" />
    </div>
  );
}
