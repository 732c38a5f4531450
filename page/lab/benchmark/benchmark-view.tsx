import { type ReactNode, useState } from "react";
import type { BenchmarkDetails, WorkSummary } from "../../../src/api/benchmarks.ts";
import { api } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Coded } from "../../parts/coded.tsx";
import { Choice } from "../../parts/field.tsx";
import { JudgeSign } from "../../parts/judges/judge-label.tsx";
import { judgeName } from "../../parts/judges/judge-name.ts";
import { View } from "../../parts/view.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { goTo, to, type ViewProps } from "../../routing.ts";
import { useReason, useTexts } from "../../texts/preferences.tsx";
import "./benchmark.css";
import {
  DimensionMap,
  GenreTable,
  HeadToHeadTable,
  Leaderboard,
  namesOf,
  PairMatrix,
  WritersAmongNovels,
} from "./board.tsx";
import { DuelDesk } from "./duel-desk.tsx";
import { AllTexts, NovelBody, WorkBody, type WorkFrame, WriterBody } from "./works.tsx";

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
  const nameOf = namesOf(details);
  const { dimensions } = details;
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
          <p className="hint">{texts.groupHint}</p>
          <Leaderboard board={details} address={(writer) => to(["benchmark", details.id, "writer", writer])} />
          {dimensions.length > 1 ? (
            <>
              <h2>{texts.heatMap}</h2>
              <DimensionMap
                caption={texts.heatMapHint}
                dimensions={dimensions.map(({ name }) => name)}
                writers={details.writerRows.map((row) => ({
                  writer: nameOf(row.name),
                  scores: dimensions.map(({ id }) => row.dimensions[id] ?? null),
                }))}
                novels={[]}
              />
            </>
          ) : null}
          <PairMatrix board={details} />
          <GenreTable board={details} />
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
      <WritersAmongNovels board={details} />
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
