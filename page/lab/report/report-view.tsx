import type { EvaluationDetails } from "../../../src/api/evaluations.ts";
import { api, ask, pathOf } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { MapTab } from "../../desk/map/map-tab.tsx";
import { Facts } from "../../parts/facts.tsx";
import { chapterInWords, moment, ratesInWords, spending, wordsSeen } from "../../parts/formats.ts";
import { JudgeLabel } from "../../parts/judges/judge-label.tsx";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { goTo, to, type ViewProps } from "../../routing.ts";
import { useNames, usePreferences, useReason, useTexts } from "../../texts/preferences.tsx";
import { LetterTab, VerdictsTab } from "./tabs.tsx";
import { TrustTab } from "./trust.tsx";
import "./report.css";
import { useState } from "react";
import { saveFile } from "../../api/save-file.ts";
import { ConfirmButton } from "../../parts/confirm-button.tsx";
import { useAction } from "../../parts/use-action.ts";
import type { Texts } from "../../texts/english.ts";
import { Verdicts } from "../readers/personal-section.tsx";
import "../readers/readers.css";
import type { NoteRow } from "../../../src/api/notes.ts";

const TABS = ["letter", "map", "notes", "verdicts", "trust", "readers", "about"] as const;
type Tab = (typeof TABS)[number];

const NAMES = {
  letter: "tabLetter",
  map: "tabMap",
  notes: "tabNotes",
  verdicts: "tabVerdicts",
  trust: "tabTrust",
  readers: "tabReaders",
  about: "tabAbout",
} as const satisfies Readonly<Record<Tab, keyof Texts>>;

