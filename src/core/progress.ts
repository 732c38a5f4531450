/** What the engine says while it works; the terminal and the page render it. Nothing below `cli` and `web` prints. */
export interface ProgressEvent {
  readonly stage: string;
  readonly done: number;
  readonly total: number | null;
  readonly note?: string;
}

export type ProgressListener = (event: ProgressEvent) => void;
