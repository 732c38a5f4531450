import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { closedAs, NEVER, NOT_TOLD, type Passage, type Story, saidOf, withTyped } from "../../../src/api/letters.ts";
import type { Scene } from "../../../src/api/map.ts";
import { api, ask } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { useAnnouncer } from "../../parts/announcer.tsx";
import { Field } from "../../parts/field.tsx";
import { chapterInWords, percent } from "../../parts/formats.ts";
import { useAction, useQueue } from "../../parts/use-action.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { to, type ViewProps } from "../../routing.ts";
import { usePreferences, useTexts } from "../../texts/preferences.tsx";
import { BookTabs } from "../book-tabs.tsx";
import { ChapterStrips } from "../map/chapter-strips.tsx";
import { CharacterTable } from "../map/character-table.tsx";
import { BoardChapter, CardParts, Entry } from "./board-chapter.tsx";
import { CorrectedParts, type Corrections } from "./corrected-parts.tsx";
import "../map/map.css";
import "./story.css";

/** The story of a book: as a model read it, and what is counted whether one did or not. */
export default function StoryView({ route }: ViewProps) {
  const { texts, language } = usePreferences();
  const id = route.path[1] ?? "";
  const asked = useAnswer(api.books[":id"].letter, { param: { id }, query: { language } });
  return (
    <View
      title={asked.answer?.book.title ?? texts.partStory}
      kicker={<a href={to(["library"])}>{texts.library}</a>}
      className="story-view"
    >
      <BookTabs book={{ id }} current="story" />
      <Waiting asked={asked}>
        {({ letter }) => (
          <WholeStory
            story={letter?.story ?? null}
            bookId={id}
            part={route.query.get("part")}
            onCastCorrected={asked.reload}
          />
        )}
      </Waiting>
    </View>
  );
}

