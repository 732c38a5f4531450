import { type ReactNode, useCallback, useState } from "react";
import type { BookLetter, Passage, Story, StoryFacts } from "../../../src/api/letters.ts";
import type { BookMapAnswer } from "../../../src/api/map.ts";
import { send } from "../../api/request.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { useAnnouncer } from "../../parts/announcer.tsx";
import { Field } from "../../parts/field.tsx";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { useAction } from "../../parts/use-action.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { to, type ViewProps } from "../../routing.ts";
import { usePreferences, useTexts } from "../../texts/preferences.tsx";
import { BookTabs } from "../book-tabs.tsx";
import { ChapterStrips } from "../map/chapter-strips.tsx";
import { CharacterTable } from "../map/character-table.tsx";
import "../map/map.css";
import "./story.css";

/** The story of a book: as a model read it, and what is counted whether one did or not. */
export default function StoryView({ route }: ViewProps) {
  const { texts, language } = usePreferences();
  const id = route.path[1] ?? "";
  const path = `/api/books/${encodeURIComponent(id)}`;
  const asked = useAnswer<BookLetter>(`${path}/letter?language=${language}`);
  return (
    <View
      title={asked.answer?.book.title ?? texts.partStory}
      kicker={<a href={to(["library"])}>{texts.library}</a>}
      className="story-view"
    >
      <BookTabs book={{ id }} current="story" />
      <Waiting asked={asked}>
        {({ letter }) => (
          <>
            {letter?.story ? (
              <ReadStory story={letter.story} bookId={id} path={path} />
            ) : (
              <p>
                {texts.storyNone} <a href={to(["books", id, "letter"])}>{texts.modelTitle}</a>
              </p>
            )}
            <Counted bookId={id} path={path} />
            {letter?.story ? <Corrections path={path} /> : null}
          </>
        )}
      </Waiting>
    </View>
  );
}

/** What code counts: who is there, how often, from whose eyes, how fast. Corrections to the cast are read at once. */
function Counted({ bookId, path }: { readonly bookId: string; readonly path: string }) {
  const texts = useTexts();
  const announce = useAnnouncer();
  const asked = useAnswer<BookMapAnswer>(`${path}/map`);
  const again = useAction(
    useCallback(async () => {
      await send("POST", `${path}/readings`, {});
      announce(texts.castChanged);
    }, [path, announce, texts]),
  );
  const { reload } = asked;
  const { run } = again;
  const corrected = useCallback(() => {
    reload();
    void run();
  }, [reload, run]);
  return (
    <section>
      <h2>{texts.storyCounted}</h2>
      {again.problem ? <ProblemNotice problem={again.problem} /> : null}
      <Waiting asked={asked}>
        {(map) => (
          <>
            <CharacterTable map={map} bookId={bookId} onCorrected={corrected} />
            <ChapterStrips map={map} notes={null} bookId={bookId} report={null} />
          </>
        )}
      </Waiting>
    </section>
  );
}

