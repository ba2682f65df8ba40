/** Stands where the list of documents will be. */
export function DocumentsSkeleton() {
  return (
    <div className="documents-skeleton stack" role="status">
      <span className="visually-hidden">Loading documents</span>
      <span className="skeleton" />
      <span className="skeleton skeleton-short" />
      <span className="skeleton" />
    </div>
  );
}
