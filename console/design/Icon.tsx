const paths = {
  book: "M4 5.5A2.5 2.5 0 0 1 6.5 3H20v15H6.5A2.5 2.5 0 0 0 4 20.5zM4 20.5A2.5 2.5 0 0 0 6.5 21H20",
  chart: "M4 20V4M4 20h16M8.5 16v-4M13 16V8M17.5 16v-6",
  relay: "M4 8h13l-3.5-3.5M20 16H7l3.5 3.5",
  folder: "M3.5 6.5A1.5 1.5 0 0 1 5 5h4l2 2.5h8a1.5 1.5 0 0 1 1.5 1.5v8.5A1.5 1.5 0 0 1 19 19H5a1.5 1.5 0 0 1-1.5-1.5z",
  pulse: "M3 12h4l3-7 4 14 3-7h4",
  send: "M5 12h13M12.5 5.5 19 12l-6.5 6.5",
  stop: "M7 7h10v10H7z",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  check: "m5 12.5 4.5 4.5L19 7.5",
  close: "M6 6l12 12M18 6 6 18",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  upload: "M12 16V4M7 9l5-5 5 5M4 16v4h16v-4",
  chevron: "m6 9 6 6 6-6",
  previous: "m14.5 6-6 6 6 6",
  next: "m9.5 6 6 6-6 6",
  warning: "M12 4 2.8 19.5h18.4zM12 10v4M12 17v.01",
  retry: "M20 5v5h-5M19.5 10A8 8 0 1 0 20 14",
  wire: "M3 12h3l2-5 4 10 3-7 2 2h4",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4",
  moon: "M20 14.5A8 8 0 1 1 9.5 4a6.5 6.5 0 0 0 10.5 10.5z",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M16 16l4.5 4.5",
  tool: "M14.5 6.5a4 4 0 0 1 5-1l-2.5 2.5 1 2 2 .5L22 8a4 4 0 0 1-5.5 4.5L9 20a2 2 0 0 1-3-3l7.5-7.5a4 4 0 0 1 1-3z",
  sparkle: "M12 3l2 7 7 2-7 2-2 7-2-7-7-2 7-2z",
  down: "M12 5v13M6 12.5l6 6 6-6",
  plus: "M12 5v14M5 12h14",
  save: "M12 4v11M7 10.5l5 5 5-5M4 16v4h16v-4",
  more: "M5 11.2a.8.8 0 1 0 0 1.6.8.8 0 1 0 0-1.6M12 11.2a.8.8 0 1 0 0 1.6.8.8 0 1 0 0-1.6M19 11.2a.8.8 0 1 0 0 1.6.8.8 0 1 0 0-1.6",
  chats: "M4 5h16v11H10l-4 4v-4H4z",
  attach: "M19 11.5l-7.5 7.5a4.5 4.5 0 0 1-6.4-6.4L13 4.7a3 3 0 0 1 4.3 4.3l-7.8 7.7a1.5 1.5 0 0 1-2.1-2.1L14.5 7.5",
  edit: "M4 20h4L19.5 8.5l-4-4L4 16zM13 7l4 4",
} as const;

export type IconName = keyof typeof paths;

/** A decorative icon. Text next to it must say the same. */
export function Icon({ name, className = "" }: { name: IconName; className?: string }) {
  return (
    <svg className={`icon ${className}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
