/** Progress of the engine, rendered by the terminal and the web app. Nothing below `cli` and `server` prints. */
export interface ProgressEvent {
  readonly stage: string;
  readonly done: number;
  readonly total: number | null;
  readonly note?: string;
}

export type ProgressListener = (event: ProgressEvent) => void;
