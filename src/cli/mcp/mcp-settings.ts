export interface McpSettings {
  /** Only books in this folder can be opened. */
  readonly folder: string;
  /** Language models that may judge. An assistant cannot send a manuscript anywhere else. */
  readonly judges: readonly string[];
  /** US dollars for one evaluation. */
  readonly maximumCost: number;
  readonly store: string;
  readonly signal: AbortSignal;
}
