import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { entryKey, isNewEntry, recall, remember } from "../history-memory.ts";
import { leaving } from "../routing.ts";

const SCROLL = "scroll";
/** Long, since a busy server takes its time; a reader who moves ends it at once. */
const PATIENCE_MILLISECONDS = 60_000;
const SETTLED_MILLISECONDS = 3000;

/**
 * Opens a view at its top or, when the reader goes back to it, where it was left, as soon as that much of it is there.
 */
function useScrollMemory(): void {
  useLayoutEffect(() => {
    let entry = entryKey();
    const wanted = recall(entry, SCROLL);
    const stopRestoring = typeof wanted === "number" && wanted > 0 ? restore(wanted) : toTop();
    const keep = () => remember(entry, SCROLL, window.scrollY);
    const renew = () => {
      entry = entryKey();
    };
    // The browser reports a move with its next frame, which may be too late; and while the next view is drawn it moves the page, to hold on
    // to what is in sight. When going back, it may have moved already.
    const leave = () => {
      if (isNewEntry()) keep();
    };
    window.addEventListener("scroll", keep, { passive: true });
    leaving.add(leave);
    window.addEventListener("hashchange", renew);
    return () => {
      stopRestoring();
      window.removeEventListener("scroll", keep);
      leaving.delete(leave);
      window.removeEventListener("hashchange", renew);
    };
  }, []);
}

function toTop(): () => void {
  window.scrollTo(0, 0);
  return () => {};
}

/** What was asked of the server is not there yet: the place is reached when the page is high enough, unless the reader moves first. */
function restore(wanted: number): () => void {
  let isReached = false;
  // A browser keeps what is in sight where it is when something arrives above it; here the distance from the top counts.
  const { style } = document.documentElement;
  style.overflowAnchor = "none";
  let timer = setTimeout(stop, PATIENCE_MILLISECONDS);
  const observer = new ResizeObserver(() => {
    window.scrollTo(0, wanted);
    if (isReached || Math.abs(window.scrollY - wanted) >= 2) return;
    isReached = true;
    // Parts that still arrive above the place would push it away again.
    clearTimeout(timer);
    timer = setTimeout(stop, SETTLED_MILLISECONDS);
  });
  const moves = ["wheel", "touchstart", "pointerdown", "keydown"] as const;
  function stop(): void {
    observer.disconnect();
    clearTimeout(timer);
    style.overflowAnchor = "";
    for (const move of moves) window.removeEventListener(move, stop);
  }
  for (const move of moves) window.addEventListener(move, stop, { passive: true });
  observer.observe(document.body);
  return stop;
}

interface ViewProps {
  readonly title: string;
  readonly kicker?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}

let isFirstView = true;

/** Letters from which a title would fill the screen of a phone. */
const LONG_TITLE = 60;

/** Where whoever works with the keyboard goes on when what had the focus is gone. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>("main h1")?.focus();
}

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
          <h1 ref={heading} tabIndex={-1} className={title.length > LONG_TITLE ? "long" : undefined}>
            {title}
          </h1>
        </div>
        {actions ? <div className="actions">{actions}</div> : null}
      </header>
      {children}
    </div>
  );
}
