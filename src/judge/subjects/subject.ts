import type { ChatModel } from "../../models/chat-model.ts";
import type { Book } from "../../text/book.ts";
import type { DraftRecord } from "../drafts/draft-record.ts";
import type { EditLetter } from "../letter/letter-part.ts";
import type { MethodName, RunOutcome } from "../methods/method.ts";
import type { Basis } from "../settings.ts";

/** Something that can be judged repeatedly: a book by a method, a book known by its summary, or an outline. */
export interface Subject {
  /** For the report and for checking quotations; without chapters when there is no text. */
  readonly book: Book;
  readonly method: MethodName | "outline";
  readonly basis: Basis;
  /** What a reader of the report should know about what the judge was shown. */
  readonly notes?: readonly string[];
  /** Texts that a judge is shown beside the chapters, by what they are: the plot of an outline. */
  readonly beside?: Readonly<Record<string, string | null>>;
  judge(judge: ChatModel, run: number, signal: AbortSignal): Promise<RunOutcome>;
  /** The plot and the people as far as they are known without the text; nulls when there is no summary of all of it. */
  storyDetails(): Promise<StoryDetails>;
  /** The letter of this judge's close reading. */
  closeLetter?(judge: ChatModel, signal: AbortSignal): Promise<Required<Pick<EditLetter, "findings" | "close">>>;
  /** What a later draft can be held against, where there is a text. */
  record?(judge: string, outcomes: readonly RunOutcome[]): Promise<DraftRecord>;
}

export interface StoryDetails {
  readonly plot: string | null;
  readonly characters: string | null;
}
