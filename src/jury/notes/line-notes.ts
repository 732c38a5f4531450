import { assetPath } from "../../core/assets.ts";
import { readJuror } from "../juror-file.ts";
import { LinearJudge } from "../linear-judge.ts";
import type { PreparedText } from "../prepare-text.ts";

/** How likely a professional would change a sentence, and why. Offsets point into the text. */
export interface LineNote {
  readonly start: number;
  readonly end: number;
  /** The probability of a change, from 0 to 1. */
  readonly change: number;
  /** The likeliest kind of change, or null where none can be told from the others. */
  readonly why: string | null;
}

export interface LineNotes {
  readonly version: string;
  /** The kinds of change it can name. */
  readonly reasons: readonly string[];
  /** One note per sentence, in order. */
  read(text: PreparedText): LineNote[];
}

export const NOTES_FILE = "notes.bin";

export function loadLineNotes(folder = assetPath("models", "editor")): LineNotes {
  const { model, head, digest } = readJuror(folder, NOTES_FILE, "notes");
  const linear = new LinearJudge(model);
  const { intercept, slope, reasonLimits } = head.notes!;
  const width = head.outputs.length;
  const reasons = head.outputs.slice(1);
  const likeliestReason = (sums: Float64Array): string | null => {
    let best: number | null = null;
    for (let reason = 0; reason < reasons.length; reason++) {
      const above = sums[reason + 1]! - reasonLimits[reason]!;
      if (above >= 0 && (best === null || above > sums[best + 1]! - reasonLimits[best]!)) best = reason;
    }
    return best === null ? null : reasons[best]!;
  };
  return {
    version: digest.slice(0, 12),
    reasons,
    read({ prose, counts }) {
      const sums = linear.scoreSentences(linear.read(prose, counts));
      return Array.from({ length: prose.sentenceCount }, (_, sentence) => {
        const own = sums.subarray(sentence * width, (sentence + 1) * width);
        return {
          start: prose.starts[sentence]!,
          end: prose.ends[sentence]!,
          change: 1 / (1 + Math.exp(-(intercept + slope * own[0]!))),
          why: likeliestReason(own),
        };
      });
    },
  };
}
