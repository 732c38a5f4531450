import { type ReactNode, useEffect, useRef } from "react";
import { useScrollMemory } from "./use-scroll-memory.ts";

interface ViewProps {
  readonly title: string;
  readonly kicker?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}

let isFirstView = true;

/** The frame of every view: its name in the heading and in the window, and the focus there after a change of place. */
export function View({ title, kicker, actions, children, className }: ViewProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Fabula`;
  }, [title]);
  useEffect(() => {
    // A page that was just opened keeps the focus where the browser put it.
    if (isFirstView) isFirstView = false;
    else heading.current?.focus({ preventScroll: true });
  }, []);
  useScrollMemory();
  return (
    <div className={className ? `view ${className}` : "view"}>
      <header className="view-header">
        <div>
          {kicker ? <p className="kicker">{kicker}</p> : null}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
        </div>
        {actions ? <div className="actions">{actions}</div> : null}
      </header>
      {children}
    </div>
  );
}
