/**
 * The longest that a provider makes us wait at a time, whatever its `Retry-After` says. A limit by the minute has passed by
 * then; asking once more tells whether a longer one has, and a run that gets no answer can be resumed.
 */
const LONGEST_WAIT_MILLISECONDS = 5 * 60_000;

export function cappedWait(askedMilliseconds: number): number {
  return Math.min(askedMilliseconds, LONGEST_WAIT_MILLISECONDS);
}
