import { useCallback, useRef, useState } from "react";
import type { CommentsRead, OpenLetter } from "../../../src/api/letters.ts";
import { api, ask, pathOf } from "../../api/client.ts";
import { saveFile } from "../../api/save-file.ts";
import { useAction } from "../../parts/use-action.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { usePreferences } from "../../texts/preferences.tsx";

/** Everything of a book that can leave this place, and what comes back in a Word file. */
export function TakeOut({
  bookId,
  letter,
  onRead,
}: {
  readonly bookId: string;
  readonly letter: OpenLetter;
  readonly onRead: () => void;
}) {
  const { texts, language } = usePreferences();
  const saving = useAction(saveFile);
  const file = useRef<HTMLInputElement>(null);
  const panel = useRef<HTMLDetailsElement>(null);
  const [read, setRead] = useState<CommentsRead | null>(null);
  const back = useAction(
    useCallback(
      async (chosen: File) => {
        setRead(await ask(api.books[":id"].comments.$post, { param: { id: bookId }, form: { file: chosen } }));
        onRead();
      },
      [bookId, onRead],
    ),
  );
  const evaluation = letter.evaluation.id;
  const ofLetter = (format: string) =>
    pathOf(api.books[":id"].letter.export, { param: { id: bookId }, query: { format, evaluation, language } });
  const files: readonly (readonly [string, string])[] = [
    [texts.takeManuscript, ofLetter("docx")],
    [`${texts.takeLetter} (PDF)`, ofLetter("pdf")],
    [`${texts.takeLetter} (HTML)`, ofLetter("html")],
    [`${texts.takeLetter} (Markdown)`, ofLetter("markdown")],
    [texts.takeNotes, ofLetter("notes")],
    ...(letter.story
      ? ([
          [texts.takeStoryMarkdown, ofLetter("story-markdown")],
          [texts.takeStoryJson, ofLetter("story-json")],
        ] as const)
      : []),
  ];
  return (
    <details
      ref={panel}
      className="take-out"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !panel.current?.open) return;
        panel.current.open = false;
        panel.current.querySelector("summary")?.focus();
      }}
    >
      <summary className="button">{texts.takeOut}</summary>
      <div className="panel">
        <ul>
          {files.map(([name, address]) => (
            <li key={address}>
              <a
                href={address}
                download
                onClick={(event) => {
                  event.preventDefault();
                  void saving.run(address);
                }}
              >
                {name}
              </a>
            </li>
          ))}
        </ul>
        <button type="button" onClick={() => file.current?.click()}>
          {texts.bringBack}
        </button>
        <p className="hint">{texts.bringBackHint}</p>
        <input
          ref={file}
          type="file"
          hidden
          accept=".docx"
          aria-label={texts.bringBack}
          onChange={(event) => {
            const [chosen] = event.target.files ?? [];
            if (chosen) void back.run(chosen);
            event.target.value = "";
          }}
        />
        {read ? (
          <p role="status">
            {texts.broughtBack(read.done.length, read.open)} {read.isChanged ? texts.broughtChanged : ""}
          </p>
        ) : null}
        {saving.problem ? <ProblemNotice problem={saving.problem} /> : null}
        {back.problem ? <ProblemNotice problem={back.problem} /> : null}
      </div>
    </details>
  );
}
