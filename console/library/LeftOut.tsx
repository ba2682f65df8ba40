import { Icon } from "../design/Icon.tsx";

/** How many files of a folder were left out because they hold no text, and on demand which. */
export function LeftOut({ names }: { names: string[] }) {
  return (
    <details className="fold left-out">
      <summary className="muted small">
        {names.length === 1
          ? "1 file of another kind was"
          : `${names.length.toLocaleString("en")} files of other kinds were`}{" "}
        left out
        <Icon name="chevron" className="chevron" />
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre className="code" tabIndex={0}>
        {names.join("\n")}
      </pre>
    </details>
  );
}
