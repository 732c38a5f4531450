/** What can be chosen about the judge; the shipped choice was made by cross-validation (`fabula train pocket --select`). */
export interface TrainingSettings {
  /** An n-gram is kept when it occurs with at least this many families of writers… */
  readonly minimumFamilies: number;
  /** …and in at least this many stories. */
  readonly minimumStories: number;
  /** Weight of the n-grams against the style features. */
  readonly ngramScale: number;
  /** Weight of the style features together. */
  readonly styleScale: number;
  readonly penalty: number;
  /** Words in a window when a text is judged. */
  readonly window: number;
}

export const SHIPPED_SETTINGS: TrainingSettings = {
  minimumFamilies: 12,
  minimumStories: 8,
  ngramScale: 1,
  styleScale: 1,
  penalty: 5,
  window: 600,
};
