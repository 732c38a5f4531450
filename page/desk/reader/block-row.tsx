import { memo, useMemo } from "react";
import type { ChapterHeat } from "../../../src/api/books.ts";
import { useNames, useTexts } from "../../texts/preferences.tsx";
import type { Block } from "./book-layout.ts";
import { type Mark, type Run, textRuns } from "./text-runs.ts";

const noMarks: readonly Mark[] = [];

/** One paragraph, with how likely an editor changes its sentences as colours and what is looked for as marks. */
export const BlockRow = memo(function BlockRow({
  text,
  block,
  heat,
  marks = noMarks,
}: {
  readonly text: string;
  readonly block: Block;
  readonly heat: ChapterHeat | null;
  readonly marks?: readonly Mark[] | undefined;
}) {
  const runs = useMemo(() => {
    const sentences = heat?.sentences ?? [];
    return textRuns(text, block, sentences, marks);
  }, [text, block, heat, marks]);
  return (
    <p className="block">
      {runs.map((run) => (
        // By where it begins: a mark keeps its element, and the focus on it, when the heat layer comes.
        <RunText key={run.start} run={run} />
      ))}
    </p>
  );
});

function RunText({ run }: { readonly run: Run }) {
  const texts = useTexts();
  const names = useNames();
  const shown =
    run.heat === 0 ? (
      run.text
    ) : (
      <span
        className={`heat edit-${run.heat}`}
        title={
          run.change === null ? undefined : texts.editLikelihood(run.change.toFixed(2), run.why && names.why(run.why))
        }
      >
        {run.text}
      </span>
    );
  if (run.mark === null) return shown;
  return (
    <mark className={run.mark} title={run.title ?? undefined} tabIndex={run.mark === "passage" ? -1 : undefined}>
      {shown}
    </mark>
  );
}
