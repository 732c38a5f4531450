import { useSyncExternalStore } from "react";

/** Where the reader is: the parts of the path after `#/`, and what stands after the question mark. */
export interface Route {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

/** What every view is given. */
export interface ViewProps {
  readonly route: Route;
}

/** Routes live behind the hash, so that any address can be reloaded without the server knowing the views. */
export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  return { path: path.split("/").filter(Boolean).map(decode), query: new URLSearchParams(query) };
}

/** An address within the web app; every part is encoded, since ids and names come from elsewhere. */
export function to(
  path: readonly string[],
  query: Readonly<Record<string, string | number | null | undefined>> = {},
): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  const search = entries.length > 0 ? `?${new URLSearchParams(entries)}` : "";
  return `#/${path.map(encodeURIComponent).join("/")}${search}`;
}

export function goTo(hash: string): void {
  window.location.hash = hash;
}

/** Changes the address without a new entry in the history: for what a reader would not want to step back through. */
export function replaceRoute(hash: string): void {
  window.history.replaceState(window.history.state, "", hash);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

/** The address as the browser last told of it: a view that is left hears of it before anything of it is taken away. */
let told: string | undefined;
/** What views do when they are left. */
export const leaving = new Set<() => void>();

export function useHash(): string {
  return useSyncExternalStore(subscribe, () => told ?? window.location.hash);
}

function subscribe(changed: () => void): () => void {
  const hear = () => {
    for (const leave of leaving) leave();
    told = window.location.hash;
    changed();
  };
  told ??= window.location.hash;
  window.addEventListener("hashchange", hear);
  return () => window.removeEventListener("hashchange", hear);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
