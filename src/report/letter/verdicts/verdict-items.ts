import type { BookEvaluation } from "../../../judge/evaluation.ts";
import type { RemarkReference, WrittenLetter } from "../../../judge/letter/ask-letter.ts";
import type { LetterItem } from "../../../judge/letter/letter-part.ts";
import type { QuotedPassage } from "../../../judge/letter/quoted-passage.ts";
import type { Quoter } from "../quote-passages.ts";

const QUOTED = 3;
const MOST = 4;
/** A remark that recurs this often is worth an item of its own when no letter was written. */
const RECURRING = 2;

/** What a judge wrote, as items: each with the passages of the remarks it rests on, and none without one that stands in the book. */
export function writtenItems(letter: WrittenLetter, evaluation: BookEvaluation, quoter: Quoter): LetterItem[] {
  return letter.items.flatMap(({ title, finding, advice, basis }) =>
    verdictItem({ title, finding, advice }, basis, evaluation, quoter),
  );
}

/** Without a written letter: the weaknesses said most often, in the judge's own words. */
export function recurringItems(evaluation: BookEvaluation, quoter: Quoter): LetterItem[] {
  return evaluation.aspects
    .flatMap(({ id, name, weaknesses }) =>
      weaknesses.map((said, remark) => ({ said, name, basis: { aspect: id, kind: "weakness" as const, remark } })),
    )
    .filter(({ said }) => (said.times ?? 1) >= RECURRING)
    .sort((left, right) => (right.said.times ?? 1) - (left.said.times ?? 1))
    .slice(0, MOST)
    .flatMap(({ said, name, basis }) =>
      verdictItem(
        { aspect: name, finding: said.text, times: said.times ?? 1 },
        [basis],
        evaluation,
        quoter,
        "recurring",
      ),
    );
}

function verdictItem(
  facts: LetterItem["facts"],
  basis: readonly RemarkReference[],
  evaluation: BookEvaluation,
  quoter: Quoter,
  kind = "verdict",
): LetterItem[] {
  const passages = basis.flatMap((reference) => passagesOf(reference, evaluation, quoter));
  if (passages.length === 0) return [];
  const praised = evaluation.aspects
    .filter(({ id }) => basis.some(({ aspect }) => aspect === id))
    .flatMap(({ id, strengths }) => strengths.map((_, remark) => ({ aspect: id, kind: "strength" as const, remark })))
    .flatMap((reference) => passagesOf(reference, evaluation, quoter));
  return [
    {
      kind,
      figure: null,
      facts,
      touched: passages.length,
      distance: 0,
      passages: passages.slice(0, QUOTED),
      better: praised.find(({ quote }) => !passages.some((passage) => passage.quote === quote)) ?? null,
      basis: [...basis],
    },
  ];
}

/** The book's own words at the places that were found; what was not found is not shown. */
function passagesOf(
  { aspect, kind, remark }: RemarkReference,
  evaluation: BookEvaluation,
  quoter: Quoter,
): QuotedPassage[] {
  const result = evaluation.aspects.find(({ id }) => id === aspect);
  const said = (kind === "strength" ? result?.strengths : result?.weaknesses)?.[remark];
  return (said?.evidence ?? []).flatMap((place) => {
    const evidence = result!.evidence[place];
    if (!evidence?.found || evidence.start === null || evidence.end === null) return [];
    return quoter.quote({ chapter: evidence.chapter, start: evidence.start, end: evidence.end }) ?? [];
  });
}
