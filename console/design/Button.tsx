import type { ComponentProps } from "react";
import type { IconName } from "./Icon.tsx";
import { Icon } from "./Icon.tsx";

interface Props extends ComponentProps<"button"> {
  look?: "plain" | "primary" | "quiet" | "danger";
  small?: boolean;
  icon?: IconName;
}

export function Button({ look = "plain", small, icon, children, className, ...rest }: Props) {
  const classes = ["button", `button-${look}`, small && "button-small", className];
  return (
    <button type="button" {...rest} className={classes.filter(Boolean).join(" ")}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A button that shows only an icon. The label is its accessible name and its tooltip. */
export function IconButton({ label, className = "", ...rest }: Props & { icon: IconName; label: string }) {
  return (
    <Button look="quiet" small title={label} {...rest} className={`button-icon ${className}`}>
      <span className="visually-hidden">{label}</span>
    </Button>
  );
}
