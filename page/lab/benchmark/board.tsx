import { type ReactNode, useMemo } from "react";
import type {
  BenchmarkWriter,
  Board,
  DimensionScores,
  GenreLevel,
  HeadToHead,
  WriterPair,
} from "../../../src/api/benchmarks.ts";
import { figure, position, type Scale, signed } from "../../parts/formats.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { IntervalInWords, VerdictInWords } from "../../parts/verdict.tsx";
import { DistributionPlot } from "../../plots/distribution-plot.tsx";
import { useTexts } from "../../texts/preferences.tsx";

const STEPS = 5;

/** What people call a writer, in every table; writers without texts have no other name. */
export function namesOf({ texts: { writers } }: Board): (writer: string) => string {
  const names = new Map(writers.map(({ writer, name }) => [writer, name]));
  return (writer) => names.get(writer) ?? writer;
}

/** Writers best first, each with its intervals; a line separates groups that can be told apart. */
export function Leaderboard({
  board,
  address,
  id,
}: {
  readonly board: Board;
  /** Where a writer has its page; null where none has. */
  readonly address: ((writer: string) => string) | null;
  /** By which a script finds the table. */
  readonly id?: string;
}) {
  const texts = useTexts();
  const writers = board.writerRows;
  const nameOf = namesOf(board);
  const hasTexts = new Set(board.texts.writers.map(({ writer }) => writer));
  const scale = scaleOf(writers);
  const optional = (isKnown: (writer: BenchmarkWriter) => boolean, column: Column<BenchmarkWriter>) =>
    writers.some(isKnown) ? [column] : [];
  return (
    <Table
      label={texts.leaderboard}
      className="leaderboard"
      {...(id !== undefined && { id })}
      rows={writers}
      rowClass={(writer, at) => (at > 0 && !sharesLetter(writers[at - 1], writer) ? "new-group" : undefined)}
      header={1}
      columns={[
        [texts.rank, ({ rank }) => rank ?? "–", "number"],
        [
          texts.writer,
          ({ name, isAnchor }) => (
            <>
              {address && hasTexts.has(name) ? <a href={address(name)}>{nameOf(name)}</a> : nameOf(name)}
              {isAnchor ? (
                <>
                  {" "}
                  <span className="tag quiet">{texts.anchor}</span>
                </>
              ) : null}
            </>
          ),
        ],
        [
          texts.composite,
          ({ composite, compositeInterval: interval }) => (
            <>
              {composite === null ? "–" : figure(composite)}
              {interval ? (
                <small className="muted range">{`${figure(interval[0])} – ${figure(interval[1])}`}</small>
              ) : null}
            </>
          ),
          "number",
        ],
        [
          <span key="composite" className="visually-hidden">
            {texts.composite}
          </span>,
          (writer) => <IntervalDot writer={writer} scale={scale} />,
          "wide",
        ],
        [
          texts.level,
          ({ level, isAtCeiling }) => (
            <>
              <VerdictInWords verdict={level} />
              {isAtCeiling ? (
                <span title={texts.atCeiling}>
                  {" ↑"}
                  <span className="visually-hidden"> {texts.atCeiling}</span>
                </span>
              ) : null}
            </>
          ),
          "number",
        ],
        [texts.interval, ({ level }) => <IntervalInWords verdict={level} />, "number"],
        [texts.group, ({ letters }) => letters],
        [texts.texts, (writer) => writer.texts, "number"],
        ...optional(({ maker }) => maker !== undefined, [texts.maker, ({ maker }) => maker ?? "–"]),
        ...optional(
          ({ released }) => released !== undefined,
          [texts.released, ({ released }) => released ?? "–", "moment"],
        ),
        ...optional(
          ({ costPerBook }) => costPerBook != null,
          [texts.pricePerBook, ({ costPerBook }) => costPerBook?.toFixed(2) ?? "–", "number"],
        ),
      ]}
    />
  );
}

/** Letters may carry a number: a, b, …, z, a1. */
function sharesLetter(one: BenchmarkWriter | undefined, other: BenchmarkWriter): boolean {
  const letters = new Set(one?.letters.match(/[a-z]\d*/g));
  return (other.letters.match(/[a-z]\d*/g) ?? []).some((letter) => letters.has(letter));
}

