import { useCallback, useEffect, useRef, useState } from "react";
import type { Job, ResumeRequest } from "../../../src/api/jobs.ts";
import type { BookLetter, OpenLetter } from "../../../src/api/letters.ts";
import { api, ask } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { useJob } from "../../api/use-job.ts";
import { useAnnouncer } from "../../parts/announcer.tsx";
import { moment } from "../../parts/formats.ts";
import { JobControls, type JobVerb } from "../../parts/job-controls.tsx";
import { isEnded, progressInWords } from "../../parts/job-state.ts";
import { isEmbedded, readingInWords } from "../../parts/judges/judge-name.ts";
import { ServerSentence } from "../../parts/server-sentence.tsx";
import { useAction } from "../../parts/use-action.ts";
import { focusHeading, View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { replaceRoute, to, type ViewProps } from "../../routing.ts";
import { usePreferences, useTexts } from "../../texts/preferences.tsx";
import { BookTabs } from "../book-tabs.tsx";
import { DraftChangesNotice } from "./draft-changes.tsx";
import { Findings } from "./findings.tsx";
import { ModelReading } from "./model-reading.tsx";
import { TakeOut } from "./take-out.tsx";
import "./letter.css";

/** The letter of a book, beside its text. A book that nobody has read is read offline at once. */
export default function LetterView({ route }: ViewProps) {
  const { texts, language } = usePreferences();
  const id = route.path[1] ?? "";
  const asked = useAnswer(api.books[":id"].letter, {
    param: { id },
    query: { language, evaluation: route.query.get("reading") },
  });
  // Another reading's letter takes the place of the one that is shown once it is there, so that the choice keeps the focus.
  const [last, setLast] = useState<BookLetter | null>(null);
  if (asked.answer && asked.answer !== last) setLast(asked.answer);
  const known = asked.answer ?? (last?.book.id === id ? last : null);
  return (
    <View
      title={known?.book.title ?? texts.partLetter}
      kicker={<a href={to(["library"])}>{texts.library}</a>}
      className="letter-view"
      actions={known?.letter ? <TakeOut bookId={id} letter={known.letter} onRead={asked.reload} /> : null}
    >
      <BookTabs book={{ id }} current="letter" />
      <Waiting asked={{ ...asked, answer: known }}>
        {(answer) => <Letter key={id} answer={answer} route={route} reload={asked.reload} />}
      </Waiting>
    </View>
  );
}

function Letter({
  answer,
  route,
  reload,
}: {
  readonly answer: BookLetter;
  readonly route: ViewProps["route"];
  readonly reload: () => void;
}) {
  const { texts, language } = usePreferences();
  const { book, letter, job } = answer;
  const offline = useAction(
    useCallback(async () => {
      await ask(api.books[":id"].readings.$post, { param: { id: book.id } });
      reload();
    }, [book.id, reload]),
  );
  const isUnread = letter === null && job === null;
  const hasBegun = useRef(false);
  const { run } = offline;
  useEffect(() => {
    // Once: a reading that failed is not begun again by itself.
    if (!isUnread || hasBegun.current) return;
    hasBegun.current = true;
    void run();
  }, [isUnread, run]);
  const isReadingOffline = job?.request.judges.every(isEmbedded) ?? false;
  return (
    <>
      <p className="muted letter-facts">
        {book.author ? `${texts.by(book.author)} · ` : ""}
        {texts.words(book.words)} · {texts.chapters(book.chapters)}
        {book.draft > 1 ? ` · ${texts.draftNumber(book.draft)}` : ""}
        {letter && answer.readings.length < 2 ? (
          <>
            <span className="separator"> · </span>
            <span className="whole">{readingInWords(letter.evaluation, texts, language)}</span>
          </>
        ) : null}
        {letter ? <ReadingChoice answer={answer} letter={letter} route={route} /> : null}
      </p>
      {offline.problem ? <ProblemNotice problem={offline.problem} /> : null}
      {job ? <Reading job={job} isOffline={isReadingOffline} onEnd={reload} /> : null}
      {isUnread && !offline.isBusy && hasBegun.current ? (
        <p>
          {texts.letterMissing}{" "}
          <button type="button" onClick={() => void run()}>
            {texts.readOffline}
          </button>
        </p>
      ) : null}
      {letter ? (
        <>
          {letter.countedAt ? (
            <p className="hint">{texts.letterCountedAgain(moment(letter.countedAt, language))}</p>
          ) : null}
          <DraftChangesNotice book={book} evaluation={letter.evaluation.id} onSeparated={reload} />
          {/* Without a key: what was begun beside the letter stays when another reading is chosen. */}
          <Findings
            bookId={book.id}
            language={book.language}
            letter={letter}
            route={route}
            offer={job ? null : <ModelReading book={book} letter={letter} onStarted={reload} />}
          />
        </>
      ) : null}
    </>
  );
}

/** Which reading's letter is shown, where there are several. */
function ReadingChoice({
  answer: { readings, book },
  letter,
  route,
}: {
  readonly answer: BookLetter;
  readonly letter: OpenLetter;
  readonly route: ViewProps["route"];
}) {
  const { texts, language } = usePreferences();
  if (readings.length < 2) return null;
  return (
    <span className="reading-choice">
      <span className="separator"> · </span>
      <select
        aria-label={texts.letterChoice}
        value={route.query.get("reading") ?? letter.evaluation.id}
        onChange={(event) => replaceRoute(to(["books", book.id, "letter"], { reading: event.target.value }))}
      >
        {readings.map((reading) => (
          <option key={reading.id} value={reading.id}>
            {readingInWords(reading, texts, language)}
          </option>
        ))}
      </select>
    </span>
  );
}

/** A reading until it is done or cancelled: how far it has got, what it has found, and how it is paused and goes on. */
function Reading({
  job,
  isOffline,
  onEnd,
}: {
  readonly job: Job;
  readonly isOffline: boolean;
  readonly onEnd: () => void;
}) {
  const texts = useTexts();
  const announce = useAnnouncer();
  const [watched, update] = useJob(job.id);
  const now = watched.job ?? job;
  const hasEnded = isEnded(now.state);
  const control = useAction(async (verb: JobVerb, body?: ResumeRequest) => {
    update(await ask(api.jobs[":id"][verb].$post, { param: { id: job.id }, ...(body && { json: body }) }));
  });
  useEffect(() => {
    if (!hasEnded) return;
    if (now.state === "done") announce(texts.readingOfflineDone(now.title));
    // What failed stays to be read; a letter that is there is shown.
    if (now.state === "failed") return;
    onEnd();
    if (now.state === "cancelled") focusHeading();
  }, [hasEnded, now.state, now.title, onEnd, announce, texts]);
  const { found } = watched;
  return (
    <section className="panel reading-now" aria-label={texts.progress}>
      <p>
        <strong>{isOffline ? texts.readingOffline : texts.modelReading}</strong>{" "}
        <span className="muted" role="status">
          {progressInWords(now, texts)}
        </span>
      </p>
      <progress aria-label={texts.progress} max={Math.max(1, now.total)} value={now.total > 0 ? now.done : undefined} />
      {found.length > 0 ? (
        <details className="found-so-far" open>
          <summary>{texts.modelFound(found.length)}</summary>
          <ul>
            {found.slice(-8).map(({ title, chapters }) => (
              <li key={title}>
                {title} <small className="muted">{chapters.map(texts.chapterNumber).join(", ")}</small>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      {now.note ? <ServerSentence code={now.noteCode} message={now.note} /> : null}
      {/* Offline it takes seconds: it is not paused, but a server that was stopped may have left it paused. */}
      {isOffline && now.state === "running" ? null : (
        <JobControls
          job={now}
          cancel={texts.readingCancel}
          isBusy={control.isBusy}
          onControl={(verb, body) => void control.run(verb, body)}
        />
      )}
      {now.state === "failed" ? (
        <button type="button" className="quiet" onClick={onEnd}>
          {texts.uploadDismiss}
        </button>
      ) : null}
      {control.problem ? <ProblemNotice problem={control.problem} /> : null}
      {isOffline ? null : (
        <p className="hint">
          <a href={to(["jobs", job.id])}>{texts.modelWatch}</a>
        </p>
      )}
    </section>
  );
}
