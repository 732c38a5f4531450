/** POST /api/questions (multipart: `file` of `{prediction, answers}` lines) → QuestionResult; GET /api/questions → QuestionResult[]; DELETE /api/questions/:id */
export interface QuestionResult {
  readonly id: string;
  readonly name: string;
  readonly items: number;
  readonly metrics: readonly { readonly id: string; readonly name: string; readonly mean: number | null }[];
  readonly createdAt: string;
}
