import { Icon } from "../design/Icon.tsx";

/** Chooses files to ask about. */
export function AttachButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  return (
    <label className="button button-quiet button-icon attach-button" title="Attach files">
      <Icon name="attach" />
      <input
        type="file"
        multiple
        className="visually-hidden"
        aria-label="Attach files"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = "";
          if (files.length > 0) onFiles(files);
        }}
      />
    </label>
  );
}