/** The composite, which the order and the letters follow. */
function IntervalDot({ writer, scale }: { readonly writer: BenchmarkWriter; readonly scale: Scale }) {
  const { composite, compositeInterval: interval } = writer;
  if (composite === null) return null;
  const percent = (score: number) => `${position(score, scale).toFixed(2)}%`;
  return (
    <svg className="interval-dot" aria-hidden="true">
      {interval ? <line x1={percent(interval[0])} x2={percent(interval[1])} y1="50%" y2="50%" /> : null}
      <circle cx={percent(composite)} cy="50%" r="5" />
    </svg>
  );
}

function scaleOf(writers: readonly BenchmarkWriter[]): Scale {
  const values = writers.flatMap(({ composite, compositeInterval }) =>
    composite === null ? [] : [composite, ...(compositeInterval ?? [])],
  );
  if (values.length === 0) return { minimum: 0, maximum: 1 };
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const margin = (high - low) * 0.05 || 1;
  return { minimum: low - margin, maximum: high + margin };
}

/** The writers' composites on the distribution of the human novels. */
export function WritersAmongNovels({ board }: { readonly board: Board }) {
  const texts = useTexts();
  const placed = useMemo(() => {
    const nameOf = namesOf(board);
    return board.writerRows.flatMap(({ name, composite, isAnchor }) =>
      composite === null || isAnchor ? [] : [{ name: nameOf(name), score: composite, interval: null }],
    );
  }, [board]);
  if (board.population.length < 3) return null;
  return (
    <>
      <h2>{texts.distribution}</h2>
      <DistributionPlot
        population={board.population}
        placed={placed}
        label={texts.distribution}
        caption={texts.distributionHint}
      />
    </>
  );
}

/** A table whose cells are shaded within each dimension: a heat map that can also be read. */
export function DimensionMap({ caption, dimensions, writers, label }: DimensionScores & { readonly label?: string }) {
  const texts = useTexts();
  const shadeOf = dimensions.map((_, at) => shades(writers.map(({ scores }) => scores[at] ?? null)));
  return (
    <>
      <p className="hint">{caption}</p>
      <Table
        label={label ?? texts.heatMap}
        className="dimension-map"
        lang={dimensions.some((name) => /\p{Script=Han}/u.test(name)) ? "zh-CN" : "en"}
        rows={writers}
        columns={[
          [texts.writer, ({ writer }) => writer],
          ...dimensions.map(
            (name, at): Column<DimensionScores["writers"][number]> => [
              name,
              ({ scores }) => (scores[at] == null ? "–" : figure(scores[at], 1)),
              ({ scores }) => (scores[at] == null ? "unscored" : `shade-${shadeOf[at]!(scores[at])}`),
            ],
          ),
        ]}
      />
    </>
  );
}

function shades(values: readonly (number | null)[]): (value: number) => number {
  const known = values.filter((value) => value !== null);
  const low = Math.min(...known);
  const span = Math.max(...known) - low;
  return (value) => (span === 0 ? 2 : Math.min(STEPS - 1, Math.floor(((value - low) / span) * STEPS)));
}

/** Levels within each genre; a dash where the human novels of a genre are too few, or a writer has none. */
export function GenreTable({ board }: { readonly board: Board }) {
  const texts = useTexts();
  const { writerRows, genres } = board;
  const nameOf = namesOf(board);
  const placed = new Set(genres.flatMap(({ writers }) => writers.map(({ writer }) => writer)));
  const names = writerRows.filter(({ name }) => placed.has(name)).map(({ name }) => name);
  if (genres.length === 0) return null;
  return (
    <>
      <h2>{texts.genreLevels}</h2>
      <p className="hint">{texts.genreLevelsHint}</p>
      <Table
        label={texts.genreLevels}
        className="genre-levels"
        rows={genres}
        columns={[
          [texts.genre, ({ genre }) => genre],
          [texts.humanNovels, ({ population }) => population, "number"],
          ...names.map(
            (name): Column<GenreLevel> => [
              nameOf(name),
              ({ writers }) => <LevelInGenre of={writers.find(({ writer }) => writer === name)} />,
              "number",
            ],
          ),
        ]}
      />
    </>
  );
}

