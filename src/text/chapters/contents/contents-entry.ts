/** One line of a table of contents. */
export interface ContentsEntry {
  readonly title: string;
  /** The number the table gives it, on the same line or on the one above. */
  readonly number: number | null;
  /** Several lines together, which may be one title or several. */
  readonly isJoined?: true;
}