function WholeStory({
  story,
  bookId,
  part,
  onCastCorrected,
}: {
  readonly story: Story | null;
  readonly bookId: string;
  readonly onCastCorrected: () => void;
  /** The part that was asked for by its address. */
  readonly part: string | null;
}) {
  const texts = useTexts();
  const announce = useAnnouncer();
  const scenes = useAnswer(api.books[":id"].scenes, { param: { id: bookId } });
  const asked = useAnswer(api.books[":id"].facts, story ? { param: { id: bookId } } : null);
  const [told, setTold] = useState<readonly string[] | null>(null);
  const facts = told ?? asked.answer?.facts ?? null;
  const inTurn = useQueue();
  const tell = useAction(
    useCallback(
      async (change: Parameters<Corrections["onSay"]>[0]) => {
        const { $get, $put } = api.books[":id"].facts;
        const param = { id: bookId };
        await inTurn(async () => {
          const lines = change((await ask($get, { param })).facts);
          await ask($put, { param, json: { facts: lines } });
          setTold(lines);
        });
        announce(texts.saved);
      },
      [bookId, announce, inTurn, texts],
    ),
  );
  // What the writer has begun to correct: the form at the end takes it over.
  const [subject, setSubject] = useState<string | null>(null);
  const takenOver = useCallback(() => setSubject(null), []);
  const parts: readonly (readonly [string, string])[] = [
    ["scenes", texts.storyBoard],
    ...(story
      ? ([
          ["time", texts.storyTime],
          ["cast", texts.storyCast],
          ["threads", texts.storyThreads],
          ...(story.reader?.length ? [["questions", texts.storyQuestions] as const] : []),
        ] as const)
      : []),
    ["counted", texts.storyCounted],
    ...(story ? ([["facts", texts.factsTitle]] as const) : []),
  ];
  useEffect(() => {
    if (part !== null) showPart(part);
  }, [part]);
  return (
    <>
      <nav className="story-parts" aria-label={texts.storyParts}>
        <ul>
          {parts.map(([name, words]) => (
            <li key={name}>
              <a
                href={to(["books", bookId, "story"], { part: name })}
                // Where the address says so already, it does not change.
                onClick={() => (part === name ? showPart(name) : undefined)}
              >
                {words}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {story ? (
        <section>
          <h2>{texts.storyPremise}</h2>
          <p className="prose">{story.premise}</p>
          {story.question ? <p className="prose">{story.question}</p> : null}
        </section>
      ) : (
        <p>
          {texts.storyNone} <a href={to(["books", bookId, "letter"])}>{texts.modelTitle}</a>
        </p>
      )}
      <section>
        <PartHeading name="scenes">{texts.storyBoard}</PartHeading>
        {tell.problem ? <ProblemNotice problem={tell.problem} /> : null}
        <Waiting asked={scenes}>
          {(answer) => <SceneBoard scenes={answer} story={story} bookId={bookId} facts={facts} onSay={tell.run} />}
        </Waiting>
      </section>
      {story ? <ReadStory story={story} bookId={bookId} onCorrect={setSubject} facts={facts} onSay={tell.run} /> : null}
      {/* The board stands above: what comes before it would be pushed out of sight, with the focus in it. */}
      <div hidden={scenes.isLoading}>
        <Counted
          bookId={bookId}
          isRead={story !== null}
          onCorrected={() => {
            scenes.reload();
            onCastCorrected();
          }}
        />
      </div>
      {story ? (
        <section>
          <PartHeading name="facts">{texts.factsTitle}</PartHeading>
          <Waiting asked={asked}>
            {({ facts: known }) => (
              <FactsForm
                facts={told ?? known}
                isSaved={told !== null}
                onSay={tell.run}
                subject={subject}
                onTaken={takenOver}
              />
            )}
          </Waiting>
        </section>
      ) : null}
    </>
  );
}

function showPart(name: string): void {
  const heading = document.getElementById(`story-${name}`);
  heading?.scrollIntoView({ block: "start" });
  heading?.focus({ preventScroll: true });
}

/** A heading that the list of parts leads to, with the focus. */
function PartHeading({ name, children }: { readonly name: string; readonly children: string }) {
  return (
    <h2 id={`story-${name}`} tabIndex={-1}>
      {children}
    </h2>
  );
}

/** Chapter by chapter its scenes as cards: what a model read of the chapter above them, what is counted on each. */
function SceneBoard({
  scenes,
  story,
  bookId,
  facts,
  onSay,
}: Corrections & {
  readonly scenes: readonly Scene[];
  readonly story: Story | null;
  readonly bookId: string;
}) {
  const texts = useTexts();
  const chapters = [...new Set(scenes.map(({ chapter }) => chapter))];
  return (
    <ol className={story ? "scene-board read" : "scene-board"}>
      {chapters.map((chapter) => {
        const own = scenes.filter((scene) => scene.chapter === chapter);
        const read = story?.chapters.find((each) => each.chapter === chapter);
        const name = chapterInWords(chapter, own[0]?.title, texts.chapterNumber);
        const heading = (
          <h3>
            <a href={to(["books", bookId, "read"], { chapter })}>{name}</a>
          </h3>
        );
        return (
          <li key={chapter} className="board-chapter">
            {read ? (
              <BoardChapter read={read} name={name} heading={heading} facts={facts} onSay={onSay} />
            ) : (
              <header>{heading}</header>
            )}
            <ol className="scenes">
              {own.map((scene) => (
                <SceneCard
                  key={scene.number}
                  scene={scene}
                  isAlone={own.length === 1}
                  events={(story?.events ?? []).filter(
                    ({ passage }) =>
                      passage.chapter === chapter && passage.start >= scene.start && passage.start < scene.end,
                  )}
                  bookId={bookId}
                  correct={
                    own.length > 1 && read
                      ? (people) => (
                          <CardParts
                            place={{ chapter, scene }}
                            name={`${name}, ${texts.storyScene(scene.number)}`}
                            asRead={{ present: people }}
                            facts={facts}
                            onSay={onSay}
                          />
                        )
                      : null
                  }
                />
              ))}
            </ol>
          </li>
        );
      })}
    </ol>
  );
}

const MOST_PEOPLE = 6;

function SceneCard({
  scene,
  isAlone,
  events,
  bookId,
  correct,
}: {
  readonly scene: Scene;
  readonly isAlone: boolean;
  /** Shows who is there and what else can be corrected; null where the whole chapter is corrected, or nothing was read. */
  readonly correct: ((people: string) => ReactNode) | null;
  readonly events: NonNullable<Story["events"]>;
  readonly bookId: string;
}) {
  const texts = useTexts();
  const { chapter, number, start, words, opening, people, dialogueShare, person, tense } = scene;
  const persons = { first: texts.personFirst, second: texts.personSecond, third: texts.personThird };
  const tenses = { past: texts.tensePast, present: texts.tensePresent };
  const others = (people?.length ?? 0) - MOST_PEOPLE;
  const present =
    people === null
      ? ""
      : `${people.slice(0, MOST_PEOPLE).join(", ")}${others > 0 ? ` ${texts.storyOthers(others)}` : ""}`;
  return (
    <li className="panel scene">
      <header>
        <strong>{isAlone ? texts.storyOneScene : texts.storyScene(number)}</strong>
        <small className="muted">{texts.words(words)}</small>
      </header>
      <p className="prose opening">
        <a href={to(["books", bookId, "read"], { chapter, start, end: start + opening.length })}>{opening}</a>
      </p>
      {correct?.(present)}
      <dl>
        {correct ? null : <Entry name={texts.storyThere}>{present}</Entry>}
        <Entry name={texts.storyTold}>
          {[person && persons[person], tense && tenses[tense]].filter(Boolean).join(", ")}
        </Entry>
        <Entry name={texts.mapDialogue}>{dialogueShare === null ? "" : percent(dialogueShare)}</Entry>
        <Entry name={texts.storyHappens}>
          {events.map(({ who, what, passage }) => (
            <span key={`${passage.start}${what}`} className="fact">
              <a href={to(["books", bookId, "read"], { chapter, start: passage.start, end: passage.end })}>
                {who}: {what}
              </a>
            </span>
          ))}
        </Entry>
      </dl>
    </li>
  );
}

/** What code counts: who is there, how often, from whose eyes, how fast. Corrections to the cast are read at once. */
function Counted({
  bookId,
  isRead,
  onCorrected,
}: {
  readonly bookId: string;
  /** Whether a model has read the story: what it wrote cannot follow a correction by itself. */
  readonly isRead: boolean;
  readonly onCorrected: () => void;
}) {
  const texts = useTexts();
  const announce = useAnnouncer();
  const asked = useAnswer(api.books[":id"].map, { param: { id: bookId } });
  const again = useAction(
    useCallback(async () => {
      await ask(api.books[":id"].readings.$post, { param: { id: bookId } });
      announce(texts.castChanged);
    }, [bookId, announce, texts]),
  );
  const [isCorrected, setCorrected] = useState(false);
  const corrected = () => {
    asked.reload();
    onCorrected();
    setCorrected(true);
    void again.run();
  };
  return (
    <section>
      <PartHeading name="counted">{texts.storyCounted}</PartHeading>
      {again.problem ? <ProblemNotice problem={again.problem} /> : null}
      {isCorrected ? <p className="notice">{isRead ? texts.castFollows : texts.castChanged}</p> : null}
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

const TIME_OF_CHAPTER = ["time"] as const;
const OF_EVENT = ["when", "who", "what", "isTold"] as const;
const OF_THREAD = ["thread", "closes", "isTold"] as const;
const OF_READER = ["asks", "answered"] as const;

/** What a model read, with what the writer corrected in its place. */
function ReadStory({
  story,
  bookId,
  onCorrect,
  facts: known,
  onSay,
}: Corrections & {
  readonly story: Story;
  readonly bookId: string;
  readonly onCorrect: (subject: string) => void;
}) {
  const texts = useTexts();
  const { chapters, people, threads, facts = [], events = [], reader = [] } = story;
  const told = known ?? [];
  const place = ({ chapter, start, end }: Passage, words: ReactNode) => (
    <a href={to(["books", bookId, "read"], { chapter, start, end })}>{words}</a>
  );
  return (
    <>
      <section>
        <PartHeading name="time">{texts.storyTime}</PartHeading>
        <ol className="time-line">
          {chapters.map(({ chapter, time, happens }) => (
            <li key={chapter}>
              <CorrectedParts
                place={{ chapter }}
                parts={TIME_OF_CHAPTER}
                name={`${texts.storyTime}, ${texts.chapterNumber(chapter)}`}
                asRead={{ time }}
                facts={known}
                onSay={onSay}
              >
                <strong>{saidOf(told, { chapter }).time ?? (time || "–")}</strong>{" "}
                <a href={to(["books", bookId, "read"], { chapter })}>{texts.chapterNumber(chapter)}</a>{" "}
              </CorrectedParts>
              {events.length === 0 ? <p>{happens}</p> : null}
              <ul>
                {events
                  .filter(({ passage }) => passage.chapter === chapter)
                  .map(({ who, what, when, passage }) => {
                    const event = { chapter, event: what };
                    const said = saidOf(told, event);
                    const now = { who, what, when, ...said };
                    const line = place(passage, `${now.who}: ${now.what}`);
                    return (
                      <li key={`${passage.start}${what}`}>
                        <CorrectedParts
                          place={event}
                          parts={OF_EVENT}
                          name={`${who}: ${what}`}
                          asRead={{ who, what, when }}
                          facts={known}
                          onSay={onSay}
                        >
                          {now.when ? `${now.when}: ` : ""}
                          {said.isTold === NOT_TOLD ? <s>{line}</s> : line}{" "}
                        </CorrectedParts>
                      </li>
                    );
                  })}
              </ul>
            </li>
          ))}
        </ol>
      </section>
      <section>
        <PartHeading name="cast">{texts.storyCast}</PartHeading>
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
                <blockquote key={`${passage.chapter}:${passage.start}`} className="quotation prose">
                  {place(passage, passage.quote)}
                  <footer>{texts.chapterNumber(passage.chapter)}</footer>
                </blockquote>
              ))}
              {known ? (
                <button type="button" className="quiet" onClick={() => onCorrect(name)}>
                  {texts.storyCorrect} <span className="visually-hidden">{name}</span>
                </button>
              ) : null}
            </article>
          ))}
        </div>
      </section>
      <section>
        <PartHeading name="threads">{texts.storyThreads}</PartHeading>
        <ul className="threads">
          {threads.map(({ thread, opened, closed }, at) => {
            const said = saidOf(told, { thread });
            const end = closedAs(said.closes, closed);
            const name = said.thread ?? thread;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: two threads may be called the same, and the list never changes.
              <li key={at}>
                <CorrectedParts
                  place={{ thread }}
                  parts={OF_THREAD}
                  name={name}
                  asRead={{ thread, closes: closed ? String(closed.chapter) : NEVER }}
                  chapters={chapters.map(({ chapter }) => chapter)}
                  facts={known}
                  onSay={onSay}
                >
                  {said.isTold === NOT_TOLD ? <s>{name}</s> : <span>{name}</span>}{" "}
                  <small>
                    {opened ? place(opened, texts.threadOpens(texts.chapterNumber(opened.chapter))) : null}
                    {opened ? " · " : null}
                    {end ? (
                      place(end, texts.threadCloses(texts.chapterNumber(end.chapter)))
                    ) : (
                      <strong>{texts.threadOpen}</strong>
                    )}
                  </small>{" "}
                </CorrectedParts>
              </li>
            );
          })}
        </ul>
      </section>
      {reader.length > 0 ? (
        <section>
          <PartHeading name="questions">{texts.storyQuestions}</PartHeading>
          <dl className="reader-questions">
            {reader.map(({ chapter, asks, answered }) => {
              const asRead = { asks: asks.join(" "), answered: answered.join(" ") };
              const now = { ...asRead, ...saidOf(told, { chapter }) };
              return (
                <div key={chapter}>
                  <dt>{texts.chapterNumber(chapter)}</dt>
                  <dd>
                    <CorrectedParts
                      place={{ chapter }}
                      parts={OF_READER}
                      name={`${texts.storyQuestions}, ${texts.chapterNumber(chapter)}`}
                      asRead={asRead}
                      facts={known}
                      onSay={onSay}
                    >
                      {now.asks ? `${texts.readerAsks}: ${now.asks}` : ""}{" "}
                      {now.answered ? `${texts.readerAnswered}: ${now.answered}` : ""}{" "}
                    </CorrectedParts>
                  </dd>
                </div>
              );
            })}
          </dl>
        </section>
      ) : null}
    </>
  );
}

