import { useState } from "react";
import { browserStorage } from "../browser-storage.ts";
import { IconButton } from "../design/Button.tsx";

const storageKey = "theme";

/** Applies the theme that the user chose in this browser. Without a choice, the page follows the browser. */
export function applyStoredTheme(): void {
  const stored = browserStorage.read(storageKey);
  if (stored === "light" || stored === "dark") document.documentElement.dataset.theme = stored;
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

export function ThemeToggle() {
  const [dark, setDark] = useState(isDark);
  const toggle = () => {
    const theme = dark ? "light" : "dark";
    browserStorage.write(storageKey, theme);
    document.documentElement.dataset.theme = theme;
    setDark(!dark);
  };
  const label = dark ? "Use light theme" : "Use dark theme";
  return <IconButton small={false} icon={dark ? "sun" : "moon"} label={label} onClick={toggle} />;
}
