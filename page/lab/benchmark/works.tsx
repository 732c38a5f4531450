import type { ReactNode } from "react";
import type {
  BenchmarkTexts,
  DuelAnswered,
  NovelPage,
  Work,
  WorkSummary,
  WriterPage,
} from "../../../src/api/benchmarks.ts";
import { Facts } from "../../parts/facts.tsx";
import { figure } from "../../parts/formats.ts";
import { judgeName } from "../../parts/judges/judge-name.ts";
import { Table } from "../../parts/table.tsx";
import { useTexts } from "../../texts/preferences.tsx";

/** How a work is opened: the web app asks its server, a site has the texts in files of its own. */
export type WorkFrame = (work: WorkSummary, summary: ReactNode) => ReactNode;

interface PageProps<Page> {
  readonly page: Page;
  readonly frame: WorkFrame;
  /** Where the other side of a work has its page. */
  readonly address: (work: WorkSummary) => string;
}

/** What leads to the pages of writers and novels. */
export function AllTexts({
  texts: { writers, novels, humanWords, writtenWords },
  writerAddress,
  novelAddress,
}: {
  readonly texts: BenchmarkTexts;
  readonly writerAddress: (writer: string) => string;
  readonly novelAddress: (novel: string) => string;
}) {
  const texts = useTexts();
  return (
    <>
      {humanWords !== null && writtenWords !== null ? (
        <p>{texts.chapterLengths(humanWords.toFixed(0), writtenWords.toFixed(0))}</p>
      ) : null}
      <h2>{texts.allWriters}</h2>
      <ul className="columns">
        {writers.map(({ writer, name }) => (
          <li key={writer}>
            <a href={writerAddress(writer)}>{name}</a>
          </li>
        ))}
      </ul>
      <h2>{texts.novelList}</h2>
      <ul className="columns">
        {novels.map(({ novel, title }) => (
          <li key={novel}>
            <a href={novelAddress(novel)}>{title}</a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A writer: what is known of it, everything it wrote, its duels. */
export function WriterBody({ page, frame, address }: PageProps<WriterPage>) {
  const texts = useTexts();
  const { maker, released, costPerBook, humanWords, meanWords, works, duels } = page;
  const facts: [string, ReactNode][] = [];
  if (maker !== null) facts.push([texts.maker, maker]);
  if (released !== null) facts.push([texts.released, released]);
  if (costPerBook !== null) facts.push([texts.pricePerBook, costPerBook.toFixed(2)]);
  return (
    <>
      {facts.length > 0 ? <Facts facts={facts} /> : null}
      {humanWords !== null && meanWords !== null ? (
        <p>{texts.chapterLengths(humanWords.toFixed(0), meanWords.toFixed(0))}</p>
      ) : null}
      <WorkList works={works} nameOf={({ title }) => title} frame={frame} address={address} />
      <Duels duels={duels} />
    </>
  );
}

/** A novel: what writers were given of it, what each made of it, their duels on it. */
export function NovelBody({ page, frame, address }: PageProps<NovelPage>) {
  const texts = useTexts();
  const { author, year, genre, original, humanWords, meanWords, works, synopses, duels } = page;
  const facts: [string, ReactNode][] = [];
  if (author !== null) facts.push([texts.author, author]);
  if (year !== null) facts.push([texts.yearPublished, year]);
  if (genre !== null) facts.push([texts.genre, genre]);
  if (original) facts.push([texts.originalPlace, <Place key="original" {...original} />]);
  return (
    <>
      {facts.length > 0 ? <Facts facts={facts} /> : null}
      {humanWords !== null && meanWords !== null ? (
        <p>{texts.chapterLengthsOf(humanWords.toFixed(0), meanWords.toFixed(0))}</p>
      ) : null}
      {synopses.length > 0 ? (
        <details>
          <summary>{texts.synopsesGiven}</summary>
          {synopses.map(({ chapter, lines }) => (
            <section key={chapter}>
              <h3>{texts.chapterNumber(chapter)}</h3>
              <ul>
                {lines.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </section>
          ))}
        </details>
      ) : null}
      <WorkList works={works} nameOf={({ name }) => name} frame={frame} address={address} />
      <Duels duels={duels} isOfOneNovel />
    </>
  );
}

function Place({ composite, level }: { readonly composite: number | null; readonly level: number | null }) {
  const texts = useTexts();
  if (composite === null || level === null) return "–";
  return `${texts.composite} ${figure(composite)} · ${texts.level} ${level.toFixed(1)}`;
}

function WorkList({
  works,
  nameOf,
  frame,
  address,
}: {
  readonly works: readonly WorkSummary[];
  readonly nameOf: (work: WorkSummary) => string;
  readonly frame: WorkFrame;
  readonly address: (work: WorkSummary) => string;
}) {
  const texts = useTexts();
  return (
    <section className="works">
      <h2>{texts.worksHeading}</h2>
      <p className="hint">{texts.worksHint}</p>
      {works.map((work) => (
        <div className="work-row" key={`${work.writer}\n${work.novel}`}>
          {frame(
            work,
            <>
              <b>{nameOf(work)}</b> <Place {...work} /> · {texts.chapters(work.chapters)} · {texts.words(work.words)} ·{" "}
              {texts.findingsCount(work.findings)}
            </>,
          )}
          <a href={address(work)} aria-label={nameOf(work)}>
            →
          </a>
        </div>
      ))}
    </section>
  );
}

/** The texts themselves: findings first, then every chapter with its scores, and the passages marked where they stand. */
export function WorkBody({ work }: { readonly work: Work }) {
  const texts = useTexts();
  return (
    <div className="work-body">
      {work.found.length === 0 ? <p className="muted">{texts.workNoFindings}</p> : <Found work={work} />}
      {work.chapters.map((chapter) => (
        <article key={chapter.chapter}>
          <h3>{texts.chapterNumber(chapter.chapter)}</h3>
          {chapter.opinions.map((opinion) => (
            <Opinion key={opinion.judge} opinion={opinion} />
          ))}
          {chapter.isCutOff ? <p className="muted">{texts.workCutOff}</p> : null}
          {chapter.text === null ? (
            <p className="muted">{texts.workNotWritten(chapter.reason ?? "–")}</p>
          ) : (
            <div className="prose work-text" lang={work.language ?? undefined}>
              {marked(work, chapter.chapter, chapter.text)}
            </div>
          )}
        </article>
      ))}
    </div>
  );
}

function Found({ work: { found } }: { readonly work: Work }) {
  const texts = useTexts();
  return (
    <section>
      <h3>{texts.workFindings}</h3>
      <ul>
        {found.map(({ id, title, claim, passages }) => (
          <li key={id}>
            <b>{title}</b> {claim}{" "}
            <small className="muted">
              {[...new Set(passages.map(({ chapter }) => chapter))].map(texts.chapterNumber).join(" · ")}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}

type OpinionScore = Work["chapters"][number]["opinions"][number]["scores"][number];

function Opinion({ opinion }: { readonly opinion: Work["chapters"][number]["opinions"][number] }) {
  const texts = useTexts();
  const label = texts.opinionsOf(judgeName(opinion.judge, texts));
  const hasReasons = opinion.scores.some(({ reason }) => reason !== null);
  return (
    <details>
      <summary>{label}</summary>
      <Table
        label={label}
        rows={opinion.scores}
        columns={[
          [texts.dimension, ({ name }) => name],
          [texts.scoreGiven, ({ score }) => score?.toFixed(1) ?? "–", "number"],
          ...(hasReasons ? [[texts.reasonGiven, ({ reason }: OpinionScore) => reason] as const] : []),
        ]}
      />
    </details>
  );
}

/** Of passages that overlap the first is marked; a pointer over it says what was found. */
function marked({ found }: Work, chapter: number, text: string): ReactNode[] {
  const places = found
    .flatMap(({ title, passages }) => passages.flatMap((one) => (one.chapter === chapter ? [{ ...one, title }] : [])))
    .sort((one, other) => one.start - other.start);
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end, title } of places) {
    if (start < at) continue;
    parts.push(
      text.slice(at, start),
      <mark key={start} title={title}>
        {text.slice(start, end)}
      </mark>,
    );
    at = end;
  }
  return [...parts, text.slice(at)];
}

function Duels({
  duels,
  isOfOneNovel = false,
}: {
  readonly duels: readonly DuelAnswered[];
  readonly isOfOneNovel?: boolean;
}) {
  const texts = useTexts();
  if (duels.length === 0) return null;
  return (
    <section>
      <h2>{texts.duelsHeading}</h2>
      <p className="hint">{texts.duelsHint}</p>
      <Table
        label={texts.duelsHeading}
        className="duels"
        rows={duels}
        columns={[
          [
            isOfOneNovel ? texts.filterChapter : texts.novel,
            ({ novel, chapter }) => `${isOfOneNovel ? "" : `${novel} · `}${texts.chapterNumber(chapter)}`,
          ],
          [texts.duelTexts, ({ sides }) => sides.join(" · ")],
          [texts.duelJudge, ({ judge }) => judgeName(judge, texts)],
          [
            texts.duelWinner,
            ({ sides, better }) => winner(sides, better) ?? (better === "tie" ? texts.duelTie : texts.duelUnread),
          ],
          [texts.reasonGiven, ({ reason }) => reason],
        ]}
      />
    </section>
  );
}

function winner(sides: readonly [string, string], better: DuelAnswered["better"]): string | null {
  return better === "first" ? sides[0] : better === "second" ? sides[1] : null;
}
