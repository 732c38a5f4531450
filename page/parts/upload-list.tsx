import { to } from "../routing.ts";
import { useTexts } from "../texts/preferences.tsx";
import { dismissUploads, useUploads } from "../uploads.ts";
import { ProblemNotice } from "./waiting.tsx";

/** What is being added and what came of it. A single file that arrived needs no list: its book opens. */
export function UploadList() {
  const texts = useTexts();
  const uploads = useUploads();
  const isWorthShowing = uploads.length > 1 || uploads.some(({ state }) => state !== "done");
  if (!isWorthShowing) return null;
  const isOver = uploads.every(({ state }) => state === "done" || state === "failed");
  return (
    <section className="uploads" aria-label={texts.uploads}>
      <ul className="upload-items">
        {uploads.map((upload) => (
          <li key={upload.id}>
            {/* What went wrong with a file names it, in most cases. */}
            {upload.problem?.message.includes(upload.name) ? null : (
              <span className="upload-name">
                {upload.state === "sending" ? texts.readingFile(upload.name) : (upload.book?.title ?? upload.name)}
              </span>
            )}{" "}
            {upload.book ? (
              <a href={to(["books", upload.book.id, "letter"])}>{texts.uploadOpen}</a>
            ) : (
              <span className="muted">{upload.state === "waiting" ? texts.uploadWaiting : ""}</span>
            )}
            <ProblemNotice problem={upload.problem} />
          </li>
        ))}
      </ul>
      {isOver ? (
        <button type="button" className="quiet" onClick={dismissUploads}>
          {texts.uploadDismiss}
        </button>
      ) : null}
    </section>
  );
}

/** In other views only what is still under way, and what went wrong. */
export function UploadsElsewhere() {
  const isNews = useUploads().some(({ state }) => state !== "done");
  return isNews ? (
    <div className="uploads-elsewhere">
      <UploadList />
    </div>
  ) : null;
}
