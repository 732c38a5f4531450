import type { ProgressListener } from "../../../core/progress.ts";
import type { JudgedSegment } from "../../../judge/methods/method.ts";
import type { Population } from "../../../judge/population.ts";
import type { ChatModel } from "../../../models/chat-model.ts";
import type { ReaderProfile } from "../../../reader/profile/reader-profile.ts";
import type { RunServices, RunSettings } from "../../../runner/open-run.ts";
import type { ReadingOptions } from "../../../story/reading-options.ts";
import type { FailedBookListener } from "../failed-book.ts";
import type { PresentationOptions } from "../reading/judged-input.ts";

export interface JudgeOptions extends PresentationOptions {
  /** One judge, or several that form a panel. */
  readonly judges: readonly (string | ChatModel)[];
  /** The model that writes the summaries; the first judge by default. */
  readonly summariser?: string | ChatModel;
  readonly runs: number;
  /** How many tokens the models take at once, where that is not known or wrong. */
  readonly contextTokens?: number;
  readonly untilHalfWidth?: number;
  /** A reader whose own verdict the first judge gives beside the general one, once per run. */
  readonly reader?: ReaderProfile;
  /** Whether the first judge writes an edit letter from its verdicts, in one more call (the default). */
  readonly letter?: boolean;
  /** Whether a book with passages that speak to the judge is judged again with those masked, at the price of a second judging. */
  readonly maskInjection?: boolean;
  /** Books that the same judge scored in the same way: percentiles refer to them. */
  readonly population?: Population;
  readonly settings: RunSettings;
  readonly services: RunServices;
  readonly onProgress?: ProgressListener;
  /** Called for a book that cannot be read, and the others are judged; without it, such a book ends the run. */
  readonly onFailed?: FailedBookListener;
  /** Called with each judged segment, by the methods that judge segments. */
  readonly onSegment?: (judged: JudgedSegment) => void;
  /** What a close reading claims, as it comes. */
  readonly onFound?: ReadingOptions["onFound"];
}
