import type { ReactNode } from "react";

/** A form control with its label above it. */
export function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the children contain the control
    <label className="field">
      <span className="field-label">{label}</span>
      {children}
    </label>
  );
}

export function SearchInput({
  label,
  placeholder = label,
  value,
  onChange,
}: {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (text: string) => void;
}) {
  return (
    <input
      type="search"
      className="input"
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