function ReadStory({ story, bookId, path }: { readonly story: Story; readonly bookId: string; readonly path: string }) {
  const texts = useTexts();
  const map = useAnswer<BookMapAnswer>(`${path}/map`).answer;
  const { premise, question, chapters, people, threads, facts = [], events = [], reader = [] } = story;
  const place = ({ chapter, start, end }: Passage, words: ReactNode) => (
    <a href={to(["books", bookId, "read"], { chapter, start, end })}>{words}</a>
  );
  const there = (chapter: number) =>
    (map?.characters?.characters ?? [])
      .filter(({ presence }) => presence.some((at) => at.chapter === chapter && at.mentions > 0))
      .slice(0, 6)
      .map(({ name }) => name)
      .join(", ");
  return (
    <>
      <section>
        <h2>{texts.storyPremise}</h2>
        <p className="prose">{premise}</p>
        {question ? <p className="prose">{question}</p> : null}
      </section>
      <section>
        <h2>{texts.storyBoard}</h2>
        <ol className="scene-board">
          {chapters.map((scene) => (
            <li key={scene.chapter} className="panel scene">
              <header>
                <a href={to(["books", bookId, "read"], { chapter: scene.chapter })}>
                  <strong>{texts.chapterNumber(scene.chapter)}</strong>
                </a>
                <span className="tension" title={texts.storyTension(scene.tension)}>
                  <span className="visually-hidden">{texts.storyTension(scene.tension)}</span>
                  <span aria-hidden="true">{"●".repeat(scene.tension) + "○".repeat(5 - scene.tension)}</span>
                </span>
              </header>
              <p className="prose">{scene.happens}</p>
              <dl>
                <Entry name={texts.storyPlace}>{scene.place}</Entry>
                <Entry name={texts.storyWhen}>{scene.time}</Entry>
                <Entry name={texts.storyEyes}>{scene.viewpoint}</Entry>
                <Entry name={texts.storyThere}>{there(scene.chapter)}</Entry>
                <Entry name={texts.storyChanges}>{scene.changes}</Entry>
              </dl>
            </li>
          ))}
        </ol>
      </section>
      <section>
        <h2>{texts.storyTime}</h2>
        <ol className="time-line">
          {chapters.map(({ chapter, time, happens }) => (
            <li key={chapter}>
              <strong>{time || "–"}</strong>{" "}
              <a href={to(["books", bookId, "read"], { chapter })}>{texts.chapterNumber(chapter)}</a>
              <ul>
                {events
                  .filter(({ passage }) => passage.chapter === chapter)
                  .map((event) => (
                    <li key={`${event.passage.start}${event.what}`}>
                      {event.when ? `${event.when}: ` : ""}
                      {place(event.passage, `${event.who}: ${event.what}`)}
                    </li>
                  ))}
                {events.length === 0 ? <li>{happens}</li> : null}
              </ul>
            </li>
          ))}
        </ol>
      </section>
      <section>
        <h2>{texts.storyCast}</h2>
        <div className="cast">
          {people.map(({ name, also, role, wants, arc, passages }) => (
            <article key={name} className="panel">
              <h3>{name}</h3>
              <p>{role}</p>
              <dl>
                <Entry name={texts.storyAlso}>{also.join(", ")}</Entry>
                <Entry name={texts.storyWants}>{wants}</Entry>
                <Entry name={texts.storyChanges}>{arc}</Entry>
                <Entry name={texts.storyFacts}>
                  {facts
                    .filter(({ subject }) => subject === name)
                    .map(({ property, value, passage }) => (
                      <span key={`${property}${passage.chapter}:${passage.start}`} className="fact">
                        {place(passage, `${property}: ${value}`)}
                      </span>
                    ))}
                </Entry>
              </dl>
              {passages.slice(0, 2).map((passage) => (
                <blockquote key={`${passage.chapter}:${passage.start}`} className="quotation">
                  {place(passage, passage.quote)}
                  <footer>{texts.chapterNumber(passage.chapter)}</footer>
                </blockquote>
              ))}
            </article>
          ))}
        </div>
      </section>
      <section>
        <h2>{texts.storyThreads}</h2>
        <TableScroller label={texts.storyThreads}>
          <table>
            <thead>
              <tr>
                <th scope="col">{texts.storyThreads}</th>
                <th scope="col">{texts.threadOpens}</th>
                <th scope="col">{texts.threadCloses}</th>
              </tr>
            </thead>
            <tbody>
              {threads.map(({ thread, opened, closed }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two threads may be called the same, and the list never changes.
                <tr key={at}>
                  <th scope="row">{thread}</th>
                  <td>{opened ? place(opened, texts.chapterNumber(opened.chapter)) : "–"}</td>
                  <td>{closed ? place(closed, texts.chapterNumber(closed.chapter)) : texts.threadOpen}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroller>
      </section>
      {reader.length > 0 ? (
        <section>
          <h2>{texts.storyQuestions}</h2>
          <dl className="reader-questions">
            {reader.map(({ chapter, asks, answered }) => (
              <div key={chapter}>
                <dt>{texts.chapterNumber(chapter)}</dt>
                <dd>
                  {asks.length > 0 ? `${texts.readerAsks}: ${asks.join(" ")}` : ""}{" "}
                  {answered.length > 0 ? `${texts.readerAnswered}: ${answered.join(" ")}` : ""}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ) : null}
    </>
  );
}

function Entry({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  const isEmpty = children === "" || (Array.isArray(children) && children.length === 0);
  if (isEmpty) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** What the model got wrong, in the writer's words: the next reading is told. */
function Corrections({ path }: { readonly path: string }) {
  const texts = useTexts();
  const asked = useAnswer<StoryFacts>(`${path}/facts`);
  return (
    <section>
      <h2>{texts.factsTitle}</h2>
      <Waiting asked={asked}>{({ facts }) => <FactsForm path={path} facts={facts} />}</Waiting>
    </section>
  );
}

function FactsForm({ path, facts }: { readonly path: string; readonly facts: readonly string[] }) {
  const texts = useTexts();
  const announce = useAnnouncer();
  const [lines, setLines] = useState(facts.join("\n"));
  const [isSaved, setSaved] = useState(false);
  const save = useAction(
    useCallback(
      async (body: StoryFacts) => {
        await send("PUT", `${path}/facts`, body);
        setSaved(true);
        announce(texts.saved);
      },
      [path, announce, texts],
    ),
  );
  return (
    <form
      className="panel"
      onSubmit={(event) => {
        event.preventDefault();
        const said = lines.split("\n").map((line) => line.trim());
        void save.run({ facts: said.filter((line) => line !== "") });
      }}
    >
      <Field label={texts.factsTitle} hint={texts.factsHint}>
        {(attributes) => (
          <textarea
            {...attributes}
            rows={4}
            value={lines}
            onChange={(event) => {
              setLines(event.target.value);
              setSaved(false);
            }}
          />
        )}
      </Field>
      <div className="actions">
        <button type="submit" disabled={save.isBusy}>
          {texts.save}
        </button>
        {isSaved ? <span className="muted">{texts.saved}</span> : null}
      </div>
      {save.problem ? <ProblemNotice problem={save.problem} /> : null}
    </form>
  );
}
