import { useCallback, useState } from "react";
import type { BookCorrections, ChapterCorrections } from "../../../src/api/corrections.ts";
import { send } from "../../api/request.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { useAction } from "../../parts/use-action.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { goTo, to, type ViewProps } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { type ChapterRow, correctionsOf, rowsOf } from "./chapter-rows.ts";

/** Where the chapters that were found are put right: joined, split, renamed, set aside. */
export default function ChaptersView({ route }: ViewProps) {
  const texts = useTexts();
  const id = route.path[1] ?? "";
  const asked = useAnswer<BookCorrections>(`/api/books/${encodeURIComponent(id)}/corrections`);
  return (
    <View title={texts.correctChapters} kicker={<a href={to(["books", id])}>{texts.book}</a>}>
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
        await send("PUT", `/api/books/${encodeURIComponent(bookId)}/corrections`, { corrections });
        goTo(to(["books", bookId]));
      },
      [bookId],
    ),
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save.run(correctionsOf(rows, others));
      }}
    >
      <TableScroller label={texts.correctChapters}>
        <table>
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
      <td>
        <input
          aria-label={name(texts.chapterTitle)}
          value={row.title}
          onChange={(event) => onChange({ title: event.target.value })}
        />{" "}
        <span className="muted">{texts.words(row.words)}</span>
      </td>
      <td>
        <input
          type="checkbox"
          aria-label={name(texts.joinToPrevious)}
          disabled={isFirst}
          checked={row.isJoined}
          onChange={(event) => onChange({ isJoined: event.target.checked })}
        />
      </td>
      <td>
        <input
          type="checkbox"
          aria-label={name(texts.notOfTheStory)}
          checked={row.isFrontMatter}
          onChange={(event) => onChange({ isFrontMatter: event.target.checked })}
        />
      </td>
      <td>
        <input
          aria-label={name(texts.splitAt)}
          value={row.splitAt}
          onChange={(event) => onChange({ splitAt: event.target.value })}
        />
      </td>
      <td>
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
