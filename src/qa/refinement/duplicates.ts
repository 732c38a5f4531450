import { z } from "zod";
import type { QaDocument, Question } from "../dataset/document.ts";
import { spellOut } from "../metrics/other-scripts.ts";
import { rougeWords, sequenceOverlap } from "../metrics/rouge.ts";

/** Two questions about one book that ask nearly the same, as a person reviews them. */
export const duplicateSchema = z.object({
  document_id: z.string(),
  title: z.string(),
  kept: z.string(),
  kept_answers: z.array(z.string()),
  duplicate: z.string(),
  duplicate_answers: z.array(z.string()),
  /** ROUGE-L of the two questions, and the best ROUGE-L between their answers. */
  similarity: z.number(),
  answer_similarity: z.number(),
  /** `remove` takes the duplicate out; edit it to `keep` to overrule, or the other way round. */
  decision: z.enum(["remove", "keep"]),
});

export type Duplicate = z.infer<typeof duplicateSchema>;

export interface DeduplicationOptions {
  /** ROUGE-L from which two questions count as nearly the same. */
  readonly threshold: number;
  /** Decisions of a reviewer, which override the rule. */
  readonly decisions?: readonly Duplicate[];
}

/** Questions alike but answers apart: "Who is deemed innocent?" and "Who is deemed guilty?" are no duplicates. */
const ANSWERS_AGREE = 0.5;

/**
 * Finds near-identical questions within each book and takes out the later one of a pair. A pair whose answers disagree
 * is listed and kept, for a person to decide.
 *
 * @example
 * ```ts
 * const { documents: unique, duplicates } = removeDuplicates(documents, { threshold: 0.9 });
 * for (const { kept, duplicate, decision } of duplicates) console.log(decision, kept, duplicate);
 * ```
 */
export function removeDuplicates(
  documents: readonly QaDocument[],
  options: DeduplicationOptions,
): { documents: QaDocument[]; duplicates: Duplicate[]; removed: number } {
  const decided = new Map(options.decisions?.map((duplicate) => [keyOf(duplicate), duplicate.decision]));
  const duplicates: Duplicate[] = [];
  let removed = 0;
  const kept = documents.map((document) => {
    const found = duplicatesOf(document, options.threshold, (duplicate) => decided.get(keyOf(duplicate)));
    duplicates.push(...found.duplicates);
    removed += found.removed.size;
    return { ...document, qas: document.qas.filter((_, index) => !found.removed.has(index)) };
  });
  return { documents: kept, duplicates, removed };
}

function duplicatesOf(
  document: QaDocument,
  threshold: number,
  decisionOn: (duplicate: Duplicate) => Duplicate["decision"] | undefined,
) {
  const words = document.qas.map(({ question }) => rougeWords(spellOut(question)));
  const duplicates: Duplicate[] = [];
  const removed = new Set<number>();
  for (let later = 1; later < words.length; later++) {
    for (let earlier = 0; earlier < later && !removed.has(later); earlier++) {
      if (removed.has(earlier) || bestPossible(words[earlier]!, words[later]!) < threshold) continue;
      const similarity = sequenceOverlap(words[earlier]!, words[later]!);
      if (similarity < threshold) continue;
      const pair = describePair(document, document.qas[earlier]!, document.qas[later]!, similarity);
      const decision = decisionOn(pair) ?? pair.decision;
      duplicates.push({ ...pair, decision });
      if (decision === "remove") removed.add(later);
    }
  }
  return { duplicates, removed };
}

/** ROUGE-L cannot be higher than this, whatever the words are: most pairs need no alignment. */
function bestPossible(left: readonly string[], right: readonly string[]): number {
  return (2 * Math.min(left.length, right.length)) / (left.length + right.length);
}

function describePair(document: QaDocument, kept: Question, duplicate: Question, similarity: number): Duplicate {
  const answerSimilarity = Math.max(
    ...kept.answers.flatMap((left) =>
      duplicate.answers.map((right) => sequenceOverlap(rougeWords(spellOut(left)), rougeWords(spellOut(right)))),
    ),
  );
  return {
    document_id: document.document_id,
    title: document.title,
    kept: kept.question,
    kept_answers: kept.answers,
    duplicate: duplicate.question,
    duplicate_answers: duplicate.answers,
    similarity,
    answer_similarity: answerSimilarity,
    decision: answerSimilarity >= ANSWERS_AGREE ? "remove" : "keep",
  };
}

function keyOf({ document_id, kept, duplicate }: Pick<Duplicate, "document_id" | "kept" | "duplicate">): string {
  return JSON.stringify([document_id, kept, duplicate]);
}
