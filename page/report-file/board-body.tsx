import type { ReactNode } from "react";
import type { Board, BoardFile } from "../../src/api/benchmarks.ts";
import {
  DimensionMap,
  GenreTable,
  HeadToHeadTable,
  Leaderboard,
  namesOf,
  PairMatrix,
  WritersAmongNovels,
} from "../lab/benchmark/board.tsx";
import { TextTable } from "../parts/table.tsx";
import { StaticDrawing } from "../plots/course-plot.tsx";
import { DimensionCurves } from "../plots/dimension-curves.tsx";
import { PointsPlot } from "../plots/points-plot.tsx";
import { useTexts } from "../texts/preferences.tsx";
import { staticDrawing } from "./static-drawing.ts";

/** What a site's first page has and a report does not: its script's field, and its files. */
export interface SiteExtras {
  readonly search: string;
  readonly sortHint: string;
  readonly download: string;
  readonly files: readonly string[];
  readonly cite: string;
}

/** A leaderboard with its plots drawn. */
export async function boardBody(
  file: BoardFile,
  address: ((writer: string) => string) | null,
  extras: SiteExtras | null,
): Promise<ReactNode> {
  return (
    <StaticDrawing value={await staticDrawing()}>
      <BoardBody file={file} address={address} extras={extras} />
    </StaticDrawing>
  );
}

function BoardBody({
  file: { lead, first, board, boardHint, dimensions, sections },
  address,
  extras,
}: {
  readonly file: BoardFile;
  readonly address: ((writer: string) => string) | null;
  readonly extras: SiteExtras | null;
}) {
  const texts = useTexts();
  const { humanWords, writtenWords } = board.texts;
  return (
    <>
      <p>{lead}</p>
      {first.entries.length > 0 ? <Listed {...first} /> : null}
      <h2>{texts.leaderboard}</h2>
      <p className="hint">{boardHint}</p>
      {extras ? (
        // Shown by the script: without it there is nothing that could search.
        <div className="field" hidden>
          <label htmlFor="search">{extras.search}</label>
          <input id="search" type="search" data-searches="board" />
          <p className="hint">{extras.sortHint}</p>
        </div>
      ) : null}
      <Leaderboard board={board} address={address} {...(extras && { id: "board" })} />
      <div className="board-plot">
        <WritersAmongNovels board={board} />
      </div>
      {humanWords !== null && writtenWords !== null ? (
        <p className="hint">{texts.chapterLengths(humanWords.toFixed(0), writtenWords.toFixed(0))}</p>
      ) : null}
      <WriterPlots board={board} />
      <PairMatrix board={board} />
      {board.headToHead ? <HeadToHeadTable board={board.headToHead} /> : null}
      <h2>{texts.heatMap}</h2>
      {dimensions.map((own) => (
        <div key={own.caption} className="dimension-scores">
          <DimensionMap {...own} label={own.caption} />
          <DimensionCurves {...own} />
        </div>
      ))}
      <GenreTable board={board} />
      {sections.map(({ heading, tables, hints }) => (
        <section key={heading}>
          <h2>{heading}</h2>
          {tables.map((table) => (
            <TextTable key={table.title} table={table} {...(tables.length > 1 && { hasCaption: true })} />
          ))}
          {hints.map((hint) => (
            <p key={hint} className="hint">
              {hint}
            </p>
          ))}
        </section>
      ))}
      {board.notes.length > 0 ? <Listed heading={texts.notes} entries={board.notes} /> : null}
      {extras ? (
        <section>
          <h2>{extras.download}</h2>
          <ul>
            {extras.files.map((name) => (
              <li key={name}>
                <a href={`data/${name}`}>{name}</a>
              </li>
            ))}
          </ul>
          <h3>{extras.cite}</h3>
          <p>
            <a href="CITATION.cff">CITATION.cff</a>
          </p>
        </section>
      ) : null}
    </>
  );
}

/** Composites against prices, and levels against lengths, where two or more are known. */
function WriterPlots({ board }: { readonly board: Board }) {
  const texts = useTexts();
  const nameOf = namesOf(board);
  const priced = board.writerRows.flatMap(({ name, composite, costPerBook }) =>
    composite === null || costPerBook == null ? [] : [{ name: nameOf(name), x: costPerBook, y: composite }],
  );
  const measured = board.writerRows.flatMap(({ name, level, meanWords }) =>
    level.kind === "unscored" || meanWords === null ? [] : [{ name: nameOf(name), x: meanWords, y: level.score }],
  );
  return (
    <div className="board-plot">
      {priced.length > 1 && priced.some(({ x }) => x > 0) ? (
        <PointsPlot
          title={texts.costs}
          caption={texts.costsHint}
          x={texts.pricePerBook}
          y={texts.composite}
          points={priced}
        />
      ) : null}
      {measured.length > 1 ? (
        <PointsPlot
          title={texts.lengths}
          caption={texts.lengthsHint}
          x={texts.wordsPerChapter}
          y={texts.level}
          points={measured}
        />
      ) : null}
    </div>
  );
}

function Listed({ heading, entries }: BoardFile["first"]) {
  return (
    <section>
      <h2>{heading}</h2>
      <ul>
        {entries.map((entry) => (
          <li key={entry}>{entry}</li>
        ))}
      </ul>
    </section>
  );
}
