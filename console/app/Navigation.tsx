import { Icon } from "../design/Icon.tsx";
import type { View } from "./views.ts";
import { hrefOf, views, viewTitles } from "./views.ts";

export function Navigation({ current }: { current: View }) {
  return (
    <nav className="navigation" aria-label="Views">
      <ul>
        {views.map((view) => (
          <li key={view} className={view === "library" ? "navigation-break" : undefined}>
            <a href={hrefOf(view)} aria-current={view === current ? "page" : undefined}>
              <Icon name={viewTitles[view].icon} />
              <span>{viewTitles[view].title}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
