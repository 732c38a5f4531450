/**
 * What belongs to one step of the window's history: where it was scrolled to and what was selected. Going back, or
 * reloading, finds it again; a new step starts without.
 */
export function entryKey(): string {
  const known = knownEntry();
  if (known !== null) return known;
  const entry = Math.random().toString(36).slice(2, 12);
  window.history.replaceState({ entry }, "");
  return entry;
}

/** Whether the window has just taken a step forward, to an entry that no view has seen yet. */
export function isNewEntry(): boolean {
  return knownEntry() === null;
}

function knownEntry(): string | null {
  const state: unknown = window.history.state;
  return typeof state === "object" && state !== null && "entry" in state ? String(state.entry) : null;
}

export function remember(entry: string, name: string, value: unknown): void {
  try {
    sessionStorage.setItem(keyOf(entry, name), JSON.stringify(value));
  } catch {
    // A browser may refuse storage: going back then starts at the top.
  }
}

export function recall(entry: string, name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(entry, name)) ?? "null");
  } catch {
    return null;
  }
}

function keyOf(entry: string, name: string): string {
  return `fabula-place:${entry}:${name}`;
}
