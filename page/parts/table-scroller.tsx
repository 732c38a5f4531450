import type { ReactNode } from "react";

/** A wide table scrolls by itself on a narrow screen, by keyboard too, and the page does not. */
export function TableScroller({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
    <section className="table-scroller" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
