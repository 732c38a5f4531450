/** A stretch of one text: `text.slice(start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
