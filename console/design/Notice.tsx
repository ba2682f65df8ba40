import type { ReactNode } from "react";
import { Button } from "./Button.tsx";
import { Icon } from "./Icon.tsx";

/** An error, or something the user should know. */
export function Notice({ danger, children, action }: { danger?: boolean; children: ReactNode; action?: ReactNode }) {
  return (
    <div className={danger ? "notice notice-danger" : "notice"} role={danger ? "alert" : undefined}>
      <Icon name="warning" />
      <div className="stack">
        <div>{children}</div>
        {action && <div className="row">{action}</div>}
      </div>
    </div>
  );
}

/** Placeholder for text that is loading. */
export function Skeleton() {
  return (
    <div className="skeleton-text" aria-hidden="true">
      <span className="skeleton" />
      <span className="skeleton skeleton-short" />
    </div>
  );
}

/** Recently deleted items, while their deletion can be undone. */
export function UndoBars({
  deleted,
  onUndo,
}: {
  deleted: readonly { id: string; title: string }[];
  onUndo: (id: string) => void;
}) {
  return (
    <div className="undo-bars" role="status">
      {deleted.map(({ id, title }) => (
        <div key={id} className="undo-bar">
          <span className="truncate">Deleted “{title}”</span>
          <Button small onClick={() => onUndo(id)}>
            Undo
          </Button>
        </div>
      ))}
    </div>
  );
}
