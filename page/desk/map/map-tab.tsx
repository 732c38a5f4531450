import type { BookMapAnswer, ComparedFigure } from "../../../src/api/map.ts";
import { api } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { useNames, useTexts } from "../../texts/preferences.tsx";
import { ChapterStrips } from "./chapter-strips.tsx";
import { CharacterTable } from "./character-table.tsx";
import "./map.css";
import { figureInWords, rangeInWords } from "../../parts/formats.ts";
import { ColumnNames, TableScroller } from "../../parts/table.tsx";

const WIDTH = 180;
const HEIGHT = 18;

/** One tick per novel, which names it when pointed at, and where this book stands among them. */
function NovelStrip({
  figure,
  novels,
  book,
}: {
  readonly figure: ComparedFigure;
  readonly novels: BookMapAnswer["novels"];
  readonly book: string;
}) {
  const { id, unit, value } = figure;
  const known = novels.flatMap(({ title, figures }) => {
    const own = figures[id];
    return own === undefined ? [] : [{ title, value: own }];
  });
  if (value === null || known.length === 0) return null;
  const all = [value, ...known.map((novel) => novel.value)];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const x = (of: number) => 3 + ((of - low) / (high - low || 1)) * (WIDTH - 6);
  return (
    <svg className="novel-strip" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      {known.map((novel) => (
        <g key={novel.title}>
          <title>{`${novel.title}: ${figureInWords(novel.value, unit)}`}</title>
          <rect className="reach" x={x(novel.value) - 2} width="4" height={HEIGHT} />
          <rect className="tick" x={x(novel.value) - 0.5} y="4" width="1" height={HEIGHT - 8} />
        </g>
      ))}
      <g>
        <title>{`${book}: ${figureInWords(value, unit)}`}</title>
        <rect className="own" x={x(value) - 1.5} width="3" height={HEIGHT} />
      </g>
    </svg>
  );
}

/** Every figure of the map beside the same figure of published novels; what leaves their middle 90 % is marked. */
function FigureTable({ map, title }: { readonly map: BookMapAnswer; readonly title: string }) {
  const texts = useTexts();
  const names = useNames();
  const { reference } = map;
  return (
    <section>
      <h2>{texts.mapFigures}</h2>
      <p className="hint">{texts.mapFiguresHint(reference.novels, reference.description)}</p>
      <TableScroller label={texts.mapFigures}>
        <table className="figures">
          <ColumnNames
            names={[texts.figureName, texts.thisBook, texts.medianNovel, texts.referenceRange, texts.allNovels]}
          />
          <tbody>
            {map.figures
              .filter(({ value }) => value !== null)
              .map((figure) => ({ figure, ...figure }))
              .map(({ figure, id, name, unit, value, reference: novels, place }) => (
                <tr key={id} className={place === "above" || place === "below" ? "outside" : undefined}>
                  <th scope="row">{names.figure(id, name)}</th>
                  <td className="number">
                    {figureInWords(value, unit)}
                    {place === "above" || place === "below" ? (
                      <small className="doubt"> {texts.outsideRange}</small>
                    ) : null}
                  </td>
                  <td className="number">{figureInWords(novels?.median, unit)}</td>
                  <td className="number muted">{novels ? rangeInWords(novels.low, novels.high, unit) : "–"}</td>
                  <td>
                    <NovelStrip figure={figure} novels={map.novels} book={title} />
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </TableScroller>
    </section>
  );
}

/** The manuscript map: what can be counted, chapter by chapter, beside published novels. */
export function MapTab({
  bookId,
  title,
  report,
}: {
  readonly bookId: string;
  readonly title: string;
  /** The report it belongs to; null outside of one. */
  readonly report: string | null;
}) {
  const texts = useTexts();
  const asked = useAnswer(api.books[":id"].map, { param: { id: bookId } });
  const notes = useAnswer(api.books[":id"].notes, { param: { id: bookId }, query: { all: 1 } });
  const map = asked.answer;
  if (asked.problem) return <ProblemNotice problem={asked.problem} again={asked.reload} />;
  if (!map) return <p className="loading">{texts.mapReading}</p>;
  return (
    <>
      <p className="hint">{texts.mapHint}</p>
      {map.pace === null ? <p>{texts.mapEnglishOnly}</p> : null}
      <ChapterStrips map={map} notes={notes.answer} bookId={bookId} report={report} />
      <CharacterTable map={map} bookId={bookId} onCorrected={asked.reload} />
      <FigureTable map={map} title={title} />
    </>
  );
}
