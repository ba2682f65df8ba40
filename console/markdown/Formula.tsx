import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";

type Renderer = typeof import("temml")["default"];

let loaded: Promise<Renderer> | undefined;

/** A formula in TeX as MathML, or as TeX while its end or the renderer is missing, and if it has an error. */
export function Formula({
  tex = "",
  display = false,
  open = false,
}: {
  tex?: string;
  display?: boolean;
  open?: boolean;
}) {
  const [renderer, setRenderer] = useState<Renderer>();
  useEffect(() => {
    // Loaded with the first formula.
    loaded ??= import("temml").then((module) => module.default);
    loaded.then(
      (temml) => setRenderer(() => temml),
      () => {
        loaded = undefined;
      },
    );
  }, []);
  const nodes = useMemo(() => {
    if (!renderer || open) return undefined;
    const holder = document.createElement("span");
    try {
      renderer.render(tex, holder, { displayMode: display, throwOnError: true });
      return [...holder.childNodes];
    } catch {
      return undefined;
    }
  }, [renderer, tex, display, open]);
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (!place.current || !nodes) return;
    place.current.replaceChildren(...nodes);
    // A region that scrolls must be reachable by keyboard.
    if (display && place.current.scrollWidth > place.current.clientWidth) place.current.tabIndex = 0;
  }, [nodes, display]);
  const className = display ? "formula formula-display" : "formula";
  return nodes ? <span className={className} ref={place} /> : <code className={className}>{tex}</code>;
}
