import { useState } from "react";
import { Button } from "../design/Button.tsx";

type Theme = "system" | "light" | "dark";

const key = "theme";

export function storedTheme(): Theme {
  const stored = localStorage.getItem(key);
  return stored === "light" || stored === "dark" ? stored : "system";
}

/** Shows the page in a theme; `system` follows the browser's. */
export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Shows the page in a theme from now on. */
function chooseTheme(theme: Theme): void {
  localStorage.setItem(key, theme);
  applyTheme(theme);
}

/** Whether the page is dark now. */
function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

export function ThemeToggle() {
  const [dark, setDark] = useState(isDark);
  const toggle = () => {
    chooseTheme(dark ? "light" : "dark");
    setDark(!dark);
  };
  const label = dark ? "Use light theme" : "Use dark theme";
  return (
    <Button look="quiet" icon={dark ? "sun" : "moon"} iconOnly title={label} onClick={toggle}>
      {label}
    </Button>
  );
}
