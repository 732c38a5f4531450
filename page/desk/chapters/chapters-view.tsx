import { useCallback, useState } from "react";
import type { BookCorrections, ChapterCorrections } from "../../../src/api/corrections.ts";
import { api, ask } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { TableScroller } from "../../parts/table.tsx";
import { useAction } from "../../parts/use-action.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { goTo, to, type ViewProps } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { BookTabs } from "../book-tabs.tsx";
import "./chapters.css";

/** One chapter as the file has it, and what is to become of it. */
interface ChapterRow {
  readonly index: number;
  readonly foundTitle: string | null;
  readonly words: number;
  readonly title: string;
  readonly isJoined: boolean;
  readonly isFrontMatter: boolean;
  readonly splitAt: string;
  readonly splitTitle: string;
}

/** The form's rows, and the corrections that have no place in them: a second split of one chapter, which stays as it is. */
export function rowsOf({ found, corrections }: BookCorrections): { rows: ChapterRow[]; others: ChapterCorrections } {
  const others: ChapterCorrections = [];
  const rows = new Map<number, ChapterRow>(
    found.map(({ index, title, words }) => [
      index,
      { index, foundTitle: title, words, title: title ?? "", ...UNCHANGED },
    ]),
  );
  const change = (index: number, changed: Partial<ChapterRow>) => {
    const row = rows.get(index);
    if (row) rows.set(index, { ...row, ...changed });
  };
  for (const correction of corrections) {
    if ("strategy" in correction) continue;
    if ("merge" in correction) change(correction.merge, { isJoined: true });
    else if ("rename" in correction) change(correction.rename, { title: correction.title });
    else if ("front-matter" in correction) change(correction["front-matter"], { isFrontMatter: true });
    else if (rows.get(correction.split)?.splitAt) others.push(correction);
    else change(correction.split, { splitAt: correction.at, splitTitle: correction.title ?? "" });
  }
  return { rows: [...rows.values()], others };
}

const UNCHANGED = { isJoined: false, isFrontMatter: false, splitAt: "", splitTitle: "" };

/** Renames come first: both halves of a split chapter keep its number, and a rename would reach them both. */
export function correctionsOf(rows: readonly ChapterRow[], others: ChapterCorrections): ChapterCorrections {
  const renames = rows.filter(({ title, foundTitle }) => title.trim() !== "" && title.trim() !== (foundTitle ?? ""));
  const splits = rows.filter(({ splitAt }) => splitAt.trim() !== "");
  return [
    ...renames.map(({ index, title }) => ({ rename: index, title: title.trim() })),
    ...splits.map(({ index, splitAt, splitTitle }) => ({
      split: index,
      at: splitAt.trim(),
      ...(splitTitle.trim() !== "" && { title: splitTitle.trim() }),
    })),
    ...others,
    ...rows.filter(({ isJoined }) => isJoined).map(({ index }) => ({ merge: index })),
    ...rows.filter(({ isFrontMatter }) => isFrontMatter).map(({ index }) => ({ "front-matter": index })),
  ];
}

/** Where the chapters that were found are put right: joined, split, renamed, set aside. */
export default function ChaptersView({ route }: ViewProps) {
  const texts = useTexts();
  const id = route.path[1] ?? "";
  const asked = useAnswer(api.books[":id"].corrections, { param: { id } });
  return (
    <View title={texts.correctChapters} kicker={<a href={to(["library"])}>{texts.library}</a>} className="narrow">
      <BookTabs book={{ id }} current={null} />
      <p className="hint">{texts.correctChaptersHint}</p>
      <Waiting asked={asked}>{(known) => <ChapterForm bookId={id} known={known} />}</Waiting>
    </View>
  );
}

