import type { KeyboardEvent } from "react";

/**
 * Keys that go far turn the page at once. The browser would glide there, and stop halfway as soon as the height of a
 * paragraph on the way is corrected.
 */
export function turnPage(event: KeyboardEvent<HTMLElement>): void {
  const view = event.currentTarget;
  if (event.altKey || event.ctrlKey || event.metaKey || event.target !== view) return;
  const page = view.clientHeight * 0.9;
  const wanted = {
    Home: 0,
    End: view.scrollHeight,
    PageUp: view.scrollTop - page,
    PageDown: view.scrollTop + page,
    " ": view.scrollTop + (event.shiftKey ? -page : page),
  }[event.key];
  if (wanted === undefined) return;
  event.preventDefault();
  view.scrollTop = wanted;
}
