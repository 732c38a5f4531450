import { useCallback, useRef, useState } from "react";
import type { CommentsRead, OpenLetter } from "../../../src/api/letters.ts";
import { send } from "../../api/request.ts";
import { saveFile } from "../../api/save-file.ts";
import { useAction } from "../../parts/use-action.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { useTexts } from "../../texts/preferences.tsx";

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
  const texts = useTexts();
  const saving = useAction(saveFile);
  const file = useRef<HTMLInputElement>(null);
  const panel = useRef<HTMLDetailsElement>(null);
  const [read, setRead] = useState<CommentsRead | null>(null);
  const path = `/api/books/${encodeURIComponent(bookId)}`;
  const back = useAction(
    useCallback(
      async (chosen: File) => {
        const form = new FormData();
        form.append("file", chosen, chosen.name);
        setRead(await send<CommentsRead>("POST", `${path}/comments`, form));
        onRead();
      },
      [path, onRead],
    ),
  );
  const evaluation = letter.evaluation.id;
  const files: readonly (readonly [string, string])[] = [
    [texts.takeManuscript, `${path}/letter/export?format=docx&evaluation=${evaluation}`],
    [`${texts.takeLetter} (PDF)`, `/api/evaluations/${evaluation}/export?format=pdf`],
    [`${texts.takeLetter} (HTML)`, `/api/evaluations/${evaluation}/export?format=html`],
    [`${texts.takeLetter} (Markdown)`, `/api/evaluations/${evaluation}/export?format=markdown`],
    [texts.takeNotes, `${path}/letter/export?format=notes&evaluation=${evaluation}`],
    ...(letter.story
      ? ([
          [texts.takeStoryMarkdown, `${path}/letter/export?format=story-markdown&evaluation=${evaluation}`],
          [texts.takeStoryJson, `${path}/letter/export?format=story-json&evaluation=${evaluation}`],
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
        <button type="button" onClick={() => file.current?.click()} disabled={back.isBusy}>
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