/** The parts of a report as addresses: each can be linked to, and going back returns to it. */
function ReportTabs({
  id,
  tabs,
  current,
}: {
  readonly id: string;
  readonly tabs: readonly Tab[];
  readonly current: Tab;
}) {
  const texts = useTexts();
  return (
    <nav className="tabs" aria-label={texts.reportParts}>
      <ul>
        {tabs.map((tab) => (
          <li key={tab}>
            <a href={to(["evaluations", id], { tab })} aria-current={tab === current ? "page" : undefined}>
              {texts[NAMES[tab]]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const formats = [
  ["html", "HTML"],
  ["pdf", "PDF"],
  ["markdown", "Markdown"],
  ["json", "JSON"],
  ["docx", "DOCX"],
] as const;

function ExportMenu({ id }: { readonly id: string }) {
  const texts = useTexts();
  const saving = useAction(saveFile);
  return (
    <section className="export" aria-label={texts.exportAs} aria-busy={saving.isBusy}>
      <span className="muted">{texts.exportAs}</span>
      {formats.map(([format, name]) => {
        const address = pathOf(api.evaluations[":id"].export, { param: { id }, query: { format } });
        return (
          <a
            key={format}
            href={address}
            download
            title={format === "docx" ? texts.exportDocxHint : texts.exportHint}
            onClick={(event) => {
              event.preventDefault();
              void saving.run(address);
            }}
          >
            {name}
          </a>
        );
      })}
      <ProblemNotice problem={saving.problem} />
    </section>
  );
}

export default function ReportView({ route }: ViewProps) {
  const { texts, language } = usePreferences();
  const id = route.path[1] ?? "";
  const asked = useAnswer(api.evaluations[":id"], { param: { id }, query: { language } });
  const details = asked.answer;
  return (
    <View
      title={details?.evaluation.book.title ?? texts.report}
      kicker={details ? <a href={to(["books", details.bookId])}>{texts.book}</a> : <a href={to([])}>{texts.library}</a>}
      className="report"
      actions={
        details ? (
          <>
            <a className="button" href={to(["compare"], { left: id })}>
              {texts.compareThis}
            </a>
            <a className="button" href={to(["books", details.bookId, "read"], { notes: "open", from: id })}>
              {texts.readNotes}
            </a>
          </>
        ) : null
      }
    >
      <Waiting asked={asked}>{(known) => <Report details={known} tab={route.query.get("tab")} />}</Waiting>
    </View>
  );
}

function Report({ details, tab }: { readonly details: EvaluationDetails; readonly tab: string | null }) {
  const { texts, language } = usePreferences();
  const { evaluation } = details;
  const method = useNames().method(evaluation.method);
  // What language models said before there were letters begins with their verdicts.
  const tabs = evaluation.letter ? TABS : TABS.filter((each) => each !== "letter");
  const first = evaluation.letter ? "letter" : "verdicts";
  const current = tabs.find((each) => each === tab) ?? first;
  return (
    <>
      <div className="report-facts">
        <Facts
          facts={[
            [texts.judge, <JudgeLabel key="judge" judge={evaluation.judge} />],
            [texts.method, evaluation.runs > 1 ? `${method} × ${evaluation.runs}` : method],
            [texts.coverage, wordsSeen(evaluation.coverage, texts)],
            [texts.calls, evaluation.calls],
            [texts.cost, spending(evaluation, texts)],
            [texts.date, moment(details.createdAt, language)],
          ]}
        />
      </div>
      <p className="muted">
        {evaluation.book.author ? `${texts.by(evaluation.book.author)} · ` : ""}
        {texts.words(evaluation.book.words)} · {texts.chapters(evaluation.book.chapters.length)}
      </p>
      <ExportMenu id={details.id} />
      <ReportTabs id={details.id} tabs={tabs} current={current} />
      <TabContent tab={current} details={details} />
    </>
  );
}

function TabContent({ tab, details }: { readonly tab: Tab; readonly details: EvaluationDetails }) {
  switch (tab) {
    case "letter":
      return details.letter ? <LetterTab details={details} letter={details.letter} /> : null;
    case "map":
      return <MapTab bookId={details.bookId} title={details.title} report={details.id} />;
    case "notes":
      return <NotesTab details={details} />;
    case "verdicts":
      return <VerdictsTab details={details} />;
    case "trust":
      return <TrustTab id={details.id} />;
    case "readers":
      return <ReadersTab details={details} />;
    case "about":
      return <AboutTab details={details} />;
    default:
      return tab satisfies never;
  }
}

/** How this verdict came about and what it does not say. */
function AboutTab({ details }: { readonly details: EvaluationDetails }) {
  const texts = useTexts();
  const removal = useAction(async () => {
    await ask(api.evaluations[":id"].$delete, { param: { id: details.id } });
    goTo(to(["books", details.bookId]));
  });
  return (
    <>
      <ReportNotes details={details} />
      <ProblemNotice problem={removal.problem} />
      <div className="end-actions">
        <ConfirmButton question={texts.deleteEvaluationQuestion} onConfirm={() => void removal.run()}>
          {texts.deleteEvaluation}
        </ConfirmButton>
      </div>
    </>
  );
}

/** What each reader whose history is known is likely to think of the book. */
function ReadersTab({ details }: { readonly details: EvaluationDetails }) {
  const texts = useTexts();
  const asked = useAnswer(api.readers);
  return (
    <Waiting asked={asked}>
      {(readers) =>
        readers.length === 0 ? (
          <p>
            {texts.readersNone} <a href={to(["readers"])}>{texts.importReader}</a>
          </p>
        ) : (
          readers.map(({ name }) => <OneReader key={name} name={name} bookId={details.bookId} />)
        )
      }
    </Waiting>
  );
}

function OneReader({ name, bookId }: { readonly name: string; readonly bookId: string }) {
  const texts = useTexts();
  const asked = useAnswer(api.readers[":name"].verdict, { param: { name }, query: { book: bookId } });
  return (
    <section className="panel personal">
      <h2 className="form-heading">
        <a href={to(["readers", name])}>{texts.personalFor(name)}</a>
      </h2>
      <Waiting asked={asked}>{(verdict) => <Verdicts verdict={verdict} />}</Waiting>
    </section>
  );
}

/** Everything that keeps a number from being taken for more than it is. */
function ReportNotes({ details }: { readonly details: EvaluationDetails }) {
  const texts = useTexts();
  const inWords = useReason();
  const { evaluation, bookId } = details;
  const { book, coverage, grounding, notes, suspicions = [] } = evaluation;
  const evidence = evaluation.aspects.flatMap((aspect) => aspect.evidence);
  const quotations = grounding ?? {
    quotations: evidence.length,
    found: evidence.filter((item) => item.found).length,
  };
  const titles = new Map(book.chapters.map((chapter) => [chapter.index, chapter.title]));
  return (
    <>
      <section>
        <h2>{texts.notes}</h2>
        <ul>
          {quotations.quotations > 0 ? <li>{texts.grounding(quotations.found, quotations.quotations)}</li> : null}
          {[...book.warnings, ...notes].map((note) => (
            <li key={note}>{inWords(note)}</li>
          ))}
          {evaluation.run ? (
            <li>
              <a href={to(["runs", evaluation.run])}>{texts.run}</a>
            </li>
          ) : null}
        </ul>
      </section>
      {coverage.skipped.length > 0 ? (
        <section>
          <h2>{texts.skippedChapters}</h2>
          <ul>
            {coverage.skipped.map((skipped) => (
              <li key={skipped.chapter}>
                {chapterInWords(skipped.chapter, titles.get(skipped.chapter), texts.chapterNumber)}:{" "}
                {inWords(skipped.reason)}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {suspicions.length > 0 ? (
        <section>
          <h2>{texts.suspicions}</h2>
          <p className="hint">{texts.suspicionsHint}</p>
          {suspicions.map((suspicion) => (
            <blockquote className="quotation" key={`${suspicion.chapter}:${suspicion.start}`}>
              <a
                href={to(["books", bookId, "read"], {
                  chapter: suspicion.chapter,
                  start: suspicion.start,
                  end: suspicion.end,
                  from: details.id,
                })}
              >
                {suspicion.quote}
              </a>
              <footer>{suspicion.why}</footer>
            </blockquote>
          ))}
        </section>
      ) : null}
    </>
  );
}

/** The sentences a professional editor would most likely change, by reason; each leads to its place in the book. */
function NotesTab({ details }: { readonly details: EvaluationDetails }) {
  const texts = useTexts();
  const inWords = useReason();
  const [isAll, setAll] = useState(false);
  const asked = useAnswer(api.books[":id"].notes, { param: { id: details.bookId }, query: { all: isAll ? 1 : null } });
  return (
    <Waiting asked={asked}>
      {({ notes, likely, unscored, rates }) =>
        unscored !== null ? (
          <p>{texts.notesUnavailable(inWords(unscored))}</p>
        ) : (
          <section>
            <h2>{texts.noteList}</h2>
            <p>
              {texts.notesShown(notes.length, likely)}. {rates ? ratesInWords(rates, texts) : ""}
            </p>
            <div className="actions">
              <a
                className="button primary"
                href={to(["books", details.bookId, "read"], { notes: "open", from: details.id, tab: "notes" })}
              >
                {texts.readNotes}
              </a>
              {likely > notes.length || isAll ? (
                <button type="button" onClick={() => setAll(!isAll)}>
                  {isAll ? texts.notesFewer : texts.notesAll}
                </button>
              ) : null}
            </div>
            {grouped(notes).map(([why, group]) => (
              <ReasonGroup key={why ?? ""} why={why} notes={group} details={details} />
            ))}
          </section>
        )
      }
    </Waiting>
  );
}

function grouped(notes: readonly NoteRow[]): [string | null, NoteRow[]][] {
  const groups = new Map<string | null, NoteRow[]>();
  for (const note of notes) groups.set(note.why, [...(groups.get(note.why) ?? []), note]);
  // Notes without a reason stand last, however many they are.
  const rank = ([why, own]: [string | null, NoteRow[]]) => (why === null ? -1 : own.length);
  return [...groups].sort((left, right) => rank(right) - rank(left));
}

function ReasonGroup({
  why,
  notes,
  details,
}: {
  readonly why: string | null;
  readonly notes: readonly NoteRow[];
  readonly details: EvaluationDetails;
}) {
  const texts = useTexts();
  const names = useNames();
  const titles = new Map(details.evaluation.book.chapters.map(({ index, title }) => [index, title]));
  return (
    <section className="weak">
      <h3>
        {why === null ? texts.noteOther : names.why(why)} <small className="muted">{notes.length}</small>
      </h3>
      {[...notes]
        .sort((left, right) => right.change - left.change)
        .map(({ id, chapter, start, end, change, mark, sentence }) => (
          <blockquote className="quotation" key={id} lang={details.evaluation.book.language ?? undefined}>
            <a
              href={to(["books", details.bookId, "read"], {
                chapter,
                start,
                end,
                notes: "open",
                from: details.id,
                tab: "notes",
              })}
            >
              {sentence}
            </a>
            <footer>
              {chapterInWords(chapter, titles.get(chapter), texts.chapterNumber)} ·{" "}
              {texts.noteProbability(Math.round(100 * change))}
              {mark === null ? "" : ` · ${mark === "done" ? texts.noteMarkedDone : texts.noteMarkedIgnored}`}
            </footer>
          </blockquote>
        ))}
    </section>
  );
}
