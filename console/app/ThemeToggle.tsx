import { useState } from "react";
import { Button } from "../design/Button.tsx";
import { chooseTheme, isDark } from "./theme.ts";

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
