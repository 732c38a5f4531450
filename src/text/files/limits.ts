/** How much Fabula takes in. A long novel is 3 MB of text; these leave room for the longest serials and refuse the rest. */
export const LIMITS = {
  /** Size of one file, whatever its format. */
  fileBytes: 100_000_000,
  /** Text of one book, however small its file: eight million words. */
  bookCharacters: 50_000_000,
  /** What all entries of one archive may unpack to. */
  archiveBytes: 300_000_000,
  archiveEntries: 20_000,
  /** Text rarely packs better than 10:1; what packs a hundred times better is a bomb. Less than this is harmless. */
  archiveRatio: 100,
  archiveRatioFrom: 5_000_000,
} as const;

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
