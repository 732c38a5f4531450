/**
 * The types that the page and the server exchange: types only, so that the client contains none of the server's code.
 * All paths begin with /api. Every answer that is not 2xx is a `Problem`; every long list is `Paged`. Every request
 * that changes something has the header `x-fabula: 1` and comes from the page's own origin.
 */

/** One clear sentence, and what to do next. */
export interface Problem {
  readonly code: string;
  readonly message: string;
}

export interface Paged<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  /** For the next page; null after the last. */
  readonly next: string | null;
}
