import { type ReactNode, useMemo, useState } from "react";
import type { BenchmarkDetails, BenchmarkWriter, WorkSummary, WriterPair } from "../../../src/api/benchmarks.ts";
import { api } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Choice } from "../../parts/field.tsx";
import { JudgeSign } from "../../parts/judges/judge-label.tsx";
import { judgeName } from "../../parts/judges/judge-name.ts";
import { View } from "../../parts/view.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { DistributionPlot } from "../../plots/distribution-plot.tsx";
import { goTo, to, type ViewProps } from "../../routing.ts";
import { useReason, useTexts } from "../../texts/preferences.tsx";
import "./benchmark.css";
import { Coded } from "../../parts/coded.tsx";
import { figure, intervalOf, type Scale, signed } from "../../parts/formats.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { IntervalInWords, VerdictInWords } from "../../parts/verdict.tsx";
import { DuelDesk, HeadToHeadTable } from "./duel-desk.tsx";
import { AllTexts, NovelBody, WorkBody, type WorkFrame, WriterBody } from "./works.tsx";

const steps = 5;

/** What people call a writer, in every table; writers without texts have no other name. */
function namesOf({ texts: { writers } }: BenchmarkDetails): (writer: string) => string {
  const names = new Map(writers.map(({ writer, name }) => [writer, name]));
  return (writer) => names.get(writer) ?? writer;
}

