import type { KeyboardEvent } from "react";
import { useEffect, useId, useState } from "react";
import { Icon } from "./Icon.tsx";

/**
 * A text field with suggestions, filtered by the typed text. The value changes when an option is chosen, on Enter, and when the field
 * loses focus.
 */
export function Combobox({
  label,
  value,
  options,
  findProblem,
  onChange,
}: {
  label: string;
  value: string;
  options: { value: string; about: string }[];
  /** An error message for text that must not become the value. */
  findProblem: (text: string) => string | undefined;
  onChange: (value: string) => void;
}) {
  const id = useId();
  const [draft, setDraft] = useState(value);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    setDraft(value);
  }, [value]);

  const typed = draft.trim();
  const isTyped = typed !== "" && typed !== value;
  const matching = isTyped ? options.filter((one) => one.value.toLowerCase().includes(typed.toLowerCase())) : options;
  const isNew = isTyped && options.every((one) => one.value !== typed) && findProblem(typed) === undefined;
  const shown = isNew ? [...matching, { value: typed, about: "new" }] : matching;

  const settle = (chosen: string) => {
    setOpen(false);
    setActive(-1);
    setProblem(undefined);
    setDraft(chosen.trim() || value);
    if (chosen.trim() && chosen.trim() !== value) onChange(chosen.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setOpen(true);
      setActive((Math.max(active, step < 0 ? 0 : -1) + step + shown.length) % Math.max(1, shown.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      const chosen = (open && shown[active]?.value) || draft;
      const found = chosen.trim() === "" ? undefined : findProblem(chosen.trim());
      if (found === undefined) settle(chosen);
      else setProblem(found);
    } else if (event.key === "Escape" && open) {
      event.preventDefault();
      settle(value);
    }
  };
  return (
    <div className="combobox">
      <input
        className="input"
        role="combobox"
        aria-label={label}
        aria-expanded={open && shown.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={open && active >= 0 ? `${id}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        value={draft}
        onChange={(event) => {
          setDraft(event.target.value);
          setProblem(undefined);
          setActive(-1);
          setOpen(true);
        }}
        onClick={({ currentTarget }) => {
          // Select the name, so that typing replaces it.
          if (!open) currentTarget.select();
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => settle(findProblem(draft.trim()) === undefined ? draft : value)}
      />
      <span
        className="combobox-toggle"
        aria-hidden="true"
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => setOpen(!open)}
      >
        <Icon name="chevron" />
      </span>
      {problem !== undefined && (
        <p id={`${id}-problem`} className="combobox-problem small" role="alert">
          {problem}
        </p>
      )}
      <div
        className="combobox-list"
        id={`${id}-list`}
        role="listbox"
        aria-label="Suggestions"
        hidden={!open || shown.length === 0}
      >
        {shown.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the input has the focus and the keys
          <div
            key={option.value}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => settle(option.value)}
          >
            <span className="truncate">{option.value}</span>
            <span className="muted small">{option.about}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
