import type { ComponentProps } from "react";
import type { IconName } from "./Icon.tsx";
import { Icon } from "./Icon.tsx";

interface Look {
  look?: "plain" | "primary" | "quiet" | "danger";
  small?: boolean;
  icon?: IconName;
  /** Shows the icon alone; the children become its name. */
  iconOnly?: boolean;
}

export function Button({
  look = "plain",
  small,
  icon,
  iconOnly,
  children,
  className = "",
  ...rest
}: ComponentProps<"button"> & Look) {
  const classes = ["button", `button-${look}`, small && "button-small", iconOnly && "button-icon", className];
  return (
    <button type="button" {...rest} className={classes.filter(Boolean).join(" ")}>
      {icon && <Icon name={icon} />}
      {iconOnly ? <span className="visually-hidden">{children}</span> : children}
    </button>
  );
}