/** A table whose cells are shaded within each dimension: a heat map that can also be read. */
function DimensionMap({ details }: { readonly details: BenchmarkDetails }) {
  const texts = useTexts();
  const nameOf = namesOf(details);
  const shadeOf = new Map(
    details.dimensions.map(({ id }) => [id, shades(details.writerRows.map((writer) => writer.dimensions[id] ?? null))]),
  );
  return (
    <>
      <p className="hint">{texts.heatMapHint}</p>
      <Table
        label={texts.heatMap}
        className="dimension-map"
        lang={details.dimensions.some(({ name }) => /\p{Script=Han}/u.test(name)) ? "zh-CN" : "en"}
        rows={details.writerRows}
        columns={[
          [texts.writer, ({ name }) => nameOf(name)],
          ...details.dimensions.map(
            ({ id, name }): Column<BenchmarkWriter> => [
              name,
              ({ dimensions }) => dimensions[id]?.toFixed(1) ?? "–",
              ({ dimensions }) =>
                dimensions[id] == null ? "unscored" : `shade-${shadeOf.get(id)?.(dimensions[id]) ?? 0}`,
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
  return (value) => (span === 0 ? 2 : Math.min(steps - 1, Math.floor(((value - low) / span) * steps)));
}

export default function BenchmarkView({ route }: ViewProps) {
  const texts = useTexts();
  const list = useAnswer(api.benchmarks);
  return (
    <View title={texts.benchmark} className="broad">
      <p>{texts.benchmarkIntroduction}</p>
      <Waiting asked={list}>
        {(benchmarks) => {
          const id = route.path[1] ?? benchmarks[0]?.id;
          if (id === undefined)
            return (
              <div className="empty-state">
                <p>
                  <Coded text={texts.noBenchmarks} />
                </p>
              </div>
            );
          return (
            <>
              <div className="toolbar">
                <Choice
                  label={texts.chooseBenchmark}
                  value={id}
                  options={benchmarks.map((benchmark) => [benchmark.id, benchmark.name])}
                  onChoose={(chosen) => goTo(to(["benchmark", chosen]))}
                />
              </div>
              <OneBenchmark id={id} part={route.path[2]} name={route.path[3]} />
            </>
          );
        }}
      </Waiting>
    </View>
  );
}

function OneBenchmark({
  id,
  part,
  name,
}: {
  readonly id: string;
  readonly part: string | undefined;
  readonly name: string | undefined;
}) {
  if (part === "writer" && name !== undefined) return <OneWriter id={id} writer={name} />;
  if (part === "novel" && name !== undefined) return <OneNovel id={id} novel={name} />;
  return <Board id={id} />;
}

function OneWriter({ id, writer }: { readonly id: string; readonly writer: string }) {
  const asked = useAnswer(api.benchmarks[":id"].writer, { param: { id }, query: { writer } });
  return (
    <Waiting asked={asked}>
      {(page) => (
        <>
          <h2>{page.name}</h2>
          <WriterBody
            page={page}
            frame={openedHere(id)}
            address={({ novel }) => to(["benchmark", id, "novel", novel])}
          />
        </>
      )}
    </Waiting>
  );
}

function OneNovel({ id, novel }: { readonly id: string; readonly novel: string }) {
  const asked = useAnswer(api.benchmarks[":id"].novel, { param: { id }, query: { novel } });
  return (
    <Waiting asked={asked}>
      {(page) => (
        <>
          <h2>{page.title}</h2>
          <NovelBody
            page={page}
            frame={openedHere(id)}
            address={({ writer }) => to(["benchmark", id, "writer", writer])}
          />
        </>
      )}
    </Waiting>
  );
}

function openedHere(id: string): WorkFrame {
  return (work, summary) => <LazyWork id={id} work={work} summary={summary} />;
}

/** The texts are asked for when somebody opens them. */
function LazyWork({
  id,
  work: { writer, novel },
  summary,
}: {
  readonly id: string;
  readonly work: WorkSummary;
  readonly summary: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const asked = useAnswer(api.benchmarks[":id"].work, isOpen ? { param: { id }, query: { writer, novel } } : null);
  return (
    <details className="work" onToggle={(event) => event.currentTarget.open && setOpen(true)}>
      <summary>{summary}</summary>
      {isOpen ? <Waiting asked={asked}>{(work) => <WorkBody work={work} />}</Waiting> : null}
    </details>
  );
}

function Board({ id }: { readonly id: string }) {
  const asked = useAnswer(api.benchmarks[":id"], { param: { id } });
  return <Waiting asked={asked}>{(details) => <BenchmarkPage details={details} />}</Waiting>;
}

function BenchmarkPage({ details }: { readonly details: BenchmarkDetails }) {
  const texts = useTexts();
  const inWords = useReason();
  const placed = useMemo(() => {
    const nameOf = namesOf(details);
    return details.writerRows.flatMap((writer) =>
      writer.composite === null || writer.isAnchor
        ? []
        : [{ name: nameOf(writer.name), score: writer.composite, interval: null }],
    );
  }, [details]);
  return (
    <>
      <p className="muted">
        <JudgeSign judge={details.judge} />
        {texts.population(details.novels, judgeName(details.judge, texts))}
      </p>
      <h2>{texts.leaderboard}</h2>
      {details.writerRows.length === 0 ? (
        <div className="empty-state">
          <p>
            <Coded text={texts.noWriters} />
          </p>
        </div>
      ) : (
        <>
          <Leaderboard details={details} />
          {details.dimensions.length > 1 ? (
            <>
              <h2>{texts.heatMap}</h2>
              <DimensionMap details={details} />
            </>
          ) : null}
          {details.pairs.length > 0 ? (
            <>
              <h2>{texts.pairs}</h2>
              <PairMatrix details={details} />
            </>
          ) : null}
          {details.genres.length > 0 ? (
            <>
              <h2>{texts.genreLevels}</h2>
              <GenreTable details={details} />
            </>
          ) : null}
        </>
      )}
      {details.headToHead ? <HeadToHeadTable board={details.headToHead} /> : null}
      {details.texts.writers.length > 0 ? (
        <AllTexts
          texts={details.texts}
          writerAddress={(writer) => to(["benchmark", details.id, "writer", writer])}
          novelAddress={(novel) => to(["benchmark", details.id, "novel", novel])}
        />
      ) : null}
      {details.canVote ? <DuelDesk id={details.id} /> : null}
      {details.population.length > 2 ? (
        <>
          <h2>{texts.distribution}</h2>
          <DistributionPlot
            population={details.population}
            placed={placed}
            label={texts.distribution}
            caption={texts.distributionHint}
          />
        </>
      ) : null}
      {details.notes.length > 0 ? (
        <>
          <h2>{texts.notes}</h2>
          <ul>
            {details.notes.map((note) => (
              <li key={note}>{inWords(note)}</li>
            ))}
          </ul>
        </>
      ) : null}
    </>
  );
}

/** Levels within each genre; a dash where the human novels of a genre are too few, or a writer has none. */
function GenreTable({ details }: { readonly details: BenchmarkDetails }) {
  const texts = useTexts();
  const { writerRows, genres } = details;
  const nameOf = namesOf(details);
  const placed = new Set(genres.flatMap(({ writers }) => writers.map(({ writer }) => writer)));
  const names = writerRows.filter(({ name }) => placed.has(name)).map(({ name }) => name);
  return (
    <>
      <p className="hint">{texts.genreLevelsHint}</p>
      <Table
        label={texts.genreLevels}
        className="genre-levels"
        rows={genres}
        columns={[
          [texts.genre, ({ genre }) => genre],
          [texts.humanNovels, ({ population }) => population, "number"],
          ...names.map(
            (name): Column<GenreLevels> => [
              nameOf(name),
              ({ writers }) => <GenreLevel of={writers.find(({ writer }) => writer === name)} />,
              "number",
            ],
          ),
        ]}
      />
    </>
  );
}

type GenreLevels = BenchmarkDetails["genres"][number];

function GenreLevel({ of }: { readonly of: GenreLevels["writers"][number] | undefined }) {
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
function PairMatrix({ details }: { readonly details: BenchmarkDetails }) {
  const texts = useTexts();
  const { writerRows, pairs } = details;
  const nameOf = namesOf(details);
  const compared = new Set(pairs.flatMap(({ first, second }) => [first, second]));
  const rows = writerRows.filter(({ name }) => compared.has(name));
  const found = new Map(pairs.map((pair) => [`${pair.first}\u0000${pair.second}`, pair]));
  return (
    <>
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

function Difference({ pair, isTurned }: { readonly pair: WriterPair | undefined; readonly isTurned: boolean }) {
  if (!pair) return <span className="muted">·</span>;
  const figure = signed(isTurned ? -pair.difference : pair.difference, 2);
  return (
    <>
      {pair.isApart ? <strong>{figure}</strong> : <span className="muted">{figure}</span>}
      {pair.adjusted === null ? null : (
        <small className="muted"> p {pair.adjusted < 0.001 ? "< 0.001" : pair.adjusted.toFixed(3)}</small>
      )}
    </>
  );
}

/** Writers by level, each with its interval; a line separates groups that can be told apart. */
function Leaderboard({ details }: { readonly details: BenchmarkDetails }) {
  const texts = useTexts();
  const writers = details.writerRows;
  const shown = new Map(details.texts.writers.map(({ writer, name }) => [writer, name]));
  const scale = scaleOf(writers);
  return (
    <>
      <p className="hint">{texts.groupHint}</p>
      <Table
        label={texts.leaderboard}
        className="leaderboard"
        rows={writers}
        rowClass={(writer, at) => (at > 0 && !sharesLetter(writers[at - 1], writer) ? "new-group" : undefined)}
        header={1}
        columns={[
          [texts.rank, ({ rank }) => rank, "number"],
          [
            texts.writer,
            ({ name, isAnchor }) => (
              <>
                {shown.has(name) ? <a href={to(["benchmark", details.id, "writer", name])}>{shown.get(name)}</a> : name}{" "}
                {isAnchor ? <span className="tag quiet">{texts.anchor}</span> : null}
              </>
            ),
          ],
          [texts.level, ({ level }) => <VerdictInWords verdict={level} />, "number"],
          [texts.interval, ({ level }) => <IntervalInWords verdict={level} />, "number"],
          [
            <span key="level" className="visually-hidden">
              {texts.level}
            </span>,
            (writer) => <IntervalDot writer={writer} scale={scale} />,
            "wide",
          ],
          [texts.composite, ({ composite }) => (composite == null ? "–" : figure(composite)), "number"],
          [texts.group, ({ letters }) => letters],
          [texts.texts, (writer) => writer.texts, "number"],
        ]}
      />
    </>
  );
}

/** Letters may carry a number: a, b, …, z, a1. */
function sharesLetter(one: BenchmarkWriter | undefined, other: BenchmarkWriter): boolean {
  const letters = new Set(one?.letters.match(/[a-z]\d*/g));
  return (other.letters.match(/[a-z]\d*/g) ?? []).some((letter) => letters.has(letter));
}

function IntervalDot({ writer, scale }: { readonly writer: BenchmarkWriter; readonly scale: Scale }) {
  if (writer.level.kind === "unscored") return null;
  const percent = (score: number) => ((score - scale.minimum) / (scale.maximum - scale.minimum)) * 100;
  const interval = intervalOf(writer.level);
  return (
    <span className="interval-dot" aria-hidden="true">
      {interval ? (
        <i
          className="range"
          style={{ left: `${percent(interval[0])}%`, width: `${percent(interval[1]) - percent(interval[0])}%` }}
        />
      ) : null}
      <i className="dot" style={{ left: `${percent(writer.level.score)}%` }} />
    </span>
  );
}

function scaleOf(writers: readonly BenchmarkWriter[]): Scale {
  const values = writers.flatMap(({ level }) =>
    level.kind === "scored" ? [level.score, ...(level.interval ?? [])] : [],
  );
  if (values.length === 0) return { minimum: 0, maximum: 1 };
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const margin = (high - low) * 0.05 || 1;
  return { minimum: low - margin, maximum: high + margin };
}