function LevelInGenre({ of }: { readonly of: GenreLevel["writers"][number] | undefined }) {
  if (!of) return "–";
  return (
    <>
      {of.level?.toFixed(1) ?? "–"}
      <small className="muted">
        {" "}
        {figure(of.composite)} ({of.novels})
      </small>
    </>
  );
}

/** Every two writers: the difference of their composites, row minus column. Those told apart are in bold. */
export function PairMatrix({ board }: { readonly board: Board }) {
  const texts = useTexts();
  const { writerRows, pairs } = board;
  const nameOf = namesOf(board);
  const compared = new Set(pairs.flatMap(({ first, second }) => [first, second]));
  const rows = writerRows.filter(({ name }) => compared.has(name));
  const found = new Map(pairs.map((pair) => [`${pair.first}\u0000${pair.second}`, pair]));
  if (pairs.length === 0) return null;
  return (
    <>
      <h2>{texts.pairs}</h2>
      <p className="hint">{texts.pairsHint}</p>
      <Table
        label={texts.pairs}
        className="pair-matrix"
        rows={rows}
        columns={[
          [texts.writer, ({ name }) => nameOf(name)],
          ...rows.map(
            (other): Column<BenchmarkWriter> => [
              nameOf(other.name),
              ({ name }) => {
                const pair = found.get(`${name}\u0000${other.name}`);
                const turned = found.get(`${other.name}\u0000${name}`);
                return <Difference pair={pair ?? turned} isTurned={pair === undefined} />;
              },
              "number",
            ],
          ),
        ]}
      />
    </>
  );
}

function Difference({
  pair,
  isTurned,
}: {
  readonly pair: WriterPair | undefined;
  readonly isTurned: boolean;
}): ReactNode {
  const texts = useTexts();
  if (!pair) return <span className="muted">·</span>;
  const { difference, effect, p, adjusted, shared, isApart } = pair;
  const text = signed(isTurned ? -difference : difference, 2);
  const more = [
    effect === null ? [] : texts.pairEffect(Math.abs(effect).toFixed(2)),
    p === null ? [] : `p ${inFigures(p)}`,
    shared === null ? texts.pairUnshared : texts.pairShared(shared),
  ].flat();
  return (
    <span title={more.join("; ")}>
      {isApart ? <strong>{text}</strong> : <span className="muted">{text}</span>}
      {adjusted === null ? null : <small className="muted"> p {inFigures(adjusted)}</small>}
    </span>
  );
}

function inFigures(p: number): string {
  return p < 0.001 ? "< 0.001" : p.toFixed(3);
}

/** Writers compared two by two, and how far the judges agree with people. */
export function HeadToHeadTable({ board }: { readonly board: HeadToHead }) {
  const texts = useTexts();
  const people = board.judges.flatMap(({ judge, withPeople }) => (withPeople ? [{ judge, ...withPeople }] : []));
  const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
  return (
    <>
      <h2>{texts.headToHead}</h2>
      <p className="hint">
        {texts.headToHeadHint} {board.acrossJudges ? texts.forOtherJudges : texts.forTheseJudges}
      </p>
      <Table
        label={texts.headToHead}
        className="head-to-head"
        header={1}
        rows={board.rows}
        columns={[
          [texts.rank, ({ rank }) => rank, "number"],
          [texts.writer, ({ writer, name = writer }) => name],
          [texts.group, ({ letters }) => letters],
          [texts.strength, ({ strength }) => figure(strength), "number"],
          [texts.interval, ({ interval: [low, high] }) => `${figure(low)} – ${figure(high)}`, "number"],
          [texts.duelsWon, ({ won }) => percent(won), "number"],
          [texts.meetings, ({ meetings }) => Math.round(meetings), "number"],
        ]}
      />
      {people.map(({ judge, same, of, interval: [low, high] }) => (
        <p key={judge}>{texts.agreesWithPeople(judge, `${same} ⁄ ${of}`, `${percent(low)} – ${percent(high)}`)}</p>
      ))}
    </>
  );
}
