import type { BenchmarkDetails } from "../../../src/api/benchmarks.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { useTexts } from "../../texts/preferences.tsx";

/** Levels within each genre; a dash where the human novels of a genre are too few, or a writer has none. */
export function GenreTable({ details: { writerRows, genres } }: { readonly details: BenchmarkDetails }) {
  const texts = useTexts();
  const placed = new Set(genres.flatMap(({ writers }) => writers.map(({ writer }) => writer)));
  const names = writerRows.filter(({ name }) => placed.has(name)).map(({ name }) => name);
  return (
    <>
      <p className="hint">{texts.genreLevelsHint}</p>
      <TableScroller label={texts.genreLevels}>
        <table className="genre-levels">
          <ColumnNames names={[texts.genre, texts.humanNovels, ...names]} />
          <tbody>
            {genres.map(({ genre, population, writers }) => (
              <tr key={genre}>
                <th scope="row">{genre}</th>
                <td className="number">{population}</td>
                {names.map((name) => {
                  const found = writers.find(({ writer }) => writer === name);
                  return (
                    <td key={name} className="number">
                      {found?.level?.toFixed(1) ?? "–"}
                      {found ? (
                        <small className="muted">
                          {" "}
                          {found.composite.toFixed(2)} ({found.novels})
                        </small>
                      ) : null}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
    </>
  );
}
