import type { BookMapAnswer } from "../../../../src/api/map.ts";
import { ColumnNames } from "../../../parts/column-names.tsx";
import { figureInWords, rangeInWords } from "../../../parts/formats.ts";
import { TableScroller } from "../../../parts/table-scroller.tsx";
import { useNames, useTexts } from "../../../texts/preferences.tsx";
import { NovelStrip } from "./novel-strip.tsx";

/** Every figure of the map beside the same figure of published novels; what leaves their middle 90 % is marked. */
export function FigureTable({ map, title }: { readonly map: BookMapAnswer; readonly title: string }) {
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