/** What the model got wrong, in the writer's words: the next reading is told. */
function FactsForm({
  facts,
  isSaved,
  onSay,
  subject,
  onTaken,
}: {
  readonly facts: readonly string[];
  readonly isSaved: boolean;
  readonly onSay: Corrections["onSay"];
  /** What a correction is begun for; null for none. */
  readonly subject: string | null;
  readonly onTaken: () => void;
}) {
  const texts = useTexts();
  const field = useRef<HTMLTextAreaElement>(null);
  const kept = facts.join("\n");
  const [lines, setLines] = useState(kept);
  const [shown, setShown] = useState(kept);
  const typed = linesOf(lines);
  // What is corrected on a card comes into the list beside what is typed there, and whoever has just saved the list keeps the focus.
  if (shown !== kept) {
    setShown(kept);
    setLines(withTyped(facts, linesOf(shown), typed).join("\n"));
  }
  const isChanged = typed.join("\n") !== kept;
  useEffect(() => {
    if (subject === null) return;
    setLines((known) => `${known.trim() === "" ? "" : `${known.trimEnd()}\n`}${subject}: `);
    onTaken();
    field.current?.focus();
    field.current?.scrollIntoView({ block: "center" });
  }, [subject, onTaken]);
  return (
    <form
      className="panel"
      onSubmit={(event) => {
        event.preventDefault();
        onSay((known) => withTyped(known, facts, typed));
      }}
    >
      <Field label={texts.factsTitle} hint={texts.factsHint}>
        {(attributes) => (
          <textarea
            {...attributes}
            ref={field}
            rows={4}
            value={lines}
            onChange={(event) => setLines(event.target.value)}
          />
        )}
      </Field>
      <div className="actions">
        <button type="submit">{texts.save}</button>
        {isSaved && !isChanged ? <span className="muted">{texts.saved}</span> : null}
      </div>
    </form>
  );
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
