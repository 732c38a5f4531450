/**
 * The longest single wait, whatever a provider's `Retry-After` says. A per-minute limit has passed by then; the next
 * attempt shows whether a longer one has, and a run that gets no answer can be resumed.
 */
const LONGEST_WAIT_MILLISECONDS = 5 * 60_000;

export function cappedWait(askedMilliseconds: number): number {
  return Math.min(askedMilliseconds, LONGEST_WAIT_MILLISECONDS);
}
