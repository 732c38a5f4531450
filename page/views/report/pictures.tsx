import { useMemo } from "react";
import type { EvaluationDetails } from "../../../src/api/evaluations.ts";
import { Field } from "../../parts/field.tsx";
import { chapterInWords, intervalOf } from "../../parts/formats.ts";
import { CoursePlot } from "../../plots/course-plot.tsx";
import { DistributionPlot } from "../../plots/distribution-plot.tsx";
import { to } from "../../routing.ts";
import { useNames, useTexts } from "../../texts/preferences.tsx";

/** How the book goes over its chapters, and where it stands among others. */
export function Pictures({
  details,
  aspect,
  onAspect,
}: {
  readonly details: EvaluationDetails;
  readonly aspect: string;
  readonly onAspect: (aspect: string) => void;
}) {
  const texts = useTexts();
  const names = useNames();
  const { evaluation, bookId } = details;
  const withCourse = evaluation.aspects.filter((candidate) => candidate.course.length > 1);
  const chosen = withCourse.find((candidate) => candidate.id === aspect);
  const course = chosen?.course ?? evaluation.overallCourse;
  const points = useMemo(() => {
    const titles = new Map(evaluation.book.chapters.map((chapter) => [chapter.index, chapter.title]));
    return course.map(({ chapter, verdict }) => ({
      chapter,
      verdict,
      name: chapterInWords(chapter, titles.get(chapter), texts.chapterNumber),
      href: to(["books", bookId, "read"], { chapter, heat: "edits", from: details.id, tab: "verdicts" }),
    }));
  }, [course, evaluation, bookId, details.id, texts]);
  const { overall, population } = evaluation;
  const placed = useMemo(
    () =>
      overall.kind === "scored"
        ? [{ name: evaluation.book.title, score: overall.score, interval: intervalOf(overall) }]
        : [],
    [overall, evaluation.book.title],
  );
  const name = chosen ? names.aspect(chosen.id, chosen.name) : texts.overall;
  return (
    <>
      {points.length > 1 ? (
        <section id="course">
          <h2>{texts.course}</h2>
          <div className="toolbar">
            <Field label={texts.aspect}>
              {(attributes) => (
                <select
                  {...attributes}
                  value={chosen?.id ?? "overall"}
                  onChange={(event) => onAspect(event.target.value)}
                >
                  <option value="overall">{texts.overall}</option>
                  {withCourse.map((candidate) => (
                    <option key={candidate.id} value={candidate.id}>
                      {names.aspect(candidate.id, candidate.name)}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          </div>
          <CoursePlot
            points={points}
            level={chosen?.verdict ?? overall}
            scale={evaluation.scale}
            label={texts.courseOf(name)}
          />
        </section>
      ) : null}
      {population && population.overall.length > 2 && placed.length > 0 ? (
        <section>
          <h2>{texts.place}</h2>
          <DistributionPlot
            population={population.overall}
            placed={placed}
            label={texts.place}
            caption={texts.placeHint(population.size, population.description)}
          />
        </section>
      ) : null}
    </>
  );
}
