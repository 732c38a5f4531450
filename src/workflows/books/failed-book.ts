/** A book of a batch that could not be judged, and why. */
export interface FailedBook {
  readonly file: string;
  readonly reason: string;
}

export type FailedBookListener = (failed: FailedBook, error: unknown) => void | Promise<void>;

/** Opens one book of a batch. One that cannot be opened is reported and gives null, so that it does not end the others. */
export async function openOrReport<Opened>(
  file: string,
  open: () => Promise<Opened>,
  onFailed: FailedBookListener | undefined,
  signal: AbortSignal,
): Promise<Opened | null> {
  try {
    return await open();
  } catch (error) {
    if (!onFailed || signal.aborted) throw error;
    await onFailed({ file, reason: error instanceof Error ? error.message : String(error) }, error);
    return null;
  }
}
