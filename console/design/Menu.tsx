import type { KeyboardEvent, ReactNode } from "react";
import { useId, useRef, useState } from "react";
import { IconButton } from "./Button.tsx";

interface MenuItem {
  label: ReactNode;
  onChoose: () => void;
}

/** A button that opens a list of actions. Arrow keys, Home and End move the focus; Escape and a click elsewhere close the list. */
export function Menu({ label, items }: { label: string; items: MenuItem[] }) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const place = (button: HTMLElement) => {
    const { bottom, right, top } = button.getBoundingClientRect();
    const menu = list.current;
    if (!menu) return;
    menu.showPopover();
    const isLow = bottom + menu.offsetHeight > innerHeight;
    menu.style.top = `${Math.max(0, isLow ? top - menu.offsetHeight : bottom)}px`;
    menu.style.left = `${Math.max(0, right - menu.offsetWidth)}px`;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll("button") ?? [])];
    const index = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key];
    if (event.key === "Tab") list.current?.hidePopover();
    if (next === undefined) return;
    event.preventDefault();
    buttons.at(next % buttons.length)?.focus();
  };
  return (
    <>
      <IconButton
        icon="more"
        label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={(event) => place(event.currentTarget)}
      />
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className="menu"
        onToggle={(event) => {
          setOpen(event.newState === "open");
          if (event.newState === "open") list.current?.querySelector("button")?.focus();
        }}
        onKeyDown={onKeyDown}
      >
        {items.map((item, index) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: the items of a menu never change their order
            key={index}
            type="button"
            role="menuitem"
            className="bare-button"
            tabIndex={-1}
            onClick={() => {
              list.current?.hidePopover();
              item.onChoose();
            }}
          >
            {item.label}
          </button>
        ))}
      </div>
    </>
  );
}
