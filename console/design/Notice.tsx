import type { ReactNode } from "react";
import { Icon } from "./Icon.tsx";

/** Something that went wrong, or that the user should know. */
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