function ChapterForm({ bookId, known }: { readonly bookId: string; readonly known: BookCorrections }) {
  const texts = useTexts();
  const [{ rows, others }, setForm] = useState(() => rowsOf(known));
  const change = (index: number, changed: Partial<ChapterRow>) =>
    setForm((form) => ({
      ...form,
      rows: form.rows.map((row) => (row.index === index ? { ...row, ...changed } : row)),
    }));
  const save = useAction(
    useCallback(
      async (corrections: ChapterCorrections) => {
        await ask(api.books[":id"].corrections.$put, { param: { id: bookId }, json: { corrections } });
        goTo(to(["books", bookId]));
      },
      [bookId],
    ),
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const chosen = known.corrections.filter((correction) => "strategy" in correction);
        void save.run([...chosen, ...correctionsOf(rows, others)]);
      }}
    >
      <StrategyChoice known={known} isBusy={save.isBusy} onChoose={(by) => void save.run([{ strategy: by }])} />
      <TableScroller label={texts.correctChapters}>
        <table className="chapter-rows">
          <thead>
            <tr>
              <th scope="col">{texts.chapterTitle}</th>
              <th scope="col">{texts.joinToPrevious}</th>
              <th scope="col">{texts.notOfTheStory}</th>
              <th scope="col">{texts.splitAt}</th>
              <th scope="col">{texts.splitTitle}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, position) => (
              <Row
                key={row.index}
                row={row}
                isFirst={position === 0}
                onChange={(changed) => change(row.index, changed)}
              />
            ))}
          </tbody>
        </table>
      </TableScroller>
      {others.length > 0 ? <p className="muted">{texts.otherCorrections(others.length)}</p> : null}
      {save.problem ? <ProblemNotice problem={save.problem} /> : null}
      <div className="actions">
        <button type="submit" className="primary" disabled={save.isBusy}>
          {texts.saveChapters}
        </button>
        <button type="button" disabled={save.isBusy} onClick={() => void save.run([])}>
          {texts.undoCorrections}
        </button>
      </div>
    </form>
  );
}

/** Where the file can be divided in more than one way: what was chosen, and a button for each other way. */
function StrategyChoice({
  known: { strategies },
  isBusy,
  onChoose,
}: {
  readonly known: BookCorrections;
  readonly isBusy: boolean;
  readonly onChoose: (by: string) => void;
}) {
  const texts = useTexts();
  const used = strategies.find(({ isUsed }) => isUsed);
  const others = strategies.filter(({ isUsed, chapters }) => !isUsed && chapters !== used?.chapters);
  if (!used || others.length === 0) return null;
  return (
    <fieldset disabled={isBusy}>
      <legend>{texts.strategyUsed(used.by, used.chapters)}</legend>
      {others.map(({ by, chapters }) => (
        <button key={by} type="button" onClick={() => onChoose(by)}>
          {texts.strategyInstead(by, chapters)}
        </button>
      ))}
    </fieldset>
  );
}

function Row({
  row,
  isFirst,
  onChange,
}: {
  readonly row: ChapterRow;
  readonly isFirst: boolean;
  readonly onChange: (changed: Partial<ChapterRow>) => void;
}) {
  const texts = useTexts();
  const name = (label: string) => `${label}: ${texts.chapterNumber(row.index)}`;
  return (
    <tr>
      <td data-label={texts.chapterTitle}>
        <input
          aria-label={name(texts.chapterTitle)}
          value={row.title}
          onChange={(event) => onChange({ title: event.target.value })}
        />{" "}
        <span className="muted">{texts.words(row.words)}</span>
      </td>
      <td data-label={texts.joinToPrevious}>
        <input
          type="checkbox"
          aria-label={name(texts.joinToPrevious)}
          disabled={isFirst}
          checked={row.isJoined}
          onChange={(event) => onChange({ isJoined: event.target.checked })}
        />
      </td>
      <td data-label={texts.notOfTheStory}>
        <input
          type="checkbox"
          aria-label={name(texts.notOfTheStory)}
          checked={row.isFrontMatter}
          onChange={(event) => onChange({ isFrontMatter: event.target.checked })}
        />
      </td>
      <td data-label={texts.splitAt}>
        <input
          aria-label={name(texts.splitAt)}
          value={row.splitAt}
          onChange={(event) => onChange({ splitAt: event.target.value })}
        />
      </td>
      <td data-label={texts.splitTitle}>
        <input
          aria-label={name(texts.splitTitle)}
          value={row.splitTitle}
          disabled={row.splitAt === ""}
          onChange={(event) => onChange({ splitTitle: event.target.value })}
        />
      </td>
    </tr>
  );
}
