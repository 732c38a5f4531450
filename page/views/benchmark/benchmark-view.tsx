import { useMemo } from "react";
import type { BenchmarkDetails, BenchmarkSummary } from "../../../src/api/benchmarks.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Field } from "../../parts/field.tsx";
import { JudgeSign } from "../../parts/judges/judge-label.tsx";
import { judgeName } from "../../parts/judges/judge-name.ts";
import { View } from "../../parts/view.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { DistributionPlot } from "../../plots/distribution-plot.tsx";
import { goTo, to, type ViewProps } from "../../routing.ts";
import { useReason, useTexts } from "../../texts/preferences.tsx";
import { DimensionMap } from "./dimension-map.tsx";
import { GenreTable } from "./genre-table.tsx";
import { Leaderboard } from "./leaderboard.tsx";
import { PairMatrix } from "./pair-matrix.tsx";
import "./benchmark.css";

export default function BenchmarkView({ route }: ViewProps) {
  const texts = useTexts();
  const list = useAnswer<readonly BenchmarkSummary[]>("/api/benchmarks");
  return (
    <View title={texts.benchmark}>
      <p>{texts.benchmarkIntroduction}</p>
      <Waiting asked={list}>
        {(benchmarks) => {
          const id = route.path[1] ?? benchmarks[0]?.id;
          if (id === undefined)
            return (
              <div className="empty-state">
                <p>{texts.noBenchmarks}</p>
              </div>
            );
          return (
            <>
              <div className="toolbar">
                <Field label={texts.chooseBenchmark}>
                  {(attributes) => (
                    <select
                      {...attributes}
                      value={id}
                      onChange={(event) => goTo(to(["benchmark", event.target.value]))}
                    >
                      {benchmarks.map((benchmark) => (
                        <option key={benchmark.id} value={benchmark.id}>
                          {benchmark.name}
                        </option>
                      ))}
                    </select>
                  )}
                </Field>
              </div>
              <OneBenchmark id={id} />
            </>
          );
        }}
      </Waiting>
    </View>
  );
}

function OneBenchmark({ id }: { readonly id: string }) {
  const asked = useAnswer<BenchmarkDetails>(`/api/benchmarks/${encodeURIComponent(id)}`);
  return <Waiting asked={asked}>{(details) => <BenchmarkPage details={details} />}</Waiting>;
}

function BenchmarkPage({ details }: { readonly details: BenchmarkDetails }) {
  const texts = useTexts();
  const inWords = useReason();
  const placed = useMemo(
    () =>
      details.writerRows.flatMap((writer) =>
        writer.composite === null || writer.isAnchor
          ? []
          : [{ name: writer.name, score: writer.composite, interval: null }],
      ),
    [details],
  );
  return (
    <>
      <p className="muted">
        <JudgeSign judge={details.judge} />
        {texts.population(details.novels, judgeName(details.judge, texts))}
      </p>
      <h2>{texts.leaderboard}</h2>
      {details.writerRows.length === 0 ? (
        <div className="empty-state">
          <p>{texts.noWriters}</p>
        </div>
      ) : (
        <>
          <Leaderboard writers={details.writerRows} subject={details.subject} />
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
