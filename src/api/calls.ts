/** What every view shows of a call of a run. */
export interface CallFields {
  readonly position: number;
  readonly at: string;
  readonly model: string;
  readonly purpose: string;
  readonly outcome: string;
  /** Why there is no answer; null when there is one. */
  readonly reason: string | null;
  readonly cost: number | null;
}

export interface PromptMessage {
  readonly role: string;
  readonly content: string;
}
